"""Named keys as the bytes that a terminal sends for them in its current modes. Pure. After xterm's control sequences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from roost_protocol.errors import RoostError

_PLAIN: Final = {
    "esc": "\x1b",
    "enter": "\r",
    "tab": "\t",
    "backtab": "\x1b[Z",
    "backspace": "\x7f",
    "space": " ",
    "insert": "\x1b[2~",
    "delete": "\x1b[3~",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "f1": "\x1bOP",
    "f2": "\x1bOQ",
    "f3": "\x1bOR",
    "f4": "\x1bOS",
    "f5": "\x1b[15~",
    "f6": "\x1b[17~",
    "f7": "\x1b[18~",
    "f8": "\x1b[19~",
    "f9": "\x1b[20~",
    "f10": "\x1b[21~",
    "f11": "\x1b[23~",
    "f12": "\x1b[24~",
}
_CURSOR: Final = {"up": "A", "down": "B", "right": "C", "left": "D", "home": "H", "end": "F"}
_ALIASES: Final = {"escape": "esc", "return": "enter", "del": "delete", "ins": "insert", "pgup": "pageup", "pgdn": "pagedown"}
_MODIFIERS: Final = {"shift": 1, "alt": 2, "ctrl": 4}
_SHORT: Final = {"s": "shift", "m": "alt", "c": "ctrl"}
_MODIFIER: Final = re.compile(r"(shift|alt|ctrl|[smc])[+-](?=.)", re.IGNORECASE | re.DOTALL)
"""One modifier before something. Behind the last one everything is the key, a `+` or a `-` too."""
_CONTROLS: Final = {"space": "\0", "@": "\0", "[": "\x1b", "\\": "\x1c", "]": "\x1d", "^": "\x1e", "_": "\x1f", "?": "\x7f", "/": "\x1f"}

ALLOWED: Final = (
    f"{', '.join([*_PLAIN, *_CURSOR])}, shift+tab, ctrl+LETTER, alt+CHARACTER, shift/alt/ctrl + {'/'.join(_CURSOR)}, or a single character"
)
"""For a person: every name there is."""


def encode(keys: Sequence[str], *, application_cursor: bool) -> bytes:
    """The bytes of these keys, one after the other. Raises RoostError `bad_request` that names the key and lists what is allowed."""
    return b"".join(_encode(key, application_cursor) for key in keys)


def _encode(key: str, application_cursor: bool) -> bytes:
    modifiers, base = _parsed(key)
    encoded = _modified(modifiers, base) if modifiers else _bare(base, application_cursor)
    if encoded is None:
        raise RoostError("bad_request", f"there is no key {key!r}; keys are {ALLOWED}")
    return encoded


def _parsed(key: str) -> tuple[frozenset[str], str]:
    """Modifiers and the key they are held with: `ctrl+c`, `ctrl-c` and `C-c` are one."""
    modifiers = set()
    rest = key
    while found := _MODIFIER.match(rest):
        name = found[1].lower()
        modifiers.add(_SHORT.get(name, name))
        rest = rest[found.end() :]
    base = rest if len(rest) == 1 else _ALIASES.get(rest.lower(), rest.lower())
    if modifiers == {"shift"} and base == "tab":
        return frozenset(), "backtab"
    return frozenset(modifiers), base


def _bare(base: str, application_cursor: bool) -> bytes | None:
    if base in _PLAIN:
        return _PLAIN[base].encode()
    if base in _CURSOR:
        return f"\x1b{'O' if application_cursor else '['}{_CURSOR[base]}".encode()
    return base.encode() if len(base) == 1 and base.isprintable() else None


def _modified(modifiers: frozenset[str], base: str) -> bytes | None:
    if base in _CURSOR:
        return f"\x1b[1;{1 + sum(_MODIFIERS[name] for name in modifiers)}{_CURSOR[base]}".encode()
    plain = _controlled(base) if "ctrl" in modifiers else _uncontrolled(base, "shift" in modifiers)
    if plain is None:
        return None
    return (b"\x1b" if "alt" in modifiers else b"") + plain


def _controlled(base: str) -> bytes | None:
    if base in _CONTROLS:
        return _CONTROLS[base].encode()
    if len(base) == 1 and base.isascii() and base.isalpha():
        return bytes([ord(base.upper()) & 0x1F])
    return None


def _uncontrolled(base: str, shift: bool) -> bytes | None:
    if shift:
        return base.upper().encode() if len(base) == 1 and base.isalpha() else None
    if base in ("enter", "backspace", "tab", "esc", "space"):
        return _PLAIN[base].encode()
    return base.encode() if len(base) == 1 and base.isprintable() else None

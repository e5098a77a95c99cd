"""Named keys as the bytes that a terminal sends for them in its current modes. Pure. After xterm's control sequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from roost_protocol.errors import RoostError

_PLAIN: Final = {
    "esc": "\x1b",
    "enter": "\r",
    "tab": "\t",
    "backtab": "\x1b[Z",
    "shift+tab": "\x1b[Z",
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
_CONTROLS: Final = {"space": "\0", "@": "\0", "[": "\x1b", "\\": "\x1c", "]": "\x1d", "^": "\x1e", "_": "\x1f", "?": "\x7f", "/": "\x1f"}

ALLOWED: Final = (
    f"{', '.join([*_PLAIN, *_CURSOR])}, ctrl+LETTER, alt+CHARACTER, shift/alt/ctrl + {'/'.join(_CURSOR)}, or a single character"
)
"""For a person: every name there is."""


def encode(keys: Sequence[str], *, application_cursor: bool) -> bytes:
    """The bytes of these keys, one after the other. Raises RoostError `bad_request` that names the key and lists what is allowed."""
    return b"".join(_encode(key, application_cursor) for key in keys)


def _encode(key: str, application_cursor: bool) -> bytes:
    name = key if len(key) == 1 else _ALIASES.get(key.lower(), key.lower())
    if name in _PLAIN:
        return _PLAIN[name].encode()
    if name in _CURSOR:
        return f"\x1b{'O' if application_cursor else '['}{_CURSOR[name]}".encode()
    if len(name) == 1 and name.isprintable():
        return name.encode()
    encoded = _modified(key)
    if encoded is None:
        raise RoostError("bad_request", f"there is no key {key!r}; keys are {ALLOWED}")
    return encoded


def _modified(key: str) -> bytes | None:
    *modifiers, base = key.split("+") if not key.endswith("++") else [*key[:-2].split("+"), "+"]
    names = {modifier.lower() for modifier in modifiers}
    if not names or not names <= _MODIFIERS.keys():
        return None
    base = base if len(base) == 1 else _ALIASES.get(base.lower(), base.lower())
    if base in _CURSOR:
        return f"\x1b[1;{1 + sum(_MODIFIERS[name] for name in names)}{_CURSOR[base]}".encode()
    plain = _controlled(base) if "ctrl" in names else _uncontrolled(base, "shift" in names)
    if plain is None:
        return None
    return (b"\x1b" if "alt" in names else b"") + plain


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

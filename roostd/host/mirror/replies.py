"""What a terminal answers when it is asked. Pure: each function makes one reply, for one write.

`asks_*` decide whether something is a question that gets an answer; the filter in front of attached terminals
(`queries`) uses the same functions, so that nothing is answered twice or by nobody.
"""

import binascii

from roostd.host.mirror import modes
from roostd.host.mirror.colours import numbered
from roostd.host.mirror.parser import numbers
from roostd.version import VERSION

CELL_WIDTH, CELL_HEIGHT = 10, 20  # pixels told to those who ask
SUPPORT_QUERY = "7501;?"

DEVICE_ATTRIBUTES = {
    "c": "\x1b[?62;22c",  # a VT220 with colour
    ">c": "\x1b[>1;277;0c",  # "as xterm 277": programs then take SGR mouse reports for granted
    "=c": "\x1bP!|00000000\x1b\\",
}
_FIRST_OF = {"c": (0,), ">c": (0,), "=c": (0,), ">q": (0,), "n": (5, 6), "?n": (6, 996), "?u": (0,), "t": (14, 16, 18)}
_FIXED_PRIVATE, _FIXED_ANSI = {8: 3, 67: 4}, {2: 4, 12: 3}  # auto-repeat, backarrow key; locked keyboard, no local echo
_CAPABILITIES = {"TN": "xterm-256color", "name": "xterm-256color", "Co": "256", "colors": "256", "RGB": "8"}


def asks_csi(kind: str, params: str) -> bool:
    """Whether `CSI params kind` is answered."""
    if kind in ("$p", "?$p"):
        return True
    if kind == "?m":
        return numbers(params)[:1] == (4,)
    wanted = _FIRST_OF.get(kind)
    return wanted is not None and (numbers(params) or (0,))[0] in wanted


def asks_osc(payload: str) -> bool:
    """Whether an OSC is answered: program status' support query, or a colour asked for."""
    return payload == SUPPORT_QUERY or any(value == "?" for _, value in numbered(payload))


def asks_escape(sequence: str) -> bool:
    """DECID."""
    return sequence == "Z"


def name_and_version() -> str:
    """XTVERSION."""
    return f"\x1bP>|roost({VERSION})\x1b\\"


def cursor_position(x: int, y: int, private: bool) -> str:
    """CPR, or DECXCPR with its prefix; `x` and `y` from 0."""
    return f"\x1b[{'?' if private else ''}{y + 1};{x + 1}R"


def mode_state(mode: int, private: bool, switched_on: bool) -> str:
    """DECRPM: 1 set, 2 reset, 3 always set, 4 never set, 0 not known."""
    known = mode in (modes.PRIVATE - modes.UNANSWERED if private else modes.ANSI)
    fixed = (_FIXED_PRIVATE if private else _FIXED_ANSI).get(mode, 0)
    state = (1 if switched_on else 2) if known else fixed
    return f"\x1b[{'?' if private else ''}{mode};{state}$y"


def size(which: int, columns: int, lines: int) -> str:
    """XTWINOPS 14 (text area in pixels), 16 (cell in pixels), 18 (text area in cells)."""
    if which == 14:
        return f"\x1b[4;{lines * CELL_HEIGHT};{columns * CELL_WIDTH}t"
    if which == 16:
        return f"\x1b[6;{CELL_HEIGHT};{CELL_WIDTH}t"
    return f"\x1b[8;{lines};{columns}t"


def setting(answer: str | None) -> str:
    """DECRPSS; None for a setting that is not known."""
    return "\x1bP0$r\x1b\\" if answer is None else f"\x1bP1$r{answer}\x1b\\"


def capabilities(names: str) -> str:
    """XTGETTCAP: an answer to each name, in hexadecimal as it was asked, in one reply."""
    return "".join(_capability(name) for name in names.split(";")[:16])


def _capability(name: str) -> str:
    try:
        value = _CAPABILITIES.get(binascii.unhexlify(name).decode("ascii"))
    except ValueError:
        return "\x1bP0+r\x1b\\"
    return f"\x1bP0+r{name}\x1b\\" if value is None else f"\x1bP1+r{name}={value.encode().hex().upper()}\x1b\\"


def colour_scheme(dark: bool) -> str:
    """The answer to DSR ?996, also sent unasked when it changes and mode 2031 is on."""
    return f"\x1b[?997;{1 if dark else 2}n"

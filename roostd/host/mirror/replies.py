"""What a terminal answers when it is asked. Pure: each function makes one reply, for one write.

`asks_*` decide whether something is a question that gets an answer; the filter in front of attached terminals
(`queries`) uses the same functions, so that nothing is answered twice or by nobody.
"""

from roostd.host.mirror import modes
from roostd.host.mirror.parser import numbers
from roostd.version import VERSION

CELL_WIDTH, CELL_HEIGHT = 10, 20  # pixels told to those who ask
FOREGROUND, BACKGROUND, CURSOR = 0xD0D0D0, 0x101010, 0xD0D0D0
SUPPORT_QUERY = "7501;?"

DEVICE_ATTRIBUTES = {
    "c": "\x1b[?62;22c",  # a VT220 with colour
    ">c": "\x1b[>1;277;0c",  # "as xterm 277": programs then take SGR mouse reports for granted
    "=c": "\x1bP!|00000000\x1b\\",
}
_FIRST_OF = {"c": (0,), ">c": (0,), "=c": (0,), ">q": (0,), "n": (5, 6), "?n": (6, 996), "?u": (0,), "t": (14, 16, 18)}
_COLOURS = {10: FOREGROUND, 11: BACKGROUND, 12: CURSOR}
_ANSI_COLOURS = (
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
)  # fmt: skip


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
    return payload == SUPPORT_QUERY or bool(colour_questions(payload))


def asks_dcs(payload: str) -> bool:
    """Whether a DCS is answered: DECRQSS or XTGETTCAP."""
    return payload.startswith(("$q", "+q"))


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
    """DECRPM: 1 set, 2 reset, 0 not known."""
    known = mode in (modes.PRIVATE - modes.UNANSWERED if private else modes.ANSI)
    state = (1 if switched_on else 2) if known else 0
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


def capability() -> str:
    """XTGETTCAP: none is told, terminfo is there for that."""
    return "\x1bP0+r\x1b\\"


def colour_questions(payload: str) -> list[tuple[str, int]]:
    """The colours an OSC 4, 10, 11 or 12 asks for: how each answer begins, and the colour."""
    number, _, rest = payload.partition(";")
    fields = rest.split(";")[:32]
    if number == "4":
        pairs = zip(fields[::2], fields[1::2], strict=False)
        return [(f"4;{int(i)}", palette_colour(int(i))) for i, value in pairs if value == "?" and _index(i)]
    if number in ("10", "11", "12"):
        numbered = enumerate(fields, int(number))
        return [(str(n), _COLOURS[n]) for n, value in numbered if value == "?" and n in _COLOURS]
    return []


def _index(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 3 and int(text) < 256


def colour(prefix: str, value: int, terminator: str) -> str:
    """`OSC prefix;rgb:...`, ended as the question was."""
    red, green, blue = value >> 16, value >> 8 & 255, value & 255
    return f"\x1b]{prefix};rgb:{red:02x}{red:02x}/{green:02x}{green:02x}/{blue:02x}{blue:02x}{terminator}"


def palette_colour(index: int) -> int:
    """xterm's palette: 16 colours, a cube of 216, 24 greys."""
    if index < 16:
        return _ANSI_COLOURS[index]
    if index >= 232:
        return (8 + (index - 232) * 10) * 0x10101
    red, green, blue = (index - 16) // 36, (index - 16) // 6 % 6, (index - 16) % 6
    return sum((55 + 40 * level if level else 0) << shift for level, shift in ((red, 16), (green, 8), (blue, 0)))

"""Floods: output that only scrolls is kept back, and what nobody can see is drawn late or never.

Kept back is what can have no effect but cells and the cursor: text, CR, LF, tabs, SGR and EL. It asks nothing, says nothing and
switches nothing. Whoever looks at the screen has its last screenful drawn first, so that nobody can tell the difference; the rows
that belong to the history stay bytes (`undrawn`) until somebody wants to see them.

Why a part may be passed over: on a screen without margins, once the cursor is in the last row, every line pushes a row out at the
top. From `needed` lines before the end on, the rows of the history are all younger than the part passed over; from a screenful
before the end on, those of the screen are. What the part leaves behind is the cursor (in column 0 behind a CR LF, in the last
row) and the style, which is followed through its SGR sequences.
"""

import re

from roostd.host.mirror.history import MAX_ROWS
from roostd.host.mirror.parser import MAX_PARAMS
from roostd.host.mirror.style import Style, apply_sgr

SMALLEST = 1_024
LARGEST = 768 << 10
"""Bytes: what is smaller is drawn at once, and never more than this is kept back."""
PROBE = 64 << 10
"""Bytes after which it is known whether the lines are short enough for anything to be left out before `LARGEST`."""

_BLOCK = 8 << 10  # bytes whose lines are counted at once: a call for each line costs more

_TEXT = bytes(byte for byte in range(256) if byte in b"\r\n\t" or 0x20 <= byte <= 0x7E or 0x80 <= byte <= 0xBF or 0xC3 <= byte <= 0xF4)
# What sequences and U+00A0 to U+00BF begin with, judged by what follows.
_JUDGED = _TEXT + b"\x1b\xc2"
_ODD = ((0x1B, re.compile(rb"\x1b(?!\[[0-9;:]{0,64}+m)(?!\[[0-2]?+K)")), (0xC2, re.compile(rb"\xc2(?![\xa0-\xbf])")))
_CUT = re.compile(rb"\xc2|\x1b(?:\[[0-9;:]{0,64})?")
_CUT_CHARACTER = re.compile(rb"(?:[\xc3-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})\Z")
_SGR = re.compile(rb"\x1b\[([0-9;:]*)m")
_RESETS = (b"\x1b[m", b"\x1b[0m", b"\x1b[0;")


def harmless(data: bytes, cut: bytes) -> bytes | None:
    """Whether `data` behind the beginning `cut` of a sequence or character only scrolls: the beginning of one at its end,
    which is not to be judged yet, or None if it does anything else."""
    data = cut + data
    if b"\x1b[?" in data:  # What most frames begin with, found before the expression has read to there.
        return None
    if data.translate(None, _JUDGED):
        return None
    rest = b""
    for first, pattern in _ODD:  # To search for these takes a third of the time in which all that is harmless can be matched.
        odd = pattern.search(data) if first in data else None
        if odd:
            if rest or not _CUT.fullmatch(data, odd.start()):
                return None
            rest = data[odd.start() :]
    if rest or data[-1:] < b"\x80":
        return rest
    character = _CUT_CHARACTER.search(data, len(data) - 3)
    return character[0] if character else b""


def needed(rows: int) -> int:
    """The lines at the end of a flood that the history and a screen of so many rows are made of."""
    return MAX_ROWS + rows + 1


def promises(data: bytes | bytearray, rows: int) -> bool:
    """Whether a flood that goes on like `data` will have something to leave out."""
    return data.count(b"\n") * LARGEST > 2 * needed(rows) * len(data)


def before_last(data: bytes | bytearray, lines: int, below: int) -> int:
    """How much of the beginning of harmless `data` comes before its last `lines` lines, ends with CR LF and brings a cursor with
    `below` rows below it to the last row; 0 if nothing does."""
    end, left = len(data), lines + 1
    while end > _BLOCK and (ends := data.count(b"\n", end - _BLOCK, end)) < left:
        end, left = end - _BLOCK, left - ends
    for _ in range(left):
        end = data.rfind(b"\n", 0, end)
        if end < 0:
            return 0
    end = data.rfind(b"\r\n", 0, end + 1) + 2
    enough = data.count(b"\n", 0, min(end, _BLOCK)) >= below or data.count(b"\n", 0, end) >= below
    return end if end > 1 and enough else 0


def style_after(style: Style, data: bytes | bytearray) -> Style:
    """The style that harmless `data` makes of `style`."""
    for params in selected(data):
        style = apply_sgr(style, params[:MAX_PARAMS].decode())
    return style


def selected(data: bytes | bytearray) -> list[bytes]:
    """The parameters of those SGR sequences in harmless `data` that have the same effect as all of them: from the last reset on,
    each in its last place, because what a sequence sets does not depend on what was set before."""
    if b"\x1b" not in data:
        return []
    start = max(data.rfind(reset) for reset in _RESETS)
    last = dict.fromkeys(reversed(_SGR.findall(data, max(start, 0))))
    return [*last][::-1]

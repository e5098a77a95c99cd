"""Floods: output that only scrolls is kept back, and what would scroll out of the history anyway is never drawn.

Kept back is what can have no effect but cells and the cursor: text, CR, LF, tabs, SGR and EL. It asks nothing, says nothing and
switches nothing. Whoever looks at the screen has it drawn first, so that nobody can tell the difference.

Why a part may be left out: on the normal screen without margins, from `needed` lines before the end on, every line
pushes a row into the history, whose rows are by then all younger than the part left out; and so are those of the screen.
What the part leaves behind is the cursor (in column 0 behind a CR LF, in the last row after as many lines as there are)
and the style, which is followed through its SGR sequences.
"""

import re

from roostd.host.mirror.history import MAX_ROWS

SMALLEST = 1_024
LARGEST = 768 << 10
"""Bytes: what is smaller is drawn at once, and never more than this is kept back."""
PROBE = 64 << 10
"""Bytes after which it is known whether the lines are short enough for anything to be left out before `LARGEST`."""

_HARMLESS = re.compile(rb"(?:[ -~\x80-\xbf\xc3-\xf4]+|\xc2[\xa0-\xbf]|[\r\n\t]|\x1b\[(?:[0-9;:]{0,64}m|[0-2]?K))*")
_CUT = re.compile(rb"\xc2|\x1b(?:\[[0-9;:]{0,64})?")
_SGR = re.compile(rb"\x1b\[([0-9;:]*)m")
_RESETS = (b"\x1b[m", b"\x1b[0m")


def harmless(data: bytes, cut: bytes) -> bytes | None:
    """Whether `data` behind the beginning `cut` of a sequence only scrolls: the beginning of a sequence at its end, which
    is not to be judged yet, or None if it does anything else."""
    data = cut + data
    match = _HARMLESS.match(data)
    assert match is not None
    rest = data[match.end() :]
    return rest if not rest or _CUT.fullmatch(rest) else None


def needed(rows: int) -> int:
    """The lines at the end of a flood that must be drawn on a screen of so many rows."""
    return MAX_ROWS + rows + 1


def promises(data: bytes | bytearray, rows: int) -> bool:
    """Whether a flood that goes on like `data` will have something to leave out."""
    return data.count(b"\n") * LARGEST > 2 * needed(rows) * len(data)


def left_out(data: bytes, rows: int) -> int:
    """How much of the beginning of harmless `data` need not be drawn; 0 if all of it."""
    lines = needed(rows)
    if data.count(b"\n") <= lines + rows:
        return 0
    end = len(data.rsplit(b"\n", lines + 1)[0]) + 1
    return end if data[:end].endswith(b"\r\n") and data.count(b"\n", 0, end) >= rows else 0


def style_parameters(data: bytes) -> list[str]:
    """The parameters of the SGR sequences that make the style after `data`, whatever it was before the last reset."""
    start = max(data.rfind(reset) for reset in _RESETS)
    return [params.decode() for params in _SGR.findall(data, max(start, 0))]

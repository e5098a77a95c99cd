"""A job's screen as lines to print. Pure."""

from __future__ import annotations

import re

from roost_protocol.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_SGR = re.compile("(\x1b\\[[0-9;:]*m)")
_PAINTING = frozenset(map(str, (4, 7, 9, 21, 53, *range(40, 49), *range(100, 108))))
RESET = "\x1b[m"


def shown(lines: Sequence[str], ansi: bool) -> list[str]:
    """The lines without those at the end in which nothing is to be seen. With `ansi`, SGR sequences stay, and each line ends without
    colours."""
    clean = [_coloured(line) if ansi else printable(line).rstrip() for line in lines]
    while clean and not _SGR.sub("", clean[-1]).strip() and not _paints(clean[-1]):
        clean.pop()
    return clean


def _paints(line: str) -> bool:
    """Whether its blanks are seen: a background, inverse, a line under, over or through them."""
    for sequence in _SGR.findall(line):
        parts = iter(sequence[2:-1].split(";"))
        for part in parts:
            number = part.partition(":")[0]
            if number in ("38", "58") and number == part:
                for _ in range({"5": 1, "2": 3}.get(next(parts, ""), 0)):
                    next(parts, None)
            elif number in _PAINTING:
                return True
    return False


def _coloured(line: str) -> str:
    parts = _SGR.split(line)
    if len(parts) == 1:
        return printable(line).rstrip()
    # Every second part is a sequence: that is how re.split gives what a group has caught.
    return "".join(part if index % 2 else printable(part) for index, part in enumerate(parts)) + RESET

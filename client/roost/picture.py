"""A job's screen as lines to print. Pure."""

from __future__ import annotations

import re

from roost_protocol.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_SGR = re.compile("(\x1b\\[[0-9;:]*m)")
RESET = "\x1b[m"


def shown(lines: Sequence[str], ansi: bool) -> list[str]:
    """The lines without those at the end in which nothing is to be seen. With `ansi`, SGR sequences stay, and each line ends without
    colours."""
    clean = [_coloured(line) if ansi else printable(line).rstrip() for line in lines]
    while clean and not clean[-1].strip():
        clean.pop()
    return clean


def _coloured(line: str) -> str:
    parts = _SGR.split(line)
    if len(parts) == 1:
        return printable(line).rstrip()
    # Every second part is a sequence: that is how re.split gives what a group has caught.
    return "".join(part if index % 2 else printable(part) for index, part in enumerate(parts)) + RESET

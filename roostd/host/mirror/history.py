"""Rows that scrolled off the normal screen, packed: one string each, SGR included."""

import re
from collections import deque
from itertools import islice

from roostd.host.mirror.row import Row
from roostd.host.mirror.style import DEFAULT, SGR_SEQUENCE, apply_sgr
from roostd.host.mirror.width import width

MAX_ROWS = 2_000
MAX_CHARACTERS = 2 << 20
_LINK = re.compile("\x1b\\]8;([^\x1b]*)\x1b\\\\")
_PARTS = re.compile(f"{SGR_SEQUENCE.pattern}|{_LINK.pattern}|[^\x1b]+")


class History:
    """The last rows, oldest first, bounded in rows and in characters."""

    def __init__(self) -> None:
        self._rows: deque[str] = deque()
        self._characters = 0

    def __len__(self) -> int:
        return len(self._rows)

    def push(self, row: Row) -> None:
        packed = row.painted()
        self._rows.append(packed)
        self._characters += len(packed)
        while len(self._rows) > MAX_ROWS or self._characters > MAX_CHARACTERS:
            self._characters -= len(self._rows.popleft())

    def pop(self) -> Row:
        """The newest row, taken back. IndexError if there is none."""
        packed = self._rows.pop()
        self._characters -= len(packed)
        return _unpacked(packed)

    def clear(self) -> None:
        self._rows.clear()
        self._characters = 0

    def ansi(self, limit: int) -> list[str]:
        """At most the last `limit` rows, with SGR."""
        return [_LINK.sub("", row) for row in self.painted(limit)]

    def painted(self, limit: int) -> list[str]:
        """As `ansi`, with the links."""
        return list(islice(self._rows, max(0, len(self._rows) - max(0, limit)), None))

    def rows(self, limit: int) -> list[Row]:
        """At most the last `limit` rows."""
        return [_unpacked(row) for row in self.painted(limit)]

    def text(self, limit: int) -> list[str]:
        """At most the last `limit` rows, plain."""
        return [SGR_SEQUENCE.sub("", row).rstrip(" ") for row in self.ansi(limit)]


def _unpacked(packed: str) -> Row:
    row, style = Row(), DEFAULT
    for match in _PARTS.finditer(packed):
        part = match[0]
        if part.startswith("\x1b]"):
            style = style.linked("" if match[1] == ";" else match[1])
            continue
        if part[0] == "\x1b":
            style = apply_sgr(style, part[2:-1])
            continue
        for char in part:
            columns, x = width(char), len(row.cells)
            if columns:
                row.write(x, [char, ""][:columns], style)
            elif x:
                row.combine(x - 1, char)
    return row

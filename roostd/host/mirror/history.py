"""Rows that scrolled off the normal screen, packed: UTF-8 each, SGR and links included."""

import re
from collections import deque
from collections.abc import Iterable
from itertools import islice
from typing import Protocol

from roostd.host.mirror.reflow import Line
from roostd.host.mirror.row import NULL, Row
from roostd.host.mirror.style import DEFAULT, SGR_SEQUENCE, apply_sgr
from roostd.host.mirror.width import laid_out

MAX_ROWS = 2_000
MAX_BYTES = 1 << 20
_LINK = re.compile("\x1b\\]8;([^\x1b]*)\x1b\\\\")
_PARTS = re.compile(f"{SGR_SEQUENCE.pattern}|{_LINK.pattern}|[^\x1b]+")
# The first byte of a packed row: whether it goes on with the row before, and whether its cells stand apart, because they
# cannot be told from the text alone.
_CONTINUES, _SEPARATED = 1, 2
_SEPARATOR = "\x01"
_NULL_BYTE = NULL.encode()


class Later(Protocol):
    """Rows that nobody has wanted to see yet, `least` of them or more, kept in `len` bytes."""

    @property
    def least(self) -> int: ...

    def __len__(self) -> int: ...

    def drawn(self) -> "History": ...


class History:
    """The last rows, oldest first, bounded in rows and in bytes."""

    def __init__(self) -> None:
        self._rows: deque[bytes] = deque()
        self._bytes = 0
        self._older: list[tuple[list[bytes], Later]] = []  # rows and what comes behind them, in front of `_rows`

    def __len__(self) -> int:
        self._draw()
        return len(self._rows)

    def push(self, row: Row) -> None:
        self._add(packed(row))

    def _add(self, packed: bytes) -> None:
        rows = self._rows
        rows.append(packed)
        self._bytes += len(packed)
        while len(rows) > MAX_ROWS or self._bytes > MAX_BYTES:
            self._bytes -= len(rows.popleft())
            self._older.clear()

    def push_later(self, later: Later) -> None:
        """Rows that are to be drawn when somebody wants to see them."""
        self._older.append((list(self._rows), later))
        self._rows.clear()
        self._bytes = 0

    def ends_with(self, later: Later | None) -> bool:
        """Whether these rows are the last ones, still to be drawn."""
        return not self._rows and bool(self._older) and self._older[-1][1] is later

    def bound_later(self) -> None:
        """Forget what certainly has enough rows behind it, and draw what is too much to be kept."""
        older = self._older
        least = len(self._rows)
        for n in range(len(older) - 1, -1, -1):
            least += older[n][1].least
            if least >= MAX_ROWS:
                del older[:n]
                older[0][0].clear()
                break
            least += len(older[n][0])
        if sum(len(later) for _, later in older) > MAX_BYTES:
            self._draw()

    def _draw(self) -> None:
        if not self._older:
            return
        older, last = self._older, self._rows
        self._older, self._rows, self._bytes = [], deque(), 0
        for rows, later in older:
            self._extend(rows)
            self._extend(later.drawn().lines())
        self._extend(last)

    def _extend(self, rows: Iterable[bytes]) -> None:
        for packed in rows:
            self._add(packed)

    def clear(self) -> None:
        self._older.clear()
        self._rows.clear()
        self._bytes = 0

    def lines(self, limit: int = MAX_ROWS) -> list[bytes]:
        """At most the last `limit` rows, packed."""
        if limit > len(self._rows):
            self._draw()
        return list(islice(self._rows, max(0, len(self._rows) - max(0, limit)), None))

    def replace(self, lines: list[Line]) -> None:
        """Become these rows."""
        self.clear()
        for line in lines:
            self._add(line if isinstance(line, bytes) else packed(line))

    def rows(self, limit: int) -> list[Row]:
        """At most the last `limit` rows."""
        return [as_row(line) for line in self.lines(limit)]

    def ansi(self, limit: int) -> list[str]:
        """At most the last `limit` rows, with SGR."""
        return [_ansi(packed) for packed in self.lines(limit)]

    def text(self, limit: int) -> list[str]:
        """At most the last `limit` rows, plain."""
        return [SGR_SEQUENCE.sub("", row).rstrip(" ") for row in self.ansi(limit)]


def packed(row: Row) -> bytes:
    """A row as a `Line` that takes little memory."""
    kind = _CONTINUES if row.continues else 0
    if row.clustered:
        kind |= _SEPARATED
        text = row.separated(_SEPARATOR)
    else:
        text = row.painted()
    return (chr(kind) + text).encode("utf-8", "replace")


def _ansi(packed: bytes) -> str:
    return _LINK.sub("", packed[1:].decode()).replace(NULL, " ").replace(_SEPARATOR, "").rstrip(" ")


def as_row(line: Line) -> Row:
    """A row, unpacked if need be."""
    return line if isinstance(line, Row) else unpacked(line)


def repainted(line: Line) -> str:
    """What draws a row on a blank row of a terminal."""
    if not isinstance(line, Row) and not line[0] & _SEPARATED and _NULL_BYTE not in line[1:]:
        return line[1:].decode()
    return as_row(line).repainted()


def unpacked(packed: bytes) -> Row:
    """The row that was packed."""
    row, style = Row(), DEFAULT
    row.continues, row.clustered = packed[0] & _CONTINUES > 0, packed[0] & _SEPARATED > 0
    for match in _PARTS.finditer(packed[1:].decode()):
        part = match[0]
        if part.startswith("\x1b]"):
            style = style.linked("" if match[1] == ";" else match[1])
        elif part[0] == "\x1b":
            style = apply_sgr(style, part[2:-1])
        else:
            cells = part.split(_SEPARATOR)[:-1] if packed[0] & _SEPARATED else laid_out(part)[1]
            row.write(len(row.cells), cells, style)
    return row

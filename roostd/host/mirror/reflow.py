"""A whole buffer, history and screen, in another size, as xterm.js does it. Pure.

Rows of the history may come packed, and stay so where they are not touched; `Buffer` says where the screen begins and
where the cursor is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from roostd.host.mirror.row import NULL, Row
from roostd.host.mirror.style import DEFAULT, Style

Line = Row | bytes  # bytes: packed by `history.History`


@dataclass(slots=True)
class Buffer:
    """All rows, oldest first. `base`: the first that is on the screen; `x`, `y`: the cursor on the screen; `saved`: the row
    of the saved cursor, counted from the first of all."""

    lines: list[Line]
    base: int
    x: int
    y: int
    saved: int
    columns: int
    rows: int
    keeps_history: bool

    def resize(self, columns: int, rows: int, unpacked: Callable[[bytes], Row]) -> None:
        """Take a new size."""
        self._fit_rows(rows)
        self.x = min(self.x, columns - 1)
        if self.keeps_history and columns > self.columns:
            self._widen(columns, rows, unpacked)
        elif self.keeps_history and columns < self.columns:
            self._narrow(columns, rows, unpacked)
        self.columns, self.rows = columns, rows
        while len(self.lines) < self.base + rows:
            self.lines.append(Row())
        self.y = min(max(self.y, 0), rows - 1)

    def _fit_rows(self, rows: int) -> None:
        """More rows come from the history if the cursor is in the last row, else they are blank; fewer rows are taken away
        below the cursor first, then at the top."""
        lines, taken = self.lines, 0
        for _ in range(self.rows, rows):
            if len(lines) < rows + self.base:
                if self.base > 0 and len(lines) <= self.base + self.y + taken + 1:
                    self.base -= 1
                    taken += 1
                else:
                    lines.append(Row())
        for _ in range(rows, self.rows):
            if len(lines) > rows + self.base:
                if len(lines) > self.base + self.y + 1:
                    lines.pop()
                else:
                    self.base += 1
        self.y = min(self.y, rows - 1) + taken

    # -- more columns -------------------------------------------------------------------------------------------------

    def _widen(self, columns: int, rows: int, unpacked: Callable[[bytes], Row]) -> None:
        cursor = self.base + self.y
        result: list[Line] = []
        for start, end in _lines(self.lines):
            line = self.lines[start:end]
            if len(line) > 1 and not start <= cursor < end:
                result += _rewrapped([_row(row, unpacked) for row in line], self.columns, columns)
            else:
                result += line
        removed = len(self.lines) - len(result)
        self.lines = result
        for _ in range(removed):
            if self.base:
                self.base -= 1
                continue
            self.y = max(self.y - 1, 0)
            if len(result) < rows:
                result.append(Row())
        self.saved = max(self.saved - removed, 0)

    # -- fewer columns ------------------------------------------------------------------------------------------------

    def _narrow(self, columns: int, rows: int, unpacked: Callable[[bytes], Row]) -> None:
        """From the last line to the first, since every row that is added moves the screen's place."""
        groups: list[list[Line]] = [self.lines[start:end] for start, end in _lines(self.lines)]
        start = len(self.lines)
        for number in range(len(groups) - 1, -1, -1):
            group = groups[number]
            start -= len(group)
            if start <= self.base + self.y < start + len(group):
                groups[number] = [_cut(_row(row, unpacked), columns) for row in group]
                continue
            alone = len(group) == 1 and not continues(group[0])
            fitting = _fitting(group[0], columns, unpacked) if alone else None
            if fitting is not None:
                groups[number] = [fitting]
                continue
            wrapped = _rewrapped([_row(row, unpacked) for row in group], self.columns, columns)
            groups[number] = [*wrapped]
            self._make_room(len(wrapped) - len(group), rows, groups)
        self.lines = [row for group in groups for row in group]

    def _make_room(self, added: int, rows: int, groups: list[list[Line]]) -> None:
        for _ in range(added):
            if self.base:
                self.base += 1
            elif self.y < rows - 1:
                self.y += 1
                while not groups[-1]:
                    groups.pop()
                groups[-1].pop()
            else:
                self.base += 1
        self.saved = min(self.saved + max(added, 0), self.base + rows - 1)


def _row(line: Line, unpacked: Callable[[bytes], Row]) -> Row:
    return line if isinstance(line, Row) else unpacked(line)


def _cut(row: Row, columns: int) -> Row:
    row.cut(columns)
    return row


def continues(line: Line) -> bool:
    """Whether it is the rest of the row above."""
    return line.continues if isinstance(line, Row) else bool(line[0] & 1)


def _fitting(line: Line, columns: int, unpacked: Callable[[bytes], Row]) -> Line | None:
    """The row as it is, or cut if only blanks are cut off, or None. A packed one has at least as many bytes as columns."""
    if not isinstance(line, Row) and len(line) <= columns:
        return line
    row = _row(line, unpacked)
    if row.written() > columns:
        return None
    return line if len(row.cells) <= columns else _cut(row, columns)


def _lines(rows: Sequence[Line]) -> list[tuple[int, int]]:
    """Where the rows that belong together begin and end."""
    starts = [number for number, row in enumerate(rows) if number == 0 or not continues(row)]
    return list(zip(starts, [*starts[1:], len(rows)], strict=True))


def _rewrapped(line: list[Row], before: int, columns: int) -> list[Row]:
    """The rows of one line in another width; in a greater one blank ones at its end go away."""
    cells, styles = _joined(line, before)
    if columns == 1:  # no place for a wide character
        cells = [NULL if not cell or after == "" else cell for cell, after in zip(cells, [*cells[1:], NULL], strict=True)]
    clustered = any(row.clustered for row in line)
    rows: list[Row] = []
    at = length = 0
    while at < len(cells) or not rows:
        end = min(at + columns, len(cells))
        if end < len(cells) and not cells[end]:
            end -= 1  # a wide character begins the next row
        row = Row()
        row.put(cells[at:end], styles[at:end])
        row.continues = bool(rows) or line[0].continues
        row.clustered = clustered
        rows.append(row)
        length, at = end - at, end
    if columns < before and len(rows) == len(line):
        _keep_erased(rows[-1], line[-1], length + 1, columns)
    while columns > before and len(rows) > 1 and not rows[-1].written():
        rows.pop()
    return rows


def _keep_erased(row: Row, before: Row, start: int, columns: int) -> None:
    """The last row of a line that takes as many rows as it did keeps the colours that were erased behind its end; the first cell there
    does not (xterm.js)."""
    if before.styles is not None and start < columns:
        missing = start - len(row.cells)
        styles = row.styles or [DEFAULT] * len(row.cells)
        row.put(
            [*row.cells, *NULL * missing, *before.cells[start:columns]],
            [*styles, *[DEFAULT] * missing, *before.styles[start:columns]],
        )


def _joined(line: list[Row], before: int) -> tuple[list[str], list[Style]]:
    """A line's cells in one; a row that ends a column early because a wide character did not fit has no gap there."""
    cells: list[str] = []
    styles: list[Style] = []
    for row, following in zip(line, [*line[1:], None], strict=True):
        length = row.written()
        if following is not None:
            length = before - 1 if length < before and following.cells[1:2] == [""] else before
        missing = length - len(row.cells)
        cells += row.cells[:length] + [NULL] * missing
        styles += (row.styles or [DEFAULT] * len(row.cells))[:length] + [DEFAULT] * missing
    return cells, styles

"""Long lines wrapped anew for another width. Pure."""

from itertools import pairwise

from roostd.host.mirror.row import Row
from roostd.host.mirror.style import DEFAULT, Style

Place = tuple[int, int]  # column and row, from 0


def rewrapped(rows: list[Row], cursor: Place, before: int, columns: int) -> tuple[list[Row], Place]:
    """`rows` of `before` columns as rows of `columns`, and the cursor's new place.

    The line with the cursor is cut instead: a shell or an inline agent draws it again itself, and counts on the number
    of rows it had (as xterm.js does).
    """
    result: list[Row] = []
    x, y = cursor
    new_y = y
    for start, line in _lines(rows):
        if start <= y < start + len(line):
            new_y = len(result) + y - start
            for row in line:
                row.cut(columns)
            result += line
        elif len(line) == 1 and len(line[0].cells) <= columns:
            result += line
        else:
            result += _wrapped(line, before, columns)
    return result, (x, new_y)


def _lines(rows: list[Row]) -> list[tuple[int, list[Row]]]:
    """Rows that belong together, with the number of the first."""
    lines: list[tuple[int, list[Row]]] = []
    goes_on = False
    for number, row in enumerate(rows):
        if goes_on:
            lines[-1][1].append(row)
        else:
            lines.append((number, [row]))
        goes_on = row.wrapped
    return lines


def _wrapped(line: list[Row], before: int, columns: int) -> list[Row]:
    cells, styles = _joined(line, before)
    if columns == 1:  # no place for a wide character
        cells = [" " if not cell or following == "" else cell for cell, following in pairwise([*cells, " "])]
    rows: list[Row] = []
    at = 0
    while at < len(cells) or not rows:
        end = min(at + columns, len(cells))
        if end < len(cells) and not cells[end] and end - at > 1:
            end -= 1  # a wide character begins the next row
        row = Row()
        row.put(cells[at:end], styles[at:end])
        row.wrapped = end < len(cells)
        row.cut(columns)
        rows.append(row)
        at = end
    rows[-1].wrapped = line[-1].wrapped
    return rows


def _joined(line: list[Row], before: int) -> tuple[list[str], list[Style]]:
    """A line's cells in one; a row that ends a column early because a wide character did not fit has no gap there."""
    cells: list[str] = []
    styles: list[Style] = []
    for row, following in zip(line, [*line[1:], None], strict=True):
        cells += row.cells
        styles += row.styles or [DEFAULT] * len(row.cells)
        missing = before - len(row.cells)
        if following is not None and not (missing == 1 and following.cells[1:2] == [""]):
            cells += [" "] * missing
            styles += [DEFAULT] * missing
    return cells, styles

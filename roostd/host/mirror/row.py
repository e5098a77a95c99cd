"""One row of the screen: its cells and their styles, as two lists that end where the row's content ends.

A cell is a string: one character with what combines with it, or "" for the second half of a wide one. What lies behind
the end of the lists is blank in the default style, and `styles` is None while every cell is; an idle row costs nothing.
"""

from collections.abc import Iterator
from itertools import groupby

from roostd.host.mirror.style import DEFAULT, Style

MAX_CELL_CHARACTERS = 16


class Row:
    """A mutable row. `wrapped`: its text goes on in the next row, because the program wrote past the last column."""

    __slots__ = ("cells", "styles", "wrapped")

    def __init__(self) -> None:
        self.cells: list[str] = []
        self.styles: list[Style] | None = None
        self.wrapped = False

    def put(self, cells: list[str], styles: list[Style]) -> None:
        """Become these cells, each with its style; blanks at the end that look like nothing are left out."""
        end = len(cells)
        while end and cells[end - 1] == " " and styles[end - 1] == DEFAULT:
            end -= 1
        self.cells = cells[:end]
        self.styles = styles[:end] if any(style != DEFAULT for style in styles[:end]) else None

    def write(self, x: int, cells: str | list[str], style: Style) -> None:
        """Put `cells` at `x`. A wide character of which this takes a half loses the other half to a blank."""
        row = self.cells
        length = len(row)
        end = x + len(cells)
        if x < length:
            if not row[x]:
                self._blank_left_half(x)
            if end < length and not row[end]:
                row[end] = " "
        elif x > length:
            self._pad(x)
        row[x:end] = cells
        if self.styles is not None:
            self.styles[x:end] = [style] * (end - x)
        elif style != DEFAULT:
            self.styles = [DEFAULT] * len(row)
            self.styles[x:end] = [style] * (end - x)

    def _blank_left_half(self, x: int) -> None:
        if x:
            self.cells[x - 1] = " "
        self.cells[x] = " "

    def _pad(self, length: int) -> None:
        missing = length - len(self.cells)
        if missing > 0:
            self.cells.extend(" " * missing)
            if self.styles is not None:
                self.styles.extend([DEFAULT] * missing)

    def erase(self, start: int, end: int, style: Style, columns: int) -> None:
        """Blank the cells from `start` up to `end` in an erased style."""
        self.wrapped = self.wrapped and end < columns
        if start >= end:
            return
        if end >= columns and style == DEFAULT:
            if start < len(self.cells):
                self.cut(start)
            return
        self.write(start, " " * (end - start), style)

    def cut(self, length: int) -> None:
        """Drop everything from `length` on."""
        if length < len(self.cells):
            if not self.cells[length] and length:
                self.cells[length - 1] = " "
            del self.cells[length:]
            if self.styles is not None:
                del self.styles[length:]
        if not self.cells:
            self.styles = None

    def insert(self, x: int, count: int, style: Style, columns: int) -> None:
        """Move what is at `x` and after to the right by `count` blanks; what leaves the row is lost."""
        count = min(count, columns - x)
        if x < len(self.cells) and not self.cells[x]:
            self._blank_left_half(x)
        if x > len(self.cells):
            self._pad(x)
        self.cells[x:x] = " " * count
        if self.styles is None and style != DEFAULT:
            self.styles = [DEFAULT] * (len(self.cells) - count)
        if self.styles is not None:
            self.styles[x:x] = [style] * count
        self.cut(columns)

    def delete(self, x: int, count: int, style: Style, columns: int) -> None:
        """Remove `count` cells at `x`; the rest moves left, blanks in `style` come in at the right."""
        count = min(count, columns - x)
        if x < len(self.cells):
            end = min(x + count, len(self.cells))
            if not self.cells[x]:
                self._blank_left_half(x)
            if end < len(self.cells) and not self.cells[end]:
                self.cells[end] = " "
            del self.cells[x:end]
            if self.styles is not None:
                del self.styles[x:end]
        if style != DEFAULT:
            self.write(columns - count, " " * count, style)

    def clipped(self, length: int) -> "Row":
        """A copy of the first `length` cells; itself if that is all."""
        if len(self.cells) <= length:
            return self
        copy = Row()
        copy.cells = self.cells[: length + 1]
        copy.styles = None if self.styles is None else self.styles[: length + 1]
        copy.cut(length)
        return copy

    def combine(self, x: int, mark: str) -> None:
        """Add a zero-width character to the cell at `x`, unless that is full."""
        self._pad(x + 1)
        if not self.cells[x] and x:
            x -= 1
        if len(self.cells[x]) < MAX_CELL_CHARACTERS:
            self.cells[x] += mark

    def style(self, x: int) -> Style:
        return self.styles[x] if self.styles is not None and x < len(self.styles) else DEFAULT

    def graphemes(self) -> Iterator[tuple[str, int, Style]]:
        """Every character with its columns and style; second halves are left out."""
        styles = self.styles or [DEFAULT] * len(self.cells)
        following = [*self.cells, " "][1:]
        for cell, style, after in zip(self.cells, styles, following, strict=True):
            if cell:
                yield cell, 1 if after else 2, style

    def text(self) -> str:
        """Plain text, without trailing blanks."""
        return "".join(self.cells).rstrip(" ")

    def ansi(self) -> str:
        """Text with SGR that draws the same cells on a terminal in the default style, and leaves it in that."""
        if not self.styles:
            return self.text()
        return "".join(self._drawn([style.linked("") for style in self.styles]))

    def painted(self) -> str:
        """As `ansi`, with the links."""
        if not self.styles:
            return self.text()
        return "".join(self._drawn(self.styles))

    def _drawn(self, styles: list[Style]) -> Iterator[str]:
        current, x = DEFAULT, 0
        for style, run in groupby(styles):
            end = x + len(list(run))
            text = "".join(self.cells[x:end])
            if style == DEFAULT and end == len(styles):
                text = text.rstrip(" ")
            if style != current:
                yield style.change_from(current)
                current = style
            yield text
            x = end
        yield DEFAULT.change_from(current)

"""One row of the screen: its cells and their styles, as two lists that end where the row's content ends.

A cell is a string: one character with what combines with it, "" for the second half of a wide one, or `NULL` where
nothing was written since the last erasure: it looks like a blank, but a line that is wrapped anew ends before it. What
lies behind the end of the lists is `NULL` in the default style, and `styles` is None while every cell is in that; an idle
row costs nothing.
"""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from roostd.host.mirror.style import DEFAULT, PROTECTED, Style
from roostd.host.mirror.width import add_marks, drawn_width, laid_out

NULL = "\0"
_NULLS = re.compile(f"{NULL}+")


class Rest(NamedTuple):
    """What a narrower terminal does not show of a row that was `width` columns wide: the cells behind the last column, and the wide
    character that stood astride of it, or ""."""

    width: int
    cells: list[str]
    styles: list[Style] | None
    cut: str
    cut_style: Style


class Row:
    """A mutable row. `continues`: it is the rest of the row above, which was written past its last column. `clustered`:
    there may be grapheme clusters in it (mode 2027), so that its text alone does not tell its cells. `shown` is its plain text
    if that is known. `rest` is what stands out of sight behind the last column, which only comes back with a wider terminal and
    where cells move.
    """

    __slots__ = ("cells", "clustered", "continues", "rest", "shown", "styles")

    def __init__(self) -> None:
        self.cells: list[str] = []
        self.styles: list[Style] | None = None
        self.continues = False
        self.clustered = False
        self.shown: str | None = None
        self.rest: Rest | None = None

    def put(self, cells: list[str], styles: list[Style] | None) -> None:
        """Become these cells, each with its style; what looks like nothing at the end is left out."""
        end = len(cells)
        while end and cells[end - 1] == NULL and (styles is None or styles[end - 1] == DEFAULT):
            end -= 1
        self.cells = cells[:end]
        self.styles = styles[:end] if styles is not None and any(style != DEFAULT for style in styles[:end]) else None
        self.shown = None

    def write(self, x: int, cells: str | list[str], style: Style) -> None:
        """Put `cells` at `x`. A wide character of which this takes a half loses the other half to a blank in `style`."""
        row, styles = self.cells, self.styles
        self.shown = None
        length, count = len(row), len(cells)
        if x == length:
            row += cells
            if styles is not None:
                styles += [style] * count
            elif style is not DEFAULT:
                self.styles = [DEFAULT] * length + [style] * count
            return
        if not x and count >= length:
            self.cells = list(cells)
            if styles is not None or style is not DEFAULT:
                self.styles = [style] * count
            return
        end = x + count
        if x > length:
            self._pad(x)
            styles = self.styles
        if styles is None and style is not DEFAULT:
            styles = self.styles = [DEFAULT] * len(row)
        if x < length:
            if not row[x] and x:
                self._blank(x - 1, style)
            if end < length and not row[end]:
                self._blank(end, style)
        row[x:end] = cells
        if styles is not None:
            styles[x:end] = [style] * count

    def _blank(self, x: int, style: Style) -> None:
        self.cells[x] = NULL
        if self.styles is not None:
            self.styles[x] = style
        elif style != DEFAULT:
            self.styles = [DEFAULT] * len(self.cells)
            self.styles[x] = style

    def _pad(self, length: int) -> None:
        missing = length - len(self.cells)
        if missing > 0:
            self.cells.extend(NULL * missing)
            if self.styles is not None:
                self.styles.extend([DEFAULT] * missing)

    def erase(self, start: int, end: int, style: Style, columns: int) -> None:
        """Empty the cells from `start` up to `end` in an erased style."""
        if start >= end:
            return
        if self.rest is not None and end >= columns:
            width = self._uncover(columns)
            self.erase(start, end, style, width)
            self.cover(columns, width)
            return
        if end < columns or style != DEFAULT:
            self.write(start, NULL * (end - start), style)
        elif start < len(self.cells):
            self.cut(start)

    def erase_unprotected(self, start: int, end: int, style: Style, columns: int) -> None:
        """As `erase`, but what is protected stays."""
        x = start
        looks = [self.style(at).flags & PROTECTED for at in range(start, end)]
        for kept, run in groupby(looks):
            length = len(list(run))
            if not kept:
                self.erase(x, x + length, style, columns)
            x += length

    def cut(self, length: int) -> None:
        """Drop everything from `length` on."""
        self.shown = None
        if length < len(self.cells):
            if not self.cells[length] and length:
                self._blank(length - 1, DEFAULT)
            del self.cells[length:]
            if self.styles is not None:
                del self.styles[length:]
        if not self.cells:
            self.styles = None

    def insert(self, x: int, count: int, style: Style, columns: int) -> None:
        """Move what is at `x` and after to the right by `count` blanks; what leaves the row is lost."""
        if self.rest is not None:
            width = self._uncover(columns)
            self.insert(x, count, style, width)
            self.cover(columns, width)
            return
        self.shown = None
        count = min(count, columns - x)
        if x < len(self.cells) and not self.cells[x] and x:
            self._blank(x - 1, style)
            self._blank(x, style)
        if x >= len(self.cells) and style == DEFAULT:
            return
        self._pad(x)
        self.cells[x:x] = NULL * count
        if self.styles is None and style != DEFAULT:
            self.styles = [DEFAULT] * (len(self.cells) - count)
        if self.styles is not None:
            self.styles[x:x] = [style] * count
        halved = len(self.cells) > columns and not self.cells[columns]
        self.cut(columns)
        if halved:
            self._blank(columns - 1, style)

    def delete(self, x: int, count: int, style: Style, columns: int) -> None:
        """Remove `count` cells at `x`; the rest moves left, blanks in `style` come in at the right."""
        if self.rest is not None:
            width = self._uncover(columns)
            self.delete(x, count, style, width)
            self.cover(columns, width)
            return
        self.shown = None
        count = min(count, columns - x)
        if x < len(self.cells):
            end = min(x + count, len(self.cells))
            if not self.cells[x] and x:
                self._blank(x - 1, style)
            if end < len(self.cells) and not self.cells[end]:
                self._blank(end, style)
            del self.cells[x:end]
            if self.styles is not None:
                del self.styles[x:end]
        if style != DEFAULT:
            self.write(columns - count, NULL * count, style)

    # -- what is out of sight -----------------------------------------------------------------------------------------

    def width(self, columns: int) -> int:
        """The columns of the row with what a terminal of `columns` does not show of it."""
        return columns if self.rest is None else self.rest.width

    def fit(self, before: int, columns: int) -> None:
        """From `before` columns to `columns`, as on the alternate screen of xterm.js: a narrower one covers what is behind its last
        column, a wider one shows it again and forgets what is behind its own."""
        width = self._uncover(before)
        if columns > before:
            self.cut(columns)
        else:
            self.cover(columns, width)

    def cover(self, columns: int, width: int) -> None:
        """Let a row of `width` columns show only `columns` of them."""
        if width <= columns:
            return
        cells, styles = self.cells[columns:], None if self.styles is None else self.styles[columns:]
        cut = self.cells[columns - 1] if cells and not cells[0] else ""
        self.rest = Rest(width, cells, styles, cut, self.style(columns - 1))
        self.cut(columns)

    def _uncover(self, columns: int) -> int:
        """Be whole again; how many columns wide that is."""
        rest, self.rest, self.shown = self.rest, None, None
        if rest is None:
            return columns
        if rest.cells:
            untouched = self.cells[columns - 1 : columns] in ([], [NULL]) and self.style(columns - 1) == DEFAULT
            self.write(columns, [cell or NULL for cell in rest.cells[:1]] + rest.cells[1:], DEFAULT)
            if rest.styles is not None:
                self._restyle(columns, rest.styles)
            if rest.cut and untouched:
                self.write(columns - 1, [rest.cut, ""], rest.cut_style)
        return rest.width

    def _restyle(self, x: int, styles: list[Style]) -> None:
        if self.styles is None:
            self.styles = [DEFAULT] * len(self.cells)
        self.styles[x:] = styles

    def clipped(self, length: int) -> "Row":
        """A copy of the first `length` cells; itself if that is all."""
        if len(self.cells) <= length:
            return self
        copy = type(self)()
        copy.cells = self.cells[: length + 1]
        copy.styles = None if self.styles is None else self.styles[: length + 1]
        copy.clustered = self.clustered
        copy.cut(length)
        return copy

    def combine(self, x: int, marks: str) -> None:
        """Add zero-width characters to the cell at `x`, as far as it has room. One that would make another width of a cluster, if that
        were drawn with it, is dropped: such a cell could not be drawn anywhere else."""
        self.shown = None
        self._pad(x + 1)
        if self.cells[x] == NULL:
            self.cells[x] = " "
        if self.clustered:
            marks = self._fitting(x, marks)
        add_marks(self.cells, x, marks)

    def _fitting(self, x: int, marks: str) -> str:
        first = x if self.cells[x] or not x else x - 1
        cell, columns = self.cells[first], 1 if self.cells[first + 1 : first + 2] != [""] else 2
        fitting = ""
        for mark in marks:
            wanted = cell + fitting + mark
            if self.is_plain(wanted, columns) or drawn_width(wanted) == columns:
                fitting += mark
        return fitting

    def style(self, x: int) -> Style:
        return self.styles[x] if self.styles is not None and x < len(self.styles) else DEFAULT

    def written(self) -> int:
        """How many cells there are up to the last that is not `NULL`: where a line that is wrapped anew ends."""
        cells = self.cells
        end = len(cells)
        while end and cells[end - 1] == NULL:
            end -= 1
        return end

    def graphemes(self) -> Iterator[tuple[str, int, Style]]:
        """Every character with its columns and style; second halves are left out."""
        styles = self.styles or [DEFAULT] * len(self.cells)
        following = [*self.cells, " "][1:]
        for cell, style, after in zip(self.cells, styles, following, strict=True):
            if cell:
                yield " " if cell == NULL else cell, 1 if after else 2, style

    def text(self) -> str:
        """Plain text, without trailing blanks."""
        text = self.shown
        if text is None:
            text = self.shown = "".join(self.cells).replace(NULL, " ").rstrip(" ")
        return text

    def ansi(self) -> str:
        """Text with SGR that draws the same cells on a terminal in the default style, and leaves it in that."""
        if not self.styles:
            return self.text()
        return _drawn(self.cells, [style.linked("") for style in self.styles]).replace(NULL, " ").rstrip(" ")

    def painted(self) -> str:
        """As `ansi`, with the links, and `NULL` where nothing was written."""
        if not self.styles:
            return "".join(self.cells)
        return _drawn(self.cells, self.styles)

    def pictured(self) -> str:
        """As `painted`, with blanks where nothing was written."""
        if self.clustered:
            return self._apart()
        return self.painted().replace(NULL, " ")

    def repainted(self) -> str:
        """As `painted`, for a blank row of a terminal: what was never written is passed over, or erased in its colour."""
        if self.clustered:
            return self._apart()
        if not self.styles and NULL not in self.cells:
            return "".join(self.cells)
        return _drawn(self.cells, self.styles or [DEFAULT] * len(self.cells), repainting=True)

    def _apart(self) -> str:
        """Every cell by itself, so that it joins with no other."""
        return "".join(self.drawn_alone(cell, width, style) for cell, width, style in self.graphemes())

    def drawn_alone(self, cell: str, width: int, style: Style) -> str:
        """One cell by itself, in the mode that gives it its width: with graphemes only what they make of it."""
        drawn = style.alone(cell)
        return drawn if self.is_plain(cell, width) else f"\x1b[?2027h{drawn}\x1b[?2027l"

    def is_plain(self, cell: str, width: int) -> bool:
        """Whether the characters of a cell come together in so many columns without grapheme clusters."""
        return list(laid_out(cell)[1]) == [cell, ""][:width]

    def separated(self, separator: str) -> str:
        """As `painted`, with `separator` behind every cell."""
        copy = Row()
        copy.cells, copy.styles = [cell + separator for cell in self.cells], self.styles
        return copy.painted()


def _drawn(cells: list[str], styles: list[Style], *, repainting: bool = False) -> str:
    parts: list[str] = []
    current, x = DEFAULT, 0
    for style, run in groupby(styles):
        end = x + len(list(run))
        text = "".join(cells[x:end])
        if style.flags & PROTECTED and not repainting:
            style = style.protected(False)
        if style != current:
            parts.append(style.change_from(current))
            current = style
        parts.append(_passing_over(text, style) if repainting and NULL in text else text)
        x = end
    parts.append(DEFAULT.change_from(current))
    return "".join(parts)


def _passing_over(text: str, style: Style) -> str:
    if style != style.erased():
        return text.replace(NULL, " ")
    erase = "" if style == DEFAULT else "\x1b[{0}X"
    return _NULLS.sub(lambda run: (erase + "\x1b[{0}C").format(len(run[0])), text)

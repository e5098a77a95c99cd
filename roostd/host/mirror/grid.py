"""The cells, and what writes, erases and moves them: pyte's screen with our own rows.

From pyte come the cursor, margins, tab stops, character sets and what moves by them; where xterm does otherwise, the
method stands here. The cells live in `rows`, not in pyte's `buffer`. The cursor's `x` equals `columns` while a wrap is
pending. Private modes are in `private`, ANSI modes in pyte's `mode`, which also has the origin mode pyte looks for.
"""

from itertools import pairwise

import pyte.modes as mo
from pyte.screens import Margins
from pyte.screens import Screen as PyteScreen

from roostd.host.mirror import charsets, modes
from roostd.host.mirror.charsets import Charsets
from roostd.host.mirror.history import History
from roostd.host.mirror.row import NULL, Row
from roostd.host.mirror.style import DEFAULT
from roostd.host.mirror.width import MAX_CELL_CHARACTERS, joined_width, joins, laid_out, marks_of, width

MAX_REPEATED = 4_096  # of REP: what a large screen holds is repeated by several


class Grid(PyteScreen):
    """The rows of the screen in use. `keeps_history` is whether what leaves its top is kept; else the last `spare` of that are in
    `above`, which are no history."""

    def __init__(self, columns: int, lines: int, history: History) -> None:
        self.history = history
        super().__init__(columns, lines)

    def reset(self) -> None:
        """The state after RIS, which clears the history too, as nearly all terminals do."""
        super().reset()
        self.history.clear()
        self.use_charsets(charsets.DEFAULT)
        self.rows = [Row() for _ in range(self.lines)]
        self.keeps_history = True
        self.above: list[Row] = []
        self.spare = 0
        self.private: set[int] = set(modes.DEFAULT)
        self.style = DEFAULT
        self.drew = self.skipped = False
        self.cluster = ""
        self.inserts = False
        self.graphemes = False

    def use_charsets(self, charsets: Charsets) -> None:
        self.charsets = charsets
        self.translation = charsets.translation

    @property
    def region(self) -> tuple[int, int]:
        """First and last row that scroll, counted from 0."""
        return self.margins or (0, self.lines - 1)

    @property
    def display(self) -> list[str]:
        """The rows as plain text, without trailing blanks."""
        return [row.text() if (shown := row.shown) is None else shown for row in self.rows]

    # -- drawing ------------------------------------------------------------------------------------------------------

    def draw(self, text: str) -> None:
        """Write characters (no controls among them) at the cursor."""
        if self.translation is not None:
            text = text.translate(self.translation)
        if self.graphemes:
            self._draw_clusters(text)
            return
        cells: str | list[str] = text
        if not text.isascii():
            marks, cells = laid_out(text)
            if marks:
                self._combine(marks)
            if not cells:
                return
        self._place(cells)

    def _place(self, cells: str | list[str]) -> None:
        """Write cells at the cursor, wrapping."""
        self.drew, self.skipped = True, False
        cursor, columns = self.cursor, self.columns
        x = cursor.x
        end = x + len(cells)
        if end <= columns and not self.inserts:
            self.rows[cursor.y].write(x, cells, self.style)
            cursor.x = end
        elif columns == 1:
            self._place_in_one_column(cells)
        else:
            self._place_on_rows(cells)

    def _place_on_rows(self, cells: str | list[str]) -> None:
        """Write what does not fit on one row, or moves what stands behind it."""
        if modes.AUTOWRAP not in self.private:
            self._place_without_wrap(cells)
            return
        cursor, columns = self.cursor, self.columns
        at, count = 0, len(cells)
        while at < count:
            if cursor.x >= columns:
                self._wrap()
            end = at + columns - cursor.x
            if end < count and not cells[end]:  # a wide character would be cut
                end -= 1
            if end > at:
                self._put(cells[at:end])
            at = end
            if at < count and cursor.x < columns:
                self.rows[cursor.y].erase(cursor.x, columns, self.style, columns)
                cursor.x = columns

    def _place_without_wrap(self, cells: str | list[str]) -> None:
        cursor = self.cursor
        cursor.x = min(cursor.x, self.columns - 1)
        room = self.columns - cursor.x
        if len(cells) <= room:
            self._put(cells)
            return
        if not cells[room]:
            room -= 1
        if room:
            self._put(cells[:room])
        self._put_last(cells[room:])

    def _place_in_one_column(self, cells: str | list[str]) -> None:
        """One below the other; wide ones have no place, and what combines with them joins the cell before."""
        for cell, after in pairwise([*cells, " "]):
            if cell and after:
                self._place_on_rows([cell])
            elif cell:
                self._combine(marks_of(cell))
        self.skipped = not cells[-1]

    def _put(self, cells: str | list[str]) -> None:
        cursor = self.cursor
        row, x = self.rows[cursor.y], cursor.x
        if self.inserts:
            row.insert(x, len(cells), self.style, self.columns)
        row.write(x, cells, self.style)
        cursor.x = x + len(cells)

    def _put_last(self, cells: str | list[str]) -> None:
        """Without autowrap what does not fit falls on the last column, each on the one before; wide ones do not fit there, and
        what combines with them joins the cell in front of that column."""
        cursor, last = self.cursor, self.columns - 1
        narrow = ""
        for cell, after in pairwise([*cells, " "]):
            if cell and after:
                if not narrow or self.inserts:
                    cursor.x = last
                    self._put([cell])
                narrow = cell
            elif len(cell) > 1:
                cursor.x = last
                self._combine(marks_of(cell))
        cursor.x = self.columns if narrow else last
        if narrow and not self.inserts:
            cursor.x = last
            self._put([narrow])
        if not cells[-1]:
            cursor.x, self.skipped = last, True

    def _combine(self, marks: str) -> None:
        """Zero-width characters join the cell before the cursor; in column 0 there is none and they are dropped."""
        if self.cursor.x and marks:
            self.rows[self.cursor.y].combine(min(self.cursor.x, self.columns) - 1, marks)

    def _draw_clusters(self, text: str) -> None:
        """Mode 2027: what belongs to a grapheme cluster joins its cell, which may become wide by it."""
        if text.isascii():
            self._place(text)
            self.cluster = text[-1]
            return
        for char in text:
            if self.cluster and joins(self.cluster, char) and (self.skipped or self.cursor.x):
                self._grow(char)
                continue
            columns = width(char)
            if columns:
                self._place(char if columns == 1 else [char, ""])
                self.cluster = char
            else:
                self._combine(char)

    def _grow(self, char: str) -> None:
        if self.skipped:  # lost with the character for which there was no place
            self.cluster = (self.cluster + char)[:MAX_CELL_CHARACTERS]
            return
        cursor = self.cursor
        row = self.rows[cursor.y]
        if cursor.x > len(row.cells):  # what was drawn did not fit and left no cell
            self.cluster = ""
            return
        before = 1 if row.cells[cursor.x - 1] else 2
        row.clustered = True
        self.cluster = (self.cluster + char)[:MAX_CELL_CHARACTERS]
        wanted = joined_width(self.cluster, before)
        if wanted == before or self.columns == 1:
            self._combine(char)
            return
        cell = row.cells[cursor.x - 1]
        if cursor.x >= self.columns and modes.AUTOWRAP not in self.private:
            return
        cursor.x -= 1
        cluster = self.cluster
        if cursor.x + 2 > self.columns:
            row.erase(cursor.x, self.columns, self.style, self.columns)
            cursor.x = self.columns
        self._place([(cell + char)[:MAX_CELL_CHARACTERS], ""])
        self.rows[cursor.y].clustered = True
        self.cluster = cluster

    def _wrap(self) -> None:
        self.cursor.x = 0
        self.index()
        self.rows[self.cursor.y].continues = True

    def forget_drawn(self) -> None:
        """A control or a sequence: nothing is repeated across it, and no cluster goes on."""
        self.drew = self.skipped = False
        self.cluster = ""

    def repeat(self, count: int) -> None:
        """REP: the character drawn just before, `count` times more, bounded. Any control in between, and there is nothing to repeat;
        behind a wide character that found no place it is the one two columns before the cursor (xterm.js)."""
        x = min(self.cursor.x, self.columns) - (2 if self.skipped else 1)
        cells = self.rows[self.cursor.y].cells
        if not self.drew or not 0 <= x < len(cells):
            return
        if cells[x]:
            cell = cells[x : x + 2] if cells[x + 1 : x + 2] == [""] else cells[x : x + 1]
        elif self.skipped:
            return
        else:
            cell = cells[max(x - 1, 0) : x + 1]
        if not self.rows[self.cursor.y].clustered:
            self._place(cell * min(count, MAX_REPEATED))
            return
        for _ in range(min(count, MAX_REPEATED)):
            self._place(cell)
            self.rows[self.cursor.y].clustered = True

    # -- scrolling ----------------------------------------------------------------------------------------------------

    def index(self) -> None:
        """A line down. What leaves the normal screen's top is history, also when a region begins there: codex lets its
        finished lines scroll away above a region that ends over its prompt."""
        cursor, margins = self.cursor, self.margins
        if cursor.x >= self.columns:
            cursor.x = self.columns - 1
        if cursor.y == (self.lines - 1 if margins is None else margins.bottom):
            rows, top = self.rows, 0 if margins is None else margins.top
            row = rows.pop(top)
            if top == 0 and self.keeps_history:
                self.history.push(row)
            elif top == 0 and self.spare:
                self.above = [*self.above, row][-self.spare :]
            rows.insert(cursor.y, self._blank_row())
        elif cursor.y < self.lines - 1:
            cursor.y += 1

    def linefeed(self) -> None:
        cursor = self.cursor
        y = cursor.y
        self.index()
        if cursor.y != y:
            self.rows[cursor.y].continues = False
        if modes.NEWLINE in self.mode:
            self.cursor.x = 0

    def reverse_index(self) -> None:
        self.cursor.x = min(self.cursor.x, self.columns - 1)
        top, bottom = self.region
        if self.cursor.y == top:
            del self.rows[bottom]
            self.rows.insert(top, self._blank_row())
        elif self.cursor.y > 0:
            self.cursor.y -= 1

    def scroll_up(self, count: int) -> None:
        """SU: the region moves up; what leaves its top is lost."""
        top, bottom = self.region
        for _ in range(min(count, self.lines)):
            del self.rows[top]
            self.rows.insert(bottom, self._blank_row())

    def scroll_down(self, count: int) -> None:
        """SD: the region moves down; what leaves its bottom is lost, what comes in is in the default style (xterm.js)."""
        top, bottom = self.region
        for _ in range(min(count, self.lines)):
            del self.rows[bottom]
            self.rows.insert(top, Row())

    def _blank_row(self) -> Row:
        row = Row()
        if self.style is not DEFAULT:
            row.erase(0, self.columns, self.style.erased(), self.columns)
        return row

    def insert_lines(self, count: int | None = None) -> None:
        self._shift_lines(count, removed_from_cursor=False)

    def delete_lines(self, count: int | None = None) -> None:
        self._shift_lines(count, removed_from_cursor=True)

    def _shift_lines(self, count: int | None, removed_from_cursor: bool) -> None:
        self.ensure_hbounds()
        top, bottom = self.region
        y = self.cursor.y
        if not top <= y <= bottom:
            return
        for _ in range(min(count or 1, bottom - y + 1)):
            del self.rows[y if removed_from_cursor else bottom]
            self.rows.insert(bottom if removed_from_cursor else y, self._blank_row())
        self.cursor.x = 0

    # -- editing ------------------------------------------------------------------------------------------------------

    def insert_characters(self, count: int | None = None) -> None:
        self.ensure_hbounds()
        self.rows[self.cursor.y].insert(self.cursor.x, count or 1, self.style.erased(), self.columns)

    def delete_characters(self, count: int | None = None) -> None:
        self.ensure_hbounds()
        self.rows[self.cursor.y].delete(self.cursor.x, count or 1, self.style.erased(), self.columns)

    def erase_characters(self, count: int | None = None) -> None:
        self.ensure_hbounds()
        row = self.rows[self.cursor.y]
        end = min(self.cursor.x + (count or 1), row.width(self.columns))
        row.erase(self.cursor.x, end, self.style.erased(), self.columns)

    def erase_in_line(self, how: int = 0, private: bool = False) -> None:
        """EL, or if `private` DECSEL, which leaves what is protected."""
        if how not in (0, 1, 2):
            return
        x, columns = self.cursor.x, self.columns
        row = self.rows[self.cursor.y]
        if how == 2 or (how == 0 and x == 0):
            row.continues = False
        start, end = (x, columns) if how == 0 else (0, columns if how == 2 else min(x + 1, row.width(columns)))
        (row.erase_unprotected if private else row.erase)(start, end, self.style.erased(), columns)

    def erase_in_display(self, how: int = 0, *args: object, private: bool = False, **kwargs: object) -> None:
        """ED, or if `private` DECSED, which leaves what is protected. 3 clears the history of the screen in use, which xterm calls saved
        lines; the alternate screen has none."""
        y = self.cursor.y
        if how == 3:
            if self.keeps_history:
                self.history.clear()
        elif how == 2:
            self._erase_rows(0, self.lines, private)
        elif how == 1:
            self._erase_rows(0, y, private)
            self.erase_in_line(1, private)
            self.rows[y].continues = False
            if self.cursor.x + 1 >= self.columns and y + 1 < self.lines:
                self.rows[y + 1].continues = False
        elif how == 0:
            self.erase_in_line(0, private)
            self._erase_rows(y + 1, self.lines, private)

    def _erase_rows(self, start: int, end: int, private: bool) -> None:
        for y in range(start, end):
            if private:
                self.rows[y].erase_unprotected(0, self.columns, self.style.erased(), self.columns)
                self.rows[y].continues = False
            else:
                self.rows[y] = self._emptied(self.rows[y])

    def _emptied(self, row: Row) -> Row:
        blank, width = self._blank_row(), row.width(self.columns)
        if width > self.columns:
            blank.erase(self.columns, width, self.style.erased(), width)
            blank.cover(self.columns, width)
        return blank

    def shift_columns(self, count: int, left: bool) -> None:
        """SL and SR: every row of the region moves sideways, if the cursor is in it."""
        top, bottom = self.region
        if top <= self.cursor.y <= bottom:
            self._shift_rows(0, count, left)

    def change_columns(self, count: int, delete: bool) -> None:
        """DECIC and DECDC: columns come or go at the cursor, in the rows of the region."""
        top, bottom = self.region
        if top <= self.cursor.y <= bottom:
            self.ensure_hbounds()
            self._shift_rows(self.cursor.x, count, delete)

    def _shift_rows(self, x: int, count: int, left: bool) -> None:
        top, bottom = self.region
        for row in self.rows[top : bottom + 1]:
            move = row.delete if left else row.insert
            move(x, count, self.style.erased(), self.columns)
            row.continues = False

    def alignment_display(self) -> None:
        """DECALN: the screen full of E, margins gone, cursor home."""
        self.margins = None
        self.cursor.x = self.cursor.y = 0
        for y, row in enumerate(self.rows):
            width = row.width(self.columns)
            self.rows[y] = Row()
            self.rows[y].write(0, "E" * width, self.style.linked(""))
            self.rows[y].cover(self.columns, width)

    # -- cursor -------------------------------------------------------------------------------------------------------

    def cursor_up(self, count: int | None = None) -> None:
        """CUU stops at the top margin only if it starts below it (xterm); pyte pulls the cursor into the region."""
        self.ensure_hbounds()
        top = self.region[0] if self.cursor.y >= self.region[0] else 0
        self.cursor.y = max(self.cursor.y - (count or 1), top)

    def cursor_down(self, count: int | None = None) -> None:
        self.ensure_hbounds()
        bottom = self.region[1] if self.cursor.y <= self.region[1] else self.lines - 1
        self.cursor.y = min(self.cursor.y + (count or 1), bottom)

    def line_forward(self, count: int) -> None:
        """VPR: down by `count` rows; margins stop it in origin mode only (xterm.js, as xterm)."""
        self.ensure_hbounds()
        bottom = self.region[1] if mo.DECOM in self.mode else self.lines - 1
        self.cursor.y = min(self.cursor.y + count, bottom)

    def cursor_position(self, line: int | None = None, column: int | None = None) -> None:
        self.go_to(max((column or 1) - 1, 0), max((line or 1) - 1, 0))

    def go_to(self, x: int, y: int) -> None:
        """CUP, with its numbers counted from 0."""
        if mo.DECOM in self.mode:
            top, bottom = self.region
            y = min(y + top, bottom)
        cursor = self.cursor
        cursor.y = y if y < self.lines else self.lines - 1
        cursor.x = x if x < self.columns else self.columns - 1

    def cursor_to_line(self, line: int | None = None) -> None:
        self.cursor_position(line, self.cursor.x + 1)

    def backspace(self) -> None:
        """BS; with reverse wraparound (mode 45) from column 0 to the end of the row that goes on there."""
        cursor = self.cursor
        back = modes.REVERSE_WRAP in self.private
        if not back:
            self.ensure_hbounds()
        if cursor.x:
            cursor.x -= 1
        elif back and self.region[0] < cursor.y <= self.region[1] and self.rows[cursor.y].continues:
            self.rows[cursor.y].continues = False
            cursor.y -= 1
            cells = self.rows[cursor.y].cells
            cursor.x = self.columns - 1 - (cells[self.columns - 1 :] in ([""], [NULL], []))
        self.ensure_hbounds()

    def tab(self) -> None:
        if self.cursor.x < self.columns:
            self.cursor.x = min((s for s in self.tabstops if s > self.cursor.x), default=self.columns - 1)
            self.ensure_hbounds()

    def forward_tab(self, count: int) -> None:
        """CHT: on by `count` tab stops."""
        for _ in range(min(count, self.columns)):
            self.tab()

    def back_tab(self, count: int) -> None:
        """CBT: back by `count` tab stops."""
        for _ in range(min(count, self.columns) if self.cursor.x < self.columns else 0):
            self.cursor.x = max((s for s in self.tabstops if s < self.cursor.x), default=0)

    def set_margins(self, top: int | None = None, bottom: int | None = None) -> None:
        """DECSTBM; an impossible region is ignored."""
        first = max(1, top or 1) - 1
        last = min(bottom or self.lines, self.lines) - 1
        if first >= last:
            return
        self.margins = None if (first, last) == (0, self.lines - 1) else Margins(first, last)
        self.cursor_position()

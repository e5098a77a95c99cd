"""The cells, and what writes, erases and moves them: pyte's screen with our own rows.

From pyte come the cursor, margins, tab stops, character sets and what moves by them; where xterm does otherwise, the
method stands here. The cells live in `rows`, not in pyte's `buffer`. The cursor's `x` equals `columns` while a wrap is
pending. Private modes are in `private`, ANSI modes in pyte's `mode`, which also has the origin mode pyte looks for.
"""

import pyte.charsets as cs
import pyte.modes as mo
from pyte.screens import Margins
from pyte.screens import Screen as PyteScreen

from roostd.host.mirror import modes
from roostd.host.mirror.history import History
from roostd.host.mirror.row import MAX_CELL_CHARACTERS, Row
from roostd.host.mirror.style import DEFAULT
from roostd.host.mirror.width import NARROW, width


class Grid(PyteScreen):
    """The rows of the screen in use. `keeps_history` is whether what leaves its top is kept."""

    def __init__(self, columns: int, lines: int, history: History) -> None:
        self.history = history
        super().__init__(columns, lines)

    def reset(self) -> None:
        """The state after RIS. The history stays: it is the person's scrollback."""
        super().reset()
        self.g1_charset = cs.LAT1_MAP
        self.rows = [Row() for _ in range(self.lines)]
        self.keeps_history = True
        self.private: set[int] = set(modes.DEFAULT)
        self.style = DEFAULT
        self.last_drawn = ""

    @property
    def region(self) -> tuple[int, int]:
        """First and last row that scroll, counted from 0."""
        return self.margins or (0, self.lines - 1)

    @property
    def display(self) -> list[str]:
        """The rows as plain text, without trailing blanks."""
        return [row.text() for row in self.rows]

    # -- drawing ------------------------------------------------------------------------------------------------------

    def draw(self, data: str) -> None:
        """Write characters (no controls among them) at the cursor."""
        table = self.g1_charset if self.charset else self.g0_charset
        if table is not cs.LAT1_MAP:
            data = data.translate(table)
        at, end = 0, len(data)
        while at < end:
            run = NARROW.match(data, at)
            if run:
                self._draw_narrow(run.group())
                at = run.end()
            else:
                self._draw_one(data[at])
                at += 1

    def _draw_narrow(self, text: str) -> None:
        self.last_drawn = text[-1]
        while text:
            self._wrap_if_pending()
            x = self.cursor.x
            room = self.columns - x
            piece, rest = text[:room], text[room:]
            if rest and modes.AUTOWRAP not in self.private:
                piece, rest = piece[:-1] + rest[-1], ""
            self._put(x, piece, len(piece))
            text = rest

    def _draw_one(self, char: str) -> None:
        columns = width(char)
        if columns == 0:
            self._combine(char)
            return
        if columns > self.columns:
            return
        self.last_drawn = char
        self._wrap_if_pending()
        if self.cursor.x + columns > self.columns:
            if modes.AUTOWRAP not in self.private:
                return
            self.rows[self.cursor.y].erase(self.cursor.x, self.columns, self.style.erased(), self.columns)
            self._wrap()
        self._put(self.cursor.x, [char] if columns == 1 else [char, ""], columns)

    def _put(self, x: int, cells: str | list[str], columns: int) -> None:
        row = self.rows[self.cursor.y]
        if modes.INSERT in self.mode:
            row.insert(x, columns, self.style, self.columns)
        row.write(x, cells, self.style)
        self.cursor.x = x + columns

    def _combine(self, mark: str) -> None:
        """A zero-width character joins the cell before the cursor; in column 0 there is none and it is dropped."""
        if self.last_drawn and len(self.last_drawn) < MAX_CELL_CHARACTERS:
            self.last_drawn += mark
        if self.cursor.x:
            self.rows[self.cursor.y].combine(min(self.cursor.x, self.columns) - 1, mark)

    def _wrap_if_pending(self) -> None:
        if self.cursor.x >= self.columns:
            if modes.AUTOWRAP in self.private:
                self._wrap()
            else:
                self.cursor.x = self.columns - 1

    def _wrap(self) -> None:
        self.rows[self.cursor.y].wrapped = True
        self.cursor.x = 0
        self.index()

    def repeat(self, count: int) -> None:
        """REP: the character drawn just before, `count` times more (a screenful at most). Any control in between, and
        there is nothing to repeat (xterm.js)."""
        if self.last_drawn:
            self.draw(self.last_drawn * min(count, self.columns * self.lines))

    # -- scrolling ----------------------------------------------------------------------------------------------------

    def index(self) -> None:
        """A line down. What leaves the normal screen's top is history, also when a region begins there: codex lets its
        finished lines scroll away above a region that ends over its prompt."""
        self.cursor.x = min(self.cursor.x, self.columns - 1)
        top, bottom = self.region
        if self.cursor.y == bottom:
            row = self.rows.pop(top)
            if top == 0 and self.keeps_history:
                self.history.push(row)
            self.rows.insert(bottom, self._blank_row())
        elif self.cursor.y < self.lines - 1:
            self.cursor.y += 1

    def reverse_index(self) -> None:
        self.cursor.x = min(self.cursor.x, self.columns - 1)
        if self.cursor.y == self.region[0]:
            self.scroll_down(1)
        elif self.cursor.y > 0:
            self.cursor.y -= 1

    def linefeed(self) -> None:
        self.index()
        if modes.NEWLINE in self.mode:
            self.carriage_return()

    def scroll_up(self, count: int) -> None:
        """SU: the region moves up; what leaves its top is lost."""
        top, bottom = self.region
        for _ in range(min(count, self.lines)):
            del self.rows[top]
            self.rows.insert(bottom, self._blank_row())

    def scroll_down(self, count: int) -> None:
        """SD: the region moves down; what leaves its bottom is lost."""
        top, bottom = self.region
        for _ in range(min(count, self.lines)):
            del self.rows[bottom]
            self.rows.insert(top, self._blank_row())

    def _blank_row(self) -> Row:
        row = Row()
        style = self.style.erased()
        if style != DEFAULT:
            row.erase(0, self.columns, style, self.columns)
        return row

    def insert_lines(self, count: int | None = None) -> None:
        self._shift_lines(count, removed_from_cursor=False)

    def delete_lines(self, count: int | None = None) -> None:
        self._shift_lines(count, removed_from_cursor=True)

    def _shift_lines(self, count: int | None, removed_from_cursor: bool) -> None:
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
        end = min(self.cursor.x + (count or 1), self.columns)
        self.rows[self.cursor.y].erase(self.cursor.x, end, self.style.erased(), self.columns)

    def erase_in_line(self, how: int = 0, private: bool = False) -> None:
        """EL. Selective erase (`private`) erases too: no character is protected here."""
        start = 0 if how in (1, 2) else min(self.cursor.x, self.columns)
        end = min(self.cursor.x + 1, self.columns) if how == 1 else self.columns
        if how in (0, 1, 2):
            self.rows[self.cursor.y].erase(start, end, self.style.erased(), self.columns)

    def erase_in_display(self, how: int = 0, *args: object, **kwargs: object) -> None:
        """ED. 3 clears the history, which xterm calls saved lines."""
        if how == 3:
            self.history.clear()
        elif how == 2:
            self._erase_rows(0, self.lines)
        elif how == 1:
            self._erase_rows(0, self.cursor.y)
            self.erase_in_line(1)
        elif how == 0:
            self.erase_in_line(0)
            self._erase_rows(self.cursor.y + 1, self.lines)

    def _erase_rows(self, start: int, end: int) -> None:
        for y in range(start, end):
            self.rows[y] = self._blank_row()

    def shift_columns(self, count: int, left: bool) -> None:
        """SL and SR: every row of the region moves sideways."""
        top, bottom = self.region
        for row in self.rows[top : bottom + 1]:
            move = row.delete if left else row.insert
            move(0, count, self.style.erased(), self.columns)

    def alignment_display(self) -> None:
        """DECALN: the screen full of E, margins gone, cursor home."""
        self.margins = None
        self.cursor.x = self.cursor.y = 0
        for y in range(self.lines):
            self.rows[y] = Row()
            self.rows[y].write(0, "E" * self.columns, DEFAULT)

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

    def cursor_position(self, line: int | None = None, column: int | None = None) -> None:
        y = (line or 1) - 1
        if mo.DECOM in self.mode:
            top, bottom = self.region
            y = min(y + top, bottom)
        self.cursor.y = min(max(y, 0), self.lines - 1)
        self.cursor.x = min(max((column or 1) - 1, 0), self.columns - 1)

    def cursor_to_line(self, line: int | None = None) -> None:
        self.cursor_position(line, self.cursor.x + 1)

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
        for _ in range(min(count, self.columns)):
            self.cursor.x = max((s for s in self.tabstops if s < self.cursor.x), default=0)

    def set_margins(self, top: int | None = None, bottom: int | None = None) -> None:
        """DECSTBM; an impossible region is ignored."""
        first = max(1, top or 1) - 1
        last = min(bottom or self.lines, self.lines) - 1
        if first >= last:
            return
        self.margins = None if (first, last) == (0, self.lines - 1) else Margins(first, last)
        self.cursor_position()

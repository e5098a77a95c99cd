"""The whole screen: a grid, the normal screen behind the alternate one, saved cursors, modes, and its size."""

from dataclasses import dataclass, replace

import pyte.modes as mo
from pyte.screens import Margins

from roostd.host.mirror import charsets, modes
from roostd.host.mirror.charsets import Charsets
from roostd.host.mirror.grid import Grid
from roostd.host.mirror.history import unpacked
from roostd.host.mirror.keyboard import KittyStack
from roostd.host.mirror.reflow import Buffer, Line
from roostd.host.mirror.row import Row
from roostd.host.mirror.style import DEFAULT, Style

Place = tuple[int, int]  # column and row, from 0


@dataclass(frozen=True, slots=True)
class SavedCursor:
    """What DECSC keeps, per screen."""

    x: int
    y: int
    style: Style
    charsets: Charsets
    origin: bool


class Screen(Grid):
    """Knows nothing of sequences: `terminal.Terminal` calls it with plain arguments."""

    def reset(self) -> None:
        """The state after RIS."""
        super().reset()
        self.normal_rows: list[Row] | None = None
        self.normal_cursor = (0, 0)
        self.other_margins: Margins | None = None
        self.alternate_by = 0
        self.alternate_lines = self.lines
        self.saved: dict[bool, SavedCursor] = {}
        self.keyboards = {False: KittyStack(), True: KittyStack()}

    def soft_reset(self) -> None:
        """DECSTR: modes, margins, style, charsets and the saved cursor; cells and cursor stay."""
        self.margins = None
        self.style = DEFAULT
        self.mode -= {modes.INSERT, mo.DECOM}
        self.mode.add(mo.DECAWM)
        self.private -= {modes.ORIGIN, modes.CURSOR_KEYS, modes.KEYPAD, modes.REVERSE_WRAP}
        self.private |= modes.DEFAULT
        self.inserts = False
        self.use_charsets(charsets.DEFAULT)
        self.saved.pop(self.alternate, None)

    @property
    def alternate(self) -> bool:
        return self.normal_rows is not None

    @property
    def keyboard(self) -> KittyStack:
        return self.keyboards[self.alternate]

    # -- the saved cursor ---------------------------------------------------------------------------------------------

    def save_cursor(self) -> None:
        self.saved[self.alternate] = SavedCursor(
            min(self.cursor.x, self.columns - 1),
            self.cursor.y,
            self.style,
            self.charsets,
            mo.DECOM in self.mode,
        )

    def restore_cursor(self) -> None:
        """DECRC; without a saved one the cursor goes home in the default style and charsets, origin mode off."""
        saved = self.saved.get(self.alternate)
        if saved is None:
            self.style = DEFAULT
            self.use_charsets(charsets.DEFAULT)
            self._set_origin(False)
            self.cursor.x = self.cursor.y = 0
            return
        self.style = saved.style
        self.use_charsets(saved.charsets)
        self._set_origin(saved.origin)
        self.cursor.x = min(saved.x, self.columns - 1)
        top, bottom = self.region if saved.origin else (0, self.lines - 1)
        self.cursor.y = min(max(saved.y, top), bottom)

    # -- modes --------------------------------------------------------------------------------------------------------

    def set_private(self, mode: int, on: bool) -> None:
        """One DEC private mode; unknown ones are ignored."""
        if mode in modes.PLAIN:
            self._set(mode, on)
        elif mode in modes.ALTERNATE_SCREENS:
            self._switch(mode, on)
        elif mode == modes.SAVE_CURSOR:
            (self.save_cursor if on else self.restore_cursor)()
        elif mode == modes.ANSI_CHARSETS:
            if on:
                self.use_charsets(charsets.DEFAULT)
        elif mode == modes.ORIGIN:
            self._set_origin(on)
            self.cursor_position()
        elif mode in modes.MOUSE_TRACKING:
            self._set_one_of(modes.MOUSE_TRACKING, mode, on)
        elif mode in modes.MOUSE_ENCODING:
            self._set_one_of(modes.MOUSE_ENCODING, mode, on)
        elif mode == modes.GRAPHEMES:
            self._set(mode, on)
            self.graphemes = on

    def set_ansi(self, mode: int, on: bool) -> None:
        """One ANSI mode; unknown ones are ignored."""
        if mode in modes.ANSI:
            (self.mode.add if on else self.mode.discard)(mode)
            self.inserts = modes.INSERT in self.mode

    def _set(self, mode: int, on: bool) -> None:
        (self.private.add if on else self.private.discard)(mode)

    def _set_one_of(self, group: tuple[int, ...], mode: int, on: bool) -> None:
        self.private.difference_update(group)
        self._set(mode, on)

    def _set_origin(self, on: bool) -> None:
        self._set(modes.ORIGIN, on)
        (self.mode.add if on else self.mode.discard)(mo.DECOM)

    def _switch(self, mode: int, alternate: bool) -> None:
        if alternate and mode == 1049 and not self.alternate:
            self.save_cursor()
        if alternate and self.normal_rows is None:
            self.normal_rows, self.keeps_history = self.rows, False
            self.normal_cursor = (self.cursor.x, self.cursor.y)
            self.margins, self.other_margins = None, self.margins
            self.rows = [self._blank_row() for _ in range(self.lines)]
            self.alternate_by = mode
            self.spare = self.alternate_lines - self.lines
        elif not alternate and self.normal_rows is not None:
            self.rows, self.normal_rows, self.keeps_history = self.normal_rows, None, True
            self.margins, self.other_margins = self.other_margins, None
            self.alternate_by = 0
            self._forget_above(self.lines)
        if not alternate and mode == 1049:
            self.restore_cursor()

    def _forget_above(self, lines: int) -> None:
        self.above, self.spare, self.alternate_lines = [], 0, lines

    # -- size ---------------------------------------------------------------------------------------------------------

    def resize(self, lines: int | None = None, columns: int | None = None) -> None:
        """Take a new size. The normal screen's long lines are wrapped anew together with the history, and rows go to and
        come from it, as in xterm.js; the alternate screen's are not wrapped: what is cut off of them is out of
        sight until the terminal is wider again, and its program draws it again anyway."""
        lines, columns = lines or self.lines, columns or self.columns
        if (lines, columns) == (self.lines, self.columns):
            return
        if self.normal_rows is None:
            # xterm.js: while it is not in use the alternate screen never gets fewer rows, and keeps what scrolls off instead.
            self.alternate_lines = max(self.alternate_lines, lines)
            self.rows, place = self._fit_normal(self.rows, (self.cursor.x, self.cursor.y), lines, columns)
        else:
            self.normal_rows, self.normal_cursor = self._fit_normal(self.normal_rows, self.normal_cursor, lines, columns)
            self.rows, place = self._fit_alternate(lines, columns)
        self.tabstops |= set(range((self.columns + 7) // 8 * 8, columns, 8))
        self.lines, self.columns, self.margins, self.other_margins = lines, columns, None, None
        self.cursor.x, self.cursor.y = place
        self.cluster = ""

    def _fit_normal(self, rows: list[Row], cursor: Place, lines: int, columns: int) -> tuple[list[Row], Place]:
        history = self.history
        base, saved = len(history), self.saved.get(False)
        buffer = Buffer(
            lines=[*history.lines(), *rows],
            base=base,
            x=cursor[0],
            y=cursor[1],
            saved=base + (saved.y if saved else 0),
            columns=self.columns,
            rows=self.lines,
            keeps_history=True,
        )
        buffer.resize(columns, lines, unpacked)
        shown = [row if isinstance(row, Row) else unpacked(row) for row in buffer.lines[buffer.base : buffer.base + lines]]
        history.replace(buffer.lines[: buffer.base])
        if saved is not None:
            y = min(max(buffer.saved - buffer.base, 0), lines - 1)
            self.saved[False] = replace(saved, x=min(saved.x, columns - 1), y=y)
        for row in shown:
            row.cut(columns)
        return shown, (buffer.x, buffer.y)

    def _fit_alternate(self, lines: int, columns: int) -> tuple[list[Row], Place]:
        rows: list[Line] = [*self.above, *self.rows]
        for row in (*self.above, *self.rows):
            row.fit(self.columns, columns)
        buffer = Buffer(rows, len(self.above), self.cursor.x, self.cursor.y, 0, self.columns, self.lines, keeps_history=False)
        self._forget_above(lines)
        buffer.resize(columns, lines, unpacked)
        return [row for row in buffer.lines[buffer.base : buffer.base + lines] if isinstance(row, Row)], (buffer.x, buffer.y)

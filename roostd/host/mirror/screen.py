"""The whole screen: a grid, the normal screen behind the alternate one, saved cursors, modes, and its size."""

from dataclasses import dataclass, replace

import pyte.charsets as cs
import pyte.modes as mo

from roostd.host.mirror import modes
from roostd.host.mirror.grid import Grid
from roostd.host.mirror.keyboard import KittyStack
from roostd.host.mirror.reflow import Place, rewrapped
from roostd.host.mirror.row import Row
from roostd.host.mirror.style import DEFAULT, Style


@dataclass(frozen=True, slots=True)
class SavedCursor:
    """What DECSC keeps, per screen."""

    x: int
    y: int
    style: Style
    g0: str
    g1: str
    charset: int
    origin: bool


class Screen(Grid):
    """Knows nothing of sequences: `terminal.Terminal` calls it with plain arguments."""

    def reset(self) -> None:
        """The state after RIS."""
        super().reset()
        self.normal_rows: list[Row] | None = None
        self.normal_cursor = (0, 0)
        self.alternate_by = 0
        self.saved: dict[bool, SavedCursor] = {}
        self.keyboards = {False: KittyStack(), True: KittyStack()}

    def soft_reset(self) -> None:
        """DECSTR: modes, margins, style, charsets and the saved cursor; cells and cursor stay."""
        self.margins = None
        self.style = DEFAULT
        self.mode -= {modes.INSERT, mo.DECOM}
        self.mode.add(mo.DECAWM)
        self.private -= {modes.ORIGIN, modes.CURSOR_KEYS, modes.KEYPAD}
        self.private |= modes.DEFAULT
        self.charset, self.g0_charset, self.g1_charset = 0, cs.LAT1_MAP, cs.LAT1_MAP
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
            self.g0_charset,
            self.g1_charset,
            self.charset,
            mo.DECOM in self.mode,
        )

    def restore_cursor(self) -> None:
        """DECRC; without a saved one the cursor goes home in the default style, origin mode off."""
        saved = self.saved.get(self.alternate)
        if saved is None:
            self.style = DEFAULT
            self._set_origin(False)
            self.cursor.x = self.cursor.y = 0
            return
        self.style = saved.style
        self.g0_charset, self.g1_charset, self.charset = saved.g0, saved.g1, saved.charset
        self._set_origin(saved.origin)
        self.cursor.x = min(saved.x, self.columns - 1)
        top, bottom = self.region if saved.origin else (0, self.lines - 1)
        self.cursor.y = min(max(saved.y, top), bottom)

    # -- modes --------------------------------------------------------------------------------------------------------

    def set_private(self, mode: int, on: bool) -> None:
        """One DEC private mode; unknown ones are ignored."""
        if mode in modes.ALTERNATE_SCREENS:
            self._switch(mode, on)
        elif mode == modes.SAVE_CURSOR:
            (self.save_cursor if on else self.restore_cursor)()
        elif mode == modes.ORIGIN:
            self._set_origin(on)
            self.cursor_position()
        elif mode in modes.MOUSE_TRACKING:
            self._set_one_of(modes.MOUSE_TRACKING, mode, on)
        elif mode in modes.MOUSE_ENCODING:
            self._set_one_of(modes.MOUSE_ENCODING, mode, on)
        elif mode in modes.PRIVATE:
            self._set(mode, on)
            self.cursor.hidden = modes.VISIBLE not in self.private

    def set_ansi(self, mode: int, on: bool) -> None:
        """One ANSI mode; unknown ones are ignored."""
        if mode in modes.ANSI:
            (self.mode.add if on else self.mode.discard)(mode)

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
            self.rows = [self._blank_row() for _ in range(self.lines)]
            self.alternate_by = mode
        elif not alternate and self.normal_rows is not None:
            self.rows, self.normal_rows, self.keeps_history = self.normal_rows, None, True
            self.saved.pop(True, None)
            self.alternate_by = 0
        if not alternate and mode == 1049:
            self.restore_cursor()

    # -- size ---------------------------------------------------------------------------------------------------------

    def resize(self, lines: int | None = None, columns: int | None = None) -> None:
        """Take a new size. The normal screen's long rows are wrapped anew, and rows go to and come from the history, as
        in xterm; the alternate screen is cut or filled up, its program draws it again."""
        lines, columns = lines or self.lines, columns or self.columns
        if (lines, columns) == (self.lines, self.columns):
            return
        if self.normal_rows is None:
            place = self._fit_normal(self.rows, (self.cursor.x, self.cursor.y), lines, columns)
            self.cursor.x, self.cursor.y = place
        else:
            self.normal_cursor = self._fit_normal(self.normal_rows, self.normal_cursor, lines, columns)
            self.rows = (self.rows + [Row() for _ in range(lines)])[:lines]
            for row in self.rows:
                row.cut(columns)
        self.tabstops |= set(range((self.columns + 7) // 8 * 8, columns, 8))
        self.lines, self.columns, self.margins = lines, columns, None
        self.cursor.x = min(self.cursor.x, columns - 1)
        self.cursor.y = min(max(self.cursor.y, 0), lines - 1)

    def _fit_normal(self, rows: list[Row], cursor: Place, lines: int, columns: int) -> Place:
        """Bring the normal screen, in place, to a new size; where its cursor then is."""
        before = len(rows)
        if columns != self.columns:
            rows[:], cursor = rewrapped(rows, cursor, self.columns, columns)
        x, y = cursor
        while len(rows) > lines and len(rows) - 1 > y and not rows[-1].text():
            rows.pop()
        surplus = len(rows) - lines
        for row in rows[: max(0, surplus)]:
            self.history.push(row)
        del rows[: max(0, surplus)]
        moved = -max(0, surplus)
        if surplus < 0 and lines > before:
            moved = self._take_back(rows, min(-surplus, len(self.history)), columns)
        rows.extend(Row() for _ in range(lines - len(rows)))
        self._move_saved(moved)
        return min(x, columns - 1), max(0, y + moved)

    def _take_back(self, rows: list[Row], count: int, columns: int) -> int:
        for _ in range(count):
            row = self.history.pop()
            row.cut(columns)
            rows.insert(0, row)
        return count

    def _move_saved(self, moved: int) -> None:
        saved = self.saved.get(False)
        if saved is not None and moved:
            self.saved[False] = replace(saved, y=max(0, saved.y + moved))

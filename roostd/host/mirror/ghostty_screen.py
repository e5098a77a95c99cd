"""The screen whose cells are in libghostty-vt, and what is done to it.

Everything a program can switch, save or ask for is kept by `screen.Screen` and answered by `terminal.Terminal`, the same
code as in the other engine; only cells, the cursor's place and the style to draw in are the library's. `GhosttyScreen.rows`
is a copy made when it is asked for, `cursor` is right after `locate`. What the library hears is our own canonical choice of sequences,
never what a program may have hidden in them: no query, no string but OSC 8, no mode that `Screen` does not know.
"""

import re
from dataclasses import replace
from functools import lru_cache

from pyte.screens import Margins

from roostd.host.mirror import modes
from roostd.host.mirror.ghostty_drawing import GhosttyDrawing

_DECSTBM = re.compile(rb"\x1b\[(?:([1-9][0-9]{0,3});([1-9][0-9]{0,3}))?r")


class GhosttyScreen(GhosttyDrawing):
    """What `Screen` keeps, and the library has to know."""

    def reset(self) -> None:
        super().reset()
        self.say("\x1b[?47l\x1b[?6;45;2027l\x1b[?7h\x1b[4;20l\x1b[r\x1b[?5W\x1b[H\x1b[2J\x1b[3J")

    def soft_reset(self) -> None:
        self.locate()
        super().soft_reset()
        self.say("\x1b[?6;45l\x1b[?7h\x1b[4l")
        self._go()

    def save_cursor(self) -> None:
        self.locate()
        super().save_cursor()

    def restore_cursor(self) -> None:
        super().restore_cursor()
        self._go()

    def set_margins(self, top: int | None = None, bottom: int | None = None) -> None:
        first = max(1, top or 1) - 1
        last = min(bottom or self.lines, self.lines) - 1
        if first < last:
            self._margins = None if (first, last) == (0, self.lines - 1) else Margins(first, last)
            self.say(f"\x1b[{first + 1};{last + 1}r")

    def hears_margins(self, sequences: list[bytes]) -> bool:
        """Take margins that the library is told by the program itself; False if any of `sequences` must be told in other words."""
        told = [_margins(sequence, self.lines) for sequence in sequences]
        if not all(told):
            return False
        self._margins = told[-1][0]
        return True

    def cursor_position(self, line: int | None = None, column: int | None = None) -> None:
        super().cursor_position(line, column)
        self._go()

    def to_column(self, column: int) -> None:
        """CHA and HPA in origin mode, where the library adds the top margin to the row."""
        self.locate()
        self.cursor.x = min(column, self.columns) - 1
        self._go()

    def set_private(self, mode: int, on: bool) -> None:
        if mode == modes.AUTOWRAP and mode in self.private:
            self.wide_before = False
        super().set_private(mode, on)
        if mode in (modes.AUTOWRAP, modes.REVERSE_WRAP, modes.GRAPHEMES):
            self.say(f"\x1b[?{mode}{'h' if on else 'l'}")

    def set_ansi(self, mode: int, on: bool) -> None:
        super().set_ansi(mode, on)
        if mode in modes.ANSI:
            self.say(f"\x1b[{mode}{'h' if on else 'l'}")

    def _set_origin(self, on: bool) -> None:
        super()._set_origin(on)
        self.say("\x1b[?6h" if on else "\x1b[?6l")

    def _switch(self, mode: int, alternate: bool) -> None:
        if alternate and mode == 1049 and not self.alternate:
            self.save_cursor()
        if alternate and self.normal_rows is None:
            self.locate()
            self.normal_cursor = (self.cursor.x, self.cursor.y)
            self._behind = self.vt.scrollback
            self.normal_rows, self.alternate_by = [], mode
            self.margins, self.other_margins = None, self.margins
            self._turn("\x1b[?47h\x1b[2J")
        elif not alternate and self.normal_rows is not None:
            self.normal_rows, self.alternate_by = None, 0
            self._turn("\x1b[?47l")
            self.margins, self.other_margins = self.other_margins, None
        if not alternate and mode == 1049:
            self.restore_cursor()

    def _turn(self, switch: str) -> None:
        self.say(switch)
        self.set_link(self._link)

    def set_tab_stop(self) -> None:
        self.locate()
        super().set_tab_stop()
        self.say("\x1bH")

    def clear_tab_stop(self, how: int = 0) -> None:
        self.locate()
        super().clear_tab_stop(how)
        self.say(f"\x1b[{how}g" if how in (0, 3) else "")

    def _send_tab_stops(self) -> None:
        stops = "".join(f"\x1b[1;{x + 1}H\x1bH" for x in sorted(self.tabstops) if x < self.columns)
        self.say(f"\x1b7\x1b[?6l\x1b[3g{stops}\x1b8")

    def resize(self, lines: int | None = None, columns: int | None = None) -> None:
        """Take a new size: the library wraps the normal screen's lines anew and moves rows to and from the scrollback."""
        lines, columns = lines or self.lines, columns or self.columns
        if (lines, columns) == (self.lines, self.columns):
            return
        before = self.scrollback
        self._prepare(columns)
        self.vt.resize(columns, lines)
        if modes.AUTOWRAP not in self.private:
            self.say("\x1b[?7l")
        self.tabstops |= set(range((self.columns + 7) // 8 * 8, columns, 8))
        self.lines, self.columns, self._rows = lines, columns, None
        self.margins = self.other_margins = None
        self._send_tab_stops()
        with self.normal() as vt:
            self._behind = vt.scrollback
        saved = self.saved.get(False)
        if saved is not None:
            y = min(max(saved.y + before - self._behind, 0), lines - 1)
            self.saved[False] = replace(saved, x=min(saved.x, columns - 1), y=y)

    def _prepare(self, columns: int) -> None:
        """Before another width: the library wraps lines anew only with autowrap, and leaves halves of wide characters on the
        alternate screen, which it then cannot copy."""
        self.say("\x1b[?7h")
        if self.alternate:
            halved = [y for y, row in enumerate(self.rows) if row.cells[columns : columns + 1] == [""]]
            erased = "".join(f"\x1b[{y + 1};{columns}H\x1b[X" for y in halved)
            self.say(f"\x1b7\x1b[?6l\x1b[m{erased}\x1b8" if halved else "")
        self.flush()


@lru_cache(maxsize=64)
def _margins(sequence: bytes, lines: int) -> tuple[Margins | None, ...]:
    """What DECSTBM makes of a screen with so many rows; () if `sequence` is another one or is not read alike by everybody."""
    told = _DECSTBM.fullmatch(sequence)
    top, bottom = (int(told[1] or 1), int(told[2] or lines)) if told else (0, 0)
    if not 0 < top < bottom <= lines:
        return ()
    return (None if (top, bottom) == (1, lines) else Margins(top - 1, bottom - 1),)

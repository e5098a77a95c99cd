"""What a flood pushed into the history, as the bytes it came in: drawn when somebody wants to see it, which is mostly never."""

from copy import copy

from roostd.host.mirror import flood
from roostd.host.mirror.history import History
from roostd.host.mirror.row import Row
from roostd.host.mirror.screen import Screen
from roostd.host.mirror.stream import Stream
from roostd.host.mirror.terminal import Terminal


class Undrawn:
    """Implements `history.Later`: `data`, to be drawn on the screen as it was before.

    `screen` is a normal screen without margins whose flood reaches its last row. What stands above its cursor cannot change any
    more and is pushed into its history here; the rest moves into this, and `screen` is left blank.
    """

    def __init__(self, screen: Screen) -> None:
        y = screen.cursor.y
        for row in screen.rows[:y]:
            screen.history.push(row)
        before = copy(screen)
        before.cursor = copy(screen.cursor)
        before.private, before.mode, before.tabstops = set(screen.private), set(screen.mode), set(screen.tabstops)
        before.rows = [*[Row()] * y, *screen.rows[y:]]
        screen.rows = [Row() for _ in range(screen.lines)]
        self._before, self._pushed = before, y
        self._data = bytearray()
        self.least = 0

    def __len__(self) -> int:
        return len(self._data)

    def add(self, data: bytes) -> None:
        """More of the flood."""
        before = self._before
        self._data += data
        start = flood.before_last(self._data, flood.needed(before.lines), before.lines)
        if start:
            before.style = flood.style_after(before.style, self._data[:start])
            before.cursor.x, before.cursor.y = 0, before.lines - 1
            del self._data[:start]
        self.least = max(self._data.count(b"\n") - before.lines, 0)

    def drawn(self) -> History:
        """The rows, which it has no more after that."""
        before, rows = self._before, _Scrolled(self._pushed)
        before.history = rows
        Stream(Terminal(before)).feed(bytes(self._data))
        return rows


class _Scrolled(History):
    """All but the first `skipped` rows that scroll away."""

    def __init__(self, skipped: int) -> None:
        super().__init__()
        self._skipped = skipped

    def push(self, row: Row) -> None:
        if self._skipped:
            self._skipped -= 1
        else:
            super().push(row)

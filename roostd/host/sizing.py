"""Which of the attached terminals the job's terminal is as large as: the one that typed, resized or attached last."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from roostd.host.loop import Loop
from roostd.host.terminal import Terminal
from roostd.host.timers import Timer

PAUSE = 0.05
"""Seconds between two resizes."""

MIN_COLS, MIN_ROWS = 20, 5
"""A smaller terminal decides nothing: programs fall apart in it."""


class Sizing:
    """`size` is columns and rows. `on_resized` is called once it is another."""

    def __init__(self, loop: Loop, size: tuple[int, int], on_resized: Callable[[], object]) -> None:
        self.size = size
        self._loop = loop
        self._on_resized = on_resized
        self._deciding: Terminal | None = None
        self._timer: Timer | None = None
        self._last = float("-inf")

    def decide(self, terminal: Terminal) -> None:
        """It is this terminal's turn; one that only reads has none."""
        if not terminal.read_only:
            self._deciding = terminal
            self._resize_soon()

    def decides(self, terminal: Terminal) -> bool:
        return terminal is self._deciding

    def typed(self, terminal: Terminal) -> None:
        if terminal is not self._deciding:
            self.decide(terminal)

    def left(self, terminal: Terminal, others: Sequence[Terminal]) -> None:
        """`others` are those that stay, in the order in which they came: the last of them decides."""
        if terminal is self._deciding:
            self._deciding = None
            for other in others:
                self.decide(other)

    def _resize_soon(self) -> None:
        """The first of several resizes at once, the last of them after a pause."""
        if self._timer and self._timer.pending:
            return
        wait = self._last + PAUSE - self._loop.now()
        if wait <= 0:
            self._resize()
        else:
            self._timer = self._loop.after(wait, self._resize)

    def _resize(self) -> None:
        if self._deciding is None:
            return
        cols, rows = size = self._deciding.size
        if cols < MIN_COLS or rows < MIN_ROWS or size == self.size:
            return
        self._last = self._loop.now()
        self.size = size
        self._on_resized()

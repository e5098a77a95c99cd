"""Whether a screen still shows signs of life. Pure: rows and times (monotonic seconds) in.

Two measures. *Life* is what only somebody who works does: new text, or something that turns (see `animation`), even when nothing else
moves. A *change* is one of the content: animations and digits left out. In the cursor's row, where people type, only work that goes on
already may show.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from roostd.host.animation import FEW, SPINNERS, Animations, content, differing

TYPING_GRACE: Final = 1.0
REPAINT_GRACE: Final = 1.0
"""Seconds after typing, a resize or an attach in which what changes is no progress."""

_AROUND = re.compile(f"^[{SPINNERS}*\\s]+|[{SPINNERS}\\s]+$")


def without_spinner(text: str) -> str:
    """A title without the glyphs that an agent animates at either end."""
    return _AROUND.sub("", text)


class Settling:
    """`life` and `change` are when the screen last showed either; None before the first look. `turning` is whether a spinner that
    turned is still shown, though it may stand still."""

    __slots__ = ("_animations", "_excused_until", "_rows", "change", "life", "turning")

    def __init__(self) -> None:
        self._animations = Animations()
        self._excused_until = float("-inf")
        self._rows: Sequence[str] | None = None
        self.life: float | None = None
        self.change: float | None = None
        self.turning = False

    def excuse(self, until: float) -> None:
        """What changes until then was caused from outside."""
        self._excused_until = max(self._excused_until, until)

    def no_excuse(self) -> None:
        """A submit: what changes from now on is the agent's."""
        self._excused_until = float("-inf")

    def shift(self, seconds: float, now: float) -> None:
        """So long nobody could look: that is no stillness."""
        self.life = None if self.life is None else min(now, self.life + seconds)

    def look(self, rows: Sequence[str], cursor_row: int, now: float, *, busy: bool) -> None:
        """One look at the visible rows. While `busy` an excused change still keeps the work alive: it never starts any."""
        before, self._rows = self._rows, rows
        if before is None:
            self.life = self.change = now
            return
        if rows == before:
            return
        excused = now < self._excused_until
        if len(rows) != len(before):
            self._animations.forget()
            changed, alive = True, busy or not excused
        else:
            changed, alive = self._judge(before, rows, cursor_row, now, busy, excused)
        if alive:
            self.life = now
        if changed and (busy or not excused):
            self.change = now
        self.turning = self._animations.still_there(rows)

    def _judge(
        self, before: Sequence[str], rows: Sequence[str], cursor_row: int, now: float, busy: bool, excused: bool
    ) -> tuple[bool, bool]:
        """(the content has changed, there is life) of two screens of the same size that differ."""
        rows_changed = _changed(before, rows)
        if len(rows_changed) > 2:
            return self._redrawn(before, rows, rows_changed, cursor_row), busy or not excused
        columns = []
        for row in rows_changed:
            columns.append(differing(before[row], rows[row]))
            if len(columns[-1]) > FEW and row != cursor_row:
                return self._redrawn(before, rows, rows_changed, cursor_row), busy or not excused
        if excused and not busy:
            return False, False
        changed = alive = False
        for row, where in zip(rows_changed, columns, strict=True):
            animation, life = self._animations.step(row, before[row], rows[row], where, now, busy=busy)
            alive |= life and (animation or row != cursor_row or (busy and not excused))
            changed |= not animation and row != cursor_row
        return changed, alive

    def _redrawn(self, before: Sequence[str], rows: Sequence[str], rows_changed: Sequence[int], cursor_row: int) -> bool:
        """Too much has changed at once for an animation: whether any of it is content."""
        self._animations.forget()
        return any(content(before[row]) != content(rows[row]) for row in rows_changed if row != cursor_row)


def _changed(before: Sequence[str], rows: Sequence[str]) -> list[int]:
    """Which rows are others now. Most are the very strings that they were, and cost next to nothing."""
    changed = []
    for number, row in enumerate(rows):
        if row is not before[number] and row != before[number]:
            changed.append(number)
    return changed

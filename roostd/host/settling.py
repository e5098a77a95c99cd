"""Whether a screen still shows signs of life. Pure: rows and times (monotonic seconds) in.

Two measures. *Life* is what only somebody who works does: new text, or something that turns (see `animation`), even when nothing else
moves. A *change* is one of the content: animations and digits left out. In the cursor's row, where people type, only work that goes on
already may show.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress
from operator import is_not
from typing import Final

from roostd.host.animation import FEW, MANY, PICTURE, SPINNERS, Animations, content, differing
from roostd.host.dialogs import choice_stands
from roostd.host.shimmer import Colours, Shimmer

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

    __slots__ = ("_animations", "_answered", "_asks", "_choice", "_excused_until", "_rows", "_shimmer", "change", "life", "turning")

    def __init__(self, *, asks: bool = False) -> None:
        """`asks`: nobody else recognises the dialogs of this agent. What turns while a choice is on the screen, that came since the
        last submit, is no life then: it may turn until somebody answers."""
        self._animations = Animations()
        self._asks = asks
        self._answered = False
        self._choice: bool | None = None
        self._excused_until = float("-inf")
        self._rows: Sequence[str] | None = None
        self._shimmer = Shimmer()
        self.life: float | None = None
        self.change: float | None = None
        self.turning = False

    def excuse(self, until: float) -> None:
        """What changes until then was caused from outside."""
        self._excused_until = max(self._excused_until, until)

    def no_excuse(self) -> None:
        """A submit: what changes from now on is the agent's."""
        self._excused_until = float("-inf")
        self._answered = True

    def shift(self, seconds: float, now: float) -> None:
        """So long nobody could look: that is no stillness."""
        self.life = None if self.life is None else min(now, self.life + seconds)

    def finished(self) -> None:
        """The program reads a line again: whatever turned is over, though it may still be shown."""
        self._animations.finished()
        self.turning = False

    def look(self, rows: Sequence[str], cursor_row: int, now: float, *, busy: bool, colours: Colours | None = None) -> None:
        """One look at the visible rows. While `busy` an excused change still keeps the work alive: it never starts any. `colours` tells
        those of a row, for a screen on which nothing else runs."""
        before, self._rows = self._rows, rows
        if before is None:
            self.life = self.change = now
            return
        excused = now < self._excused_until
        numbers = _changed(before, rows) if len(rows) == len(before) else None
        if numbers == []:
            if colours is not None and self._shimmer.look(before, rows, colours, now) and (busy or not excused):
                self.life = self.life if self._awaited(rows) else now
            return
        if numbers is None:
            self._animations.forget()
            changed, alive = True, busy or not excused
        else:
            changed, alive = self._judge(before, rows, numbers, cursor_row, now, busy, excused)
        if alive:
            self.life = now
        if changed and (busy or not excused):
            self.change = now
        was = () if excused or numbers is None else before
        self.turning = self._animations.still_there(was, rows, cursor_row, now, alive=alive) and not self._awaited(rows)
        if changed:
            self._choice = None

    def _judge(
        self, before: Sequence[str], rows: Sequence[str], rows_changed: list[int], cursor_row: int, now: float, busy: bool, excused: bool
    ) -> tuple[bool, bool]:
        """(the content has changed, there is life) of two screens of the same size that differ in `rows_changed`."""
        if len(rows_changed) > MANY:
            return self._redrawn(before, rows, rows_changed, cursor_row), busy or not excused
        columns = []
        for row in rows_changed:
            columns.append(differing(before[row], rows[row]))
            if len(columns[-1]) > FEW and (row != cursor_row or len(rows_changed) > 2):
                return self._redrawn(before, rows, rows_changed, cursor_row), busy or not excused
        if excused and not busy:
            return False, False
        changed = alive = False
        for start, end in _runs(rows_changed) if len(rows_changed) >= PICTURE else ((0, len(rows_changed)),):
            text = life = False
            for at in range(start, end):
                row = rows_changed[at]
                inline = row == cursor_row
                animation, lives = self._animations.step(row, before[row], rows[row], columns[at], now, busy, inline)
                if animation:
                    life |= lives and not self._awaited(rows)
                else:
                    life |= lives and (not inline or (busy and not excused))
                    changed |= not inline
                    text = True
            if life:
                alive |= text or not self._animations.picture(before, rows, rows_changed[start:end], columns[start:end])
        return changed, alive

    def _awaited(self, rows: Sequence[str]) -> bool:
        """Whether a choice stands on the screen that nobody has answered, as far as that can be seen."""
        if not self._asks:
            return False
        if self._choice is None:
            self._choice = choice_stands(rows)
            self._answered &= self._choice
        return self._choice and not self._answered

    def _redrawn(self, before: Sequence[str], rows: Sequence[str], rows_changed: Sequence[int], cursor_row: int) -> bool:
        """Too much has changed at once for an animation: whether any of it is content."""
        self._animations.forget()
        return any(content(before[row]) != content(rows[row]) for row in rows_changed if row != cursor_row)


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Where, in numbers that rise, those begin and end that follow each other."""
    ends = [at for at in range(1, len(numbers)) if numbers[at] != numbers[at - 1] + 1]
    return [*zip([0, *ends], [*ends, len(numbers)], strict=True)]


def _changed(before: Sequence[str], rows: Sequence[str]) -> list[int]:
    """Which rows are others now. Most are the very strings that they were, and cost next to nothing."""
    others = compress(range(len(rows)), map(is_not, before, rows))
    return [number for number in others if rows[number] != before[number]]

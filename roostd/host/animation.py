"""Small changes in one row of a screen: a spinner that turns, a counter, a clock, a cell that blinks. Pure; times are monotonic seconds.

An *animation* shows again what its row has shown lately, or differs in nothing but spinner glyphs and digits. One that is *fast* turns:
that is work, even when nothing else moves and whatever glyphs it has. A slow one is a beat: a blinking cell, a clock, a title. Of the
slow ones only a counter is a sign of life, and only one that does not run while nothing is done as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from operator import ne
from typing import Final

SPINNERS: Final = "\u2800-\u28ff\u25d0-\u25d7\u2722-\u2748\u2b1d\u25a0-\u25a1\u2580-\u259f\u00b7\u2219\u25cf\u25cb\u25cc"
"""The characters that agents animate, as the inside of a character class: braille, half circles, stars, blocks, dots."""

FEW: Final = 16
"""Cells that change at once in an animation, at most."""

FAST: Final = 0.45
"""Seconds between two steps of what turns, at most. Cursors and alarms blink at 0.5 s and slower."""

STEPS: Final = 3
"""Steps one after the other from which a pace is known."""

_MAX_ROWS, _MAX_VALUES, _MAX_IDLE = 8, 40, 16

_MOVING = re.compile(f"[{SPINNERS}0-9|/\\\\\\s-]+")
_CLOCK = re.compile(r"(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?![\d:])")


@lru_cache(maxsize=32)  # what a row was is asked for again when it has changed
def content(row: str) -> str:
    """A row without its spinners, digits and the width of its gaps."""
    return _MOVING.sub(" ", row)


def differing(before: str, after: str) -> list[int]:
    """The columns in which two rows differ; what is not there is blank."""
    common = min(len(before), len(after))
    columns = [*compress(range(common), map(ne, before, after))]
    if len(before) != len(after):
        longer = before if len(before) > common else after
        columns += [column for column in range(common, len(longer)) if longer[column] != " "]
    return columns


def same_content(before: str, after: str, columns: Sequence[int]) -> bool:
    """Whether `content` makes the same of two rows that differ in `columns`.

    Only what lies between these is looked at, and one character to either side of it: which of several that move is the first or the
    last of a gap makes no difference.
    """
    if len(before) != len(after):
        start = max(min(len(before), len(after), *columns) - 1, 0)
        return _MOVING.sub(" ", before[start:]) == _MOVING.sub(" ", after[start:])
    start, end = columns[0], columns[-1] + 1
    if _MOVING.fullmatch(before, start, end) and _MOVING.fullmatch(after, start, end):
        return True
    start = max(start - 1, 0)
    return _MOVING.sub(" ", before[start : end + 1]) == _MOVING.sub(" ", after[start : end + 1])


class Pace:
    """The times of the last steps of one thing."""

    __slots__ = ("_times",)

    def __init__(self) -> None:
        self._times: list[float] = []

    def step(self, now: float) -> None:
        if self._times and now - self._times[-1] > FAST:
            self._times.clear()
        self._times = [*self._times[-STEPS:], now]

    @property
    def fast(self) -> bool:
        return len(self._times) > STEPS


class _Place(Pace):
    """One row that changes: what it has shown lately, and how fast it steps."""

    __slots__ = ("values",)

    def __init__(self, shown: str) -> None:
        self._times = []
        self.values = [hash(shown)]

    def show(self, shown: str, now: float) -> bool:
        """A step. Whether the row has shown this before."""
        self.step(now)
        value = hash(shown)
        known = value in self.values
        if not known:
            self.values = [*self.values[1 - _MAX_VALUES :], value]
        return known


class Animations:
    """`step` says of each small change of a row whether it is an animation, and whether it is a sign of life."""

    __slots__ = ("_idle", "_places", "_turning")

    def __init__(self) -> None:
        self._places: dict[int, _Place] = {}
        self._idle: set[int] = set()
        self._turning: tuple[int, str] | None = None

    def forget(self) -> None:
        """The screen has changed as a whole: rows are others now."""
        self._places.clear()

    def step(self, row: int, before: str, after: str, columns: Sequence[int], now: float, *, busy: bool) -> tuple[bool, bool]:
        """(it is an animation, it is life); what is no animation is new text, and life. The row differs in `columns`. `busy`: it works
        as far as is published."""
        place = self._places.get(row)
        if place is None:
            if len(self._places) >= _MAX_ROWS:
                self._places.clear()
            place = self._places[row] = _Place(before)
        known = place.show(after, now)
        if not known and not same_content(before, after, columns):
            return False, True
        if place.fast:
            self._turning = row, content(after)
            return True, True
        return True, self._counts(before, after, known, busy)

    def still_there(self, rows: Sequence[str]) -> bool:
        """Whether the spinner that turned last is shown, though it may stand still."""
        if self._turning is None:
            return False
        row, shown = self._turning
        if row < len(rows) and content(rows[row]) == shown and rows[row].strip():
            return True
        self._turning = None
        return False

    def _counts(self, before: str, after: str, known: bool, busy: bool) -> bool:
        """Whether a slow animation is a counter of the work: one that began with it."""
        if not busy:
            if len(self._idle) < _MAX_IDLE:
                self._idle.add(hash(content(after)))
            return False
        return not known and hash(content(after)) not in self._idle and _digits(before) != _digits(after)


def _digits(row: str) -> str:
    """The digits of a row, those of clocks left out."""
    return "".join(filter(str.isdigit, _CLOCK.sub("", row)))

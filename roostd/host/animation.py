"""Small changes in one row of a screen: a spinner that turns, a counter, a clock, a cell that blinks. Pure; times are monotonic seconds.

An *animation* shows again what its row has shown lately, or differs in nothing but spinner glyphs and digits. One that is *fast* turns:
that is work, even when nothing else moves and whatever glyphs it has. A slow one is a beat: a blinking cell, a clock, a title. Of the
slow ones only a counter, and what goes round through several pictures, is a sign of life, and only one that does not run while nothing is
done as well. A *picture* is several rows that move together: an ornament, whatever its pace.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import compress, pairwise
from operator import ne
from typing import Final, NamedTuple

SPINNERS: Final = "\u2800-\u28ff\u25d0-\u25d7\u2722-\u2748\u2b1d\u25a0-\u25a1\u2580-\u259f\u00b7\u2219\u25cf\u25cb\u25cc"
"""The characters that agents animate, as the inside of a character class: braille, half circles, stars, blocks, dots."""

FEW: Final = 16
"""Cells that change at once in an animation, at most."""

PICTURE: Final = 3
MANY: Final = 6
"""Rows that change at once when a picture moves, at least and at most."""

FAST: Final = 0.45
"""Seconds between two steps of what turns, at most. Cursors and alarms blink at 0.5 s and slower."""

STEPS: Final = 3
"""Steps one after the other from which a pace is known."""

SLOW: Final = 0.7
"""Seconds between two steps, at most, of what goes round through three pictures or more: what blinks has two."""

FINISHED: Final = 1.0
"""Seconds that a spinner may stand still beside what goes on: then it is over, and only left on the screen."""

_MAX_ROWS, _MAX_VALUES, _MAX_IDLE = 8, 40, 16
_SHORT = 16

BEGINNING, SHORTEST = 12, 4
"""Of what stands beside a spinner, the characters by which it is known again in another row, and how many it takes."""

_GLYPH = re.compile(f"\\s*[{SPINNERS}|/\\\\-]")
_MOVING = re.compile(f"[{SPINNERS}0-9|/\\\\\\s-]+")
_DIGITS = re.compile("[0-9]+")
_CLOCK = re.compile(r"(?<![\d:])(?:[1-9]|\d\d):\d\d:\d\d(?![\d:])")


@lru_cache(maxsize=32)  # what a row was is asked for again when it has changed
def content(row: str) -> str:
    """A row without its spinners, digits and the width of its gaps."""
    return _MOVING.sub(" ", row)


def differing(before: str, after: str) -> list[int]:
    """The columns in which two rows differ; what is not there is blank."""
    common = end = min(len(before), len(after))
    while end > _SHORT and before[end // 2 : end] == after[end // 2 : end]:  # What turns or counts mostly stands in front.
        end //= 2
    columns = [*compress(range(end), map(ne, before, after))]
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

    __slots__ = ("_last", "values")

    def __init__(self, shown: str) -> None:
        self._times = []
        self._last: list[tuple[float, str]] = []
        self.values = [hash(shown)]

    def show(self, shown: str, now: float) -> bool:
        """A step. Whether the row has shown this before."""
        self.step(now)
        self._last = [*self._last[-STEPS:], (now, shown)]
        value, values = hash(shown), self.values
        if value in values:
            return True
        if len(values) >= _MAX_VALUES:
            del values[0]
        values.append(value)
        return False

    @property
    def goes_round(self) -> bool:
        """Whether the last steps went through three pictures or more, digits left out, without a pause."""
        times = [at for at, _ in self._last]
        if len(times) <= STEPS or any(later - earlier > SLOW for earlier, later in pairwise(times)):
            return False
        return len({_DIGITS.sub("0", shown) for _, shown in self._last}) >= STEPS


class _Turning(NamedTuple):
    """A spinner that turned: where, what else its row shows, when it last did, and whether the cursor stood in its row."""

    row: int
    shown: str
    at: float
    inline: bool


class Animations:
    """`step` says of each small change of a row whether it is an animation, and whether it is a sign of life."""

    __slots__ = ("_idle", "_pictures", "_places", "_turning")

    def __init__(self) -> None:
        self._places: dict[int, _Place] = {}
        self._idle: set[int] = set()
        self._pictures: set[str] = set()
        self._turning: _Turning | None = None

    def forget(self) -> None:
        """The screen has changed as a whole: rows are others now."""
        self._places.clear()

    def step(
        self, row: int, before: str, after: str, columns: Sequence[int], now: float, busy: bool, inline: bool = False
    ) -> tuple[bool, bool]:
        """(it is an animation, it is life); what is no animation is new text, and life. The row differs in `columns`. `busy`: it works
        as far as is published; `inline`: the cursor stands in this row."""
        place = self._places.get(row)
        if place is None:
            if len(self._places) >= _MAX_ROWS:
                self._places.clear()
            place = self._places[row] = _Place(before)
        known = place.show(after, now)
        if not known and not same_content(before, after, columns):
            return False, True
        if place.fast:
            shown = content(after)
            if shown in self._pictures:
                return True, False
            self._turning = _Turning(row, shown, now, inline)
            return True, True
        if not self._began_with_work(after, busy):
            return True, False
        return True, place.goes_round if known else _digits(before) != _digits(after)

    def still_there(self, before: Sequence[str], rows: Sequence[str], cursor_row: int, now: float, *, alive: bool) -> bool:
        """Whether the spinner that turned last is shown, though it may stand still, or have moved to another of the rows that are not
        as they were `before` (none of a screen that was redrawn). What goes on without it for long, or in a lower row, has left it behind:
        it is over. `alive` is whether there is life in what has changed."""
        turning = self._turning
        if turning is None:
            return False
        row, shown, at, inline = turning
        if at == now and rows[row].strip():
            return True
        if row >= len(rows) or content(rows[row]) != shown or not rows[row].strip():
            self._turning = self._moved(turning, before, rows)
        elif row < len(before) and before[row] != rows[row]:
            self._turning = turning._replace(at=now)
        elif (alive and now > at + FINISHED) or (inline and cursor_row > row):
            self._turning = None
        return self._turning is not None

    @staticmethod
    def _moved(turning: _Turning, before: Sequence[str], rows: Sequence[str]) -> _Turning | None:
        """Where it stands now, by what stands beside it."""
        begins = turning.shown.strip()[:BEGINNING]
        if len(begins) < SHORTEST:
            return None
        for row, (was, text) in enumerate(zip(before, rows, strict=False)):
            if was != text and _GLYPH.match(text) and content(text).strip().startswith(begins):
                return turning._replace(row=row, shown=content(text))
        return None

    def picture(self, before: Sequence[str], rows: Sequence[str], changed: Sequence[int], columns: Sequence[Sequence[int]]) -> bool:
        """Whether animations in these rows, one below the other, that stepped together, are one picture that moves: an ornament, which no
        work is known by, whether its rows move together again or one by one. Several spinners stand in one column, and counters count."""
        if len(changed) < PICTURE or all(where == columns[0] for where in columns):
            return False
        if any(_digits(before[row]) != _digits(rows[row]) for row in changed):
            return False
        if len(self._pictures) > _MAX_VALUES:
            self._pictures.clear()
        self._pictures.update(content(rows[row]) for row in changed)
        if self._turning is not None and self._turning.shown in self._pictures:
            self._turning = None
        return True

    def finished(self) -> None:
        """Whatever turned is over."""
        self._turning = None

    def _began_with_work(self, shown: str, busy: bool) -> bool:
        """Whether a slow animation has never been seen while nothing was done."""
        if busy:
            return hash(content(shown)) not in self._idle
        if len(self._idle) < _MAX_IDLE:
            self._idle.add(hash(content(shown)))
        return False


def _digits(row: str) -> str:
    """The digits of a row, those of clocks left out."""
    return "".join(_DIGITS.findall(_CLOCK.sub("", row) if ":" in row else row))

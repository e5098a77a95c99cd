"""When a notice is told: not too often for one job, and one thing once. Pure; every time is monotonic seconds, given by the caller.

After a notice of a job its next ones wait until the cool-down is over; then the last of them is told. A bell waits a moment for the
state that says what it rang for, and is not told behind one that has: programs ring for an approval and for the end of a turn alike.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from roostd.notify.notices import Notice

MOMENT: Final = 1.5
"""Seconds that a bell waits for a state: the arbiter holds what is weaker than work for 0.7, and a host looks ten times a second."""


class _Told(NamedTuple):
    until: float
    bell: bool


class _Held(NamedTuple):
    due: float
    notice: Notice


class Cooldown:
    """What was told of each job lately, and what waits."""

    def __init__(self) -> None:
        self._told: dict[str, _Told] = {}
        self._held: dict[str, _Held] = {}

    @property
    def next(self) -> float | None:
        """When something falls due."""
        return min((held.due for held in self._held.values()), default=None)

    def take(self, notice: Notice, pause: float, now: float) -> Notice | None:
        """The notice, if it is to be told at once; else it waits, or need not be told. `pause` is the cool-down in seconds."""
        told = self._told.get(notice.job)
        cooling = told if told is not None and now < told.until else None
        if notice.what == "attention":
            self._ring(notice, cooling, min(pause, MOMENT), now)
        else:
            self._held[notice.job] = _Held(cooling.until if cooling else now, notice)
        return next(iter(self.due(pause, now, notice.job)), None)

    def due(self, pause: float, now: float, job: str | None = None) -> list[Notice]:
        """What is to be told now, of all jobs or of one, in order; a cool-down begins for each."""
        ready = [held.notice for held in self._held.values() if held.due <= now and job in (None, held.notice.job)]
        for notice in ready:
            del self._held[notice.job]
            self._told[notice.job] = _Told(now + pause, notice.what == "attention")
        return sorted(ready)

    def moved_on(self, job: str) -> None:
        """It is in another state now: that it waited or was idle need not be told any more."""
        held = self._held.get(job)
        if held is not None and held.notice.what != "attention":
            del self._held[job]

    def forget(self, job: str) -> None:
        """It is no more."""
        self._held.pop(job, None)
        self._told.pop(job, None)

    def _ring(self, notice: Notice, cooling: _Told | None, moment: float, now: float) -> None:
        held = self._held.get(notice.job)
        if held is not None and held.notice.what != "attention":
            return
        if cooling is None:
            self._held[notice.job] = _Held(held.due if held else now + moment, notice)
        elif cooling.bell:
            self._held[notice.job] = _Held(cooling.until, notice)

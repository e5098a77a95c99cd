"""What was asked when, so that a reply which took its time on the way answers what it was sent to and nothing else. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from dataclasses import dataclass
from typing import Final

from roostd.host.typing import Situation, asked

KEPT: Final = 64
"""Dialogs, and times without one, that are remembered."""


@dataclass(frozen=True, slots=True)
class Meant:
    """What a reply was sent to; `number` tells it from all that came before or after, be it in the same words."""

    number: int
    situation: Situation


class Askings:
    """One dialog after the other, and the times between, as they were told to whoever sends replies. Times are monotonic seconds."""

    __slots__ = ("_began", "_known")

    def __init__(self) -> None:
        self._began = deque([float("-inf")], KEPT)
        self._known = deque([Meant(0, Situation("starting"))], KEPT)

    @property
    def open(self) -> bool:
        """Whether the last that was noted is a dialog: its end is to be noted too."""
        return self._known[-1].situation.dialog

    def note(self, situation: Situation, now: float) -> Meant:
        """As it is at this moment."""
        last = self._known[-1]
        if asked(last.situation) != asked(situation):
            self._began.append(now)
            self._known.append(Meant(last.number + 1, situation))
        return self._known[-1]

    def of(self, sent: float | None, situation: Situation, now: float) -> Meant:
        """What a reply that comes now is meant for: what was asked when it was `sent` (None: that is not told, so what is asked now)."""
        current = self.note(situation, now)
        return current if sent is None else self._known[max(0, bisect_right(self._began, sent) - 1)]

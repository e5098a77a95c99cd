"""What was asked when, so that a reply which took its time on the way answers what it was sent to and nothing else. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from dataclasses import dataclass, replace
from typing import Final

from roostd.host.dialogs import still
from roostd.host.typing import Situation

KEPT: Final = 64
"""Dialogs, and times without one, that are remembered."""


@dataclass(frozen=True, slots=True)
class Meant:
    """What a reply was sent to; `number` tells it from all that came before or after, be it in the same words."""

    number: int
    situation: Situation
    opened: float


class Askings:
    """One dialog after the other, and the times between, as they were told to whoever sends replies. Times are monotonic seconds."""

    __slots__ = ("_began", "_known")

    def __init__(self) -> None:
        began = float("-inf")
        self._began = deque([began], KEPT)
        self._known = deque([Meant(0, Situation("starting"), began)], KEPT)

    @property
    def open(self) -> bool:
        """Whether the last that was noted is a dialog: its end is to be noted too."""
        return self._known[-1].situation.dialog

    def note(self, situation: Situation, now: float) -> Meant:
        """As it is at this moment."""
        if _is_another(self._known[-1], situation):
            self._add(situation, now, opened=now)
        return self._known[-1]

    def answered(self, now: float) -> None:
        """Something was typed into the dialog: what was sent to it before that finds it answered."""
        last = self._known[-1]
        if last.situation.dialog:
            self._add(last.situation, now, last.opened)

    def of(self, sent: float | None, situation: Situation, now: float) -> Meant:
        """What a reply that comes now is meant for: what was asked when it was `sent` (None: that is not told, so what is asked now)."""
        current = self.note(situation, now)
        return current if sent is None else self._known[max(0, bisect_right(self._began, sent) - 1)]

    def _add(self, situation: Situation, now: float, opened: float) -> None:
        self._began.append(now)
        self._known.append(Meant(self._known[-1].number + 1, replace(situation, rows=None), opened))


def _is_another(last: Meant, now: Situation) -> bool:
    """Whether this is not the same dialog. What stands above one may move, and it may be told anew: as long as nobody has typed into it,
    it is the one that was there."""
    then = last.situation
    if not (then.dialog and now.dialog):
        return then.dialog != now.dialog
    if (then.waiting_for, then.question, then.choices) != (now.waiting_for, now.question, now.choices):
        return True
    typed = now.touched is not None and now.touched > last.opened
    return typed and (then.asked_at, still(then.above)) != (now.asked_at, still(now.above))

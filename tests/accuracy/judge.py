"""What was shown, compared with what was true. Pure; all times are seconds after a recording's beginning."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Final, NamedTuple

from roost_protocol.states import State

STEP: Final = 0.1
"""Between two judgements."""

GRACE: Final = 1.5
"""After each true change, in which nothing is judged."""

SEEN_WITHIN: Final = 2.0
"""How soon a true wait must be shown."""

LINGER: Final = 1.0
"""How long `idle` or `done` may be shown while it works."""

JUDGED: Final = ("idle", "working", "waiting")


class Interval(NamedTuple):
    """The truth from `start` to `end`."""

    start: float
    end: float
    label: str
    kind: str

    @property
    def true(self) -> str:
        """A question in prose is idle: no signal shows it, only a reader could tell."""
        return "idle" if self.kind == "text_question" else self.label


class Shown(NamedTuple):
    """What was shown from `at` on."""

    at: float
    state: State


@dataclass
class Score:
    """How one recording, or several together, came out."""

    right: int = 0
    total: int = 0
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many judgements were wrong, by (true, shown)."""
    false_waits: list[str] = field(default_factory=list)
    early_ends: list[str] = field(default_factory=list)
    waits: int = 0
    missed_waits: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        self.right += other.right
        self.total += other.total
        self.wrong += other.wrong
        self.false_waits += other.false_waits
        self.early_ends += other.early_ends
        self.waits += other.waits
        self.missed_waits += other.missed_waits

    @property
    def share(self) -> float:
        return self.right / self.total if self.total else 1.0


def judge(name: str, truth: Sequence[Interval], shown: Sequence[Shown], *, quiet_is_right: bool) -> Score:
    """`quiet_is_right` says that `quiet` is right for idle and waiting, as of an agent of whom nothing is known."""
    score = Score()
    times = [change.at for change in shown]
    for interval in _merged(truth):
        if interval.true not in JUDGED:
            continue
        for moment in _moments(interval.start + GRACE, interval.end):
            state = shown[bisect_right(times, moment) - 1].state
            _count(score, interval.true, state, quiet_is_right)
            if interval.true == "working" and state == "waiting":
                score.false_waits.append(f"{name} at {moment:.1f}")
        if interval.true == "working":
            score.early_ends += [f"{name} at {at:.1f} for {long:.1f} s" for at, long in _ends(interval, shown) if long > LINGER]
        elif interval.true == "waiting":
            score.waits += 1
            if not _seen(interval, shown):
                score.missed_waits.append(f"{name} at {interval.start:.1f}")
    return score


def _merged(truth: Sequence[Interval]) -> list[Interval]:
    """One interval from one true change to the next: a tool is work as the turn before it was."""
    merged: list[Interval] = []
    for interval in truth:
        if merged and merged[-1].true == interval.true:
            merged[-1] = merged[-1]._replace(end=interval.end)
        else:
            merged.append(interval)
    return merged


def _moments(start: float, end: float) -> list[float]:
    """The sampled moments of an interval: the same grid for all of a recording."""
    tiny = 1e-9
    return [number * STEP for number in range(ceil(start / STEP - tiny), ceil(end / STEP - tiny))]


def _count(score: Score, true: str, state: State, quiet_is_right: bool) -> None:
    score.total += 1
    if state == true or (quiet_is_right and state == "quiet" and true in ("idle", "waiting")):
        score.right += 1
    else:
        score.wrong[true, state] += 1


def _spans(shown: Sequence[Shown], end: float) -> list[tuple[float, float, State]]:
    until = [change.at for change in shown[1:]] + [max(end, shown[-1].at)]
    return [(change.at, to, change.state) for change, to in zip(shown, until, strict=True)]


def _ends(interval: Interval, shown: Sequence[Shown]) -> list[tuple[float, float]]:
    """When `idle` or `done` was shown in an interval, and for how long."""
    spans = [(max(at, interval.start), min(to, interval.end)) for at, to, state in _spans(shown, interval.end) if state in ("idle", "done")]
    return [(at, to - at) for at, to in spans if to > at]


def _seen(interval: Interval, shown: Sequence[Shown]) -> bool:
    latest = min(interval.end, interval.start + SEEN_WITHIN)
    return any(state == "waiting" and at <= latest and to > interval.start for at, to, state in _spans(shown, interval.end))

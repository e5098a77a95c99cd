"""What a job can be doing: the nine words, and what follows from each. Standard library only."""

from __future__ import annotations

from typing import Final, Literal

State = Literal["starting", "working", "waiting", "idle", "quiet", "done", "failed", "stopped", "lost"]
WaitingFor = Literal["approval", "question", "choice", "login"]
Signal = Literal["process", "report", "program-status", "terminal", "pattern", "settling", "input", "daemon"]
"""Who says so. `terminal` is what a program tells its terminal by bell, notification, title or prompt mark; `daemon` is the
daemon's own check, for `lost`."""

LIVE: Final[frozenset[State]] = frozenset({"starting", "working", "waiting", "idle", "quiet"})
"""The process runs."""

ENDED: Final[frozenset[State]] = frozenset({"done", "failed", "stopped", "lost"})
"""The process is gone, for good: an ended job never lives again (`again` and `resume` make a new one)."""

SETTLED: Final[frozenset[State]] = ENDED.union({"waiting", "idle"})
"""Nothing more comes by itself. `quiet` is settled too for a job that never gave positive idle evidence."""

STATES: Final[tuple[State, ...]] = (
    "starting",
    "working",
    "waiting",
    "idle",
    "quiet",
    "done",
    "failed",
    "stopped",
    "lost",
)


def settled(state: State, knows_idle: bool) -> bool:
    """Whether nothing more comes by itself; `knows_idle` tells that this job has given positive idle evidence before."""
    return state in SETTLED or (state == "quiet" and not knows_idle)


STALLED: Final = 180.0
"""Seconds without a change of the content after which work is called stalled: a spinner may turn on over a turn that hangs."""


def stalled(state: State, since: float, last_change: float | None, now: float) -> bool:
    """Whether a job that has worked `since` shows nothing new any more, spinners and counters left out. All times are Unix seconds."""
    return state == "working" and last_change is not None and now - max(since, last_change) >= STALLED

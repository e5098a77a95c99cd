"""The one table of what a job's state can become. Pure.

A *happening* is a past participle: what a host, an exit record or the daemon's own check says has come about. Every pair of a
state and a happening stands in the table, or the job has ended and the answer is `AlreadyEnded`.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from roost_protocol.errors import RoostError
from roost_protocol.states import State

Happening = Literal[
    "spawned",
    "progressed",
    "asked",
    "rested",
    "settled",
    "succeeded",
    "failed",
    "stopped",
    "vanished",
]

HAPPENINGS: Final[tuple[Happening, ...]] = get_args(Happening)

_EVER: Final[dict[Happening, State]] = {
    "progressed": "working",
    "asked": "waiting",
    "rested": "idle",
    "settled": "quiet",
    "succeeded": "done",
    "failed": "failed",
    "stopped": "stopped",
    "vanished": "lost",
}

TABLE: Final[dict[State, dict[Happening, State]]] = {
    "starting": {"spawned": "starting", **_EVER},
    "working": {"spawned": "working", **_EVER},
    "waiting": {"spawned": "waiting", **_EVER},
    "idle": {"spawned": "idle", **_EVER},
    "quiet": {"spawned": "quiet", **_EVER},
    "done": {},
    "failed": {},
    "stopped": {},
    "lost": {},
}
"""State x happening -> state. A late `spawned` (a status that says `starting`) takes nothing back."""

OBSERVED: Final[dict[State, Happening]] = {
    "starting": "spawned",
    "working": "progressed",
    "waiting": "asked",
    "idle": "rested",
    "quiet": "settled",
}
"""What a host's status of a live job says has happened. How it ended is for the exit record to say."""


class AlreadyEnded(RoostError):
    """The job has ended; an ended job never lives again."""

    def __init__(self, state: State) -> None:
        super().__init__("ended", f"the job has ended ({state}); `roost again` starts it anew")


def transition(state: State, happening: Happening) -> State:
    """The next state. Raises `AlreadyEnded`."""
    try:
        return TABLE[state][happening]
    except KeyError:
        raise AlreadyEnded(state) from None


def ending(exit_code: int | None, exit_signal: str | None, stopped: bool) -> Happening:
    """What an exit says: a person's stop outranks whatever code the program then gave."""
    if stopped:
        return "stopped"
    return "succeeded" if exit_code == 0 and exit_signal is None else "failed"

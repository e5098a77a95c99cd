"""A job as everybody sees it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from roost_protocol.states import Signal, State, WaitingFor


class Evidence(msgspec.Struct, frozen=True):
    """Why a job is said to be in its state: which signal, what it said, and when (Unix seconds)."""

    signal: Signal
    detail: str
    at: float


class Attention(msgspec.Struct, frozen=True):
    """Something rang and did not say what for; cleared when a person answers or looks."""

    at: float
    signal: str
    text: str | None = None


class Choice(msgspec.Struct, frozen=True):
    """One of the answers that an agent offers."""

    id: str
    label: str


PartState = Literal["idle", "working", "done", "blocked", "error"]
"""The words of OSC 7501: what a part of a job says of itself."""


class Part(msgspec.Struct, frozen=True):
    """What a program of the job told its terminal (OSC 7501). `id` is a path of names joined by `/`, empty for the root.

    `progress` is 0 to 100. Long texts are cut. `app` is the nearest ancestor's where the part has not told its own.
    """

    id: str
    state: PartState
    waiting_for: WaitingFor | None = None
    progress: int | None = None
    app: str | None = None
    title: str | None = None
    message: str | None = None


class Interrupted(msgspec.Struct, frozen=True):
    """What a job was doing when it was lost: its state, and in what words; `resume` is whether its agent has a session to go on with
    (`roost resume`), else it can only be started again (`roost again`)."""

    state: State
    doing: str | None
    resume: bool


class Job(msgspec.Struct, kw_only=True):
    """The public row: `roost ls --json`, and every answer that names a job. Unknown is null, never zero or empty.

    Times are float Unix seconds. `command` is the argv that ran. `text` is the title without its spinner, else null on the alternate
    screen, else the last non-empty line. `attached` counts the terminals that show it now. `exit_signal` is a name (`SIGTERM`).
    """

    id: str
    name: str | None
    agent: str
    command: list[str]
    cwd: str
    state: State
    since: float
    created: float
    evidence: Evidence | None = None
    text: str | None = None
    title: str | None = None
    attention: Attention | None = None
    waiting_for: WaitingFor | None = None
    question: str | None = None
    choices: list[Choice] | None = None
    parts: list[Part] | None = None
    model: str | None = None
    usage: dict[str, Any] | None = None
    context: dict[str, Any] | None = None
    session_ref: str | None = None
    last_output: float | None = None
    last_change: float | None = None
    stalled: bool = False
    exit_code: int | None = None
    exit_signal: str | None = None
    ended: float | None = None
    interrupted: Interrupted | None = None
    seen: bool = False
    attached: int = 0
    previous: str | None = None


ReplyKind = Literal["reply", "choice", "steer", "follow_up", "set_model"]
"""What a person sends an agent: words; the id of one of the choices on offer; words for what it does right now, or for when it is done
with it; the name of a model."""

ReplyOutcome = Literal["pending", "delivered", "submitted", "typed", "refused"]
"""`delivered`: acked by the agent over its socket. `submitted`: typed, entered, and the screen reacted. `typed`: the text is in
the terminal but nothing reacted. `refused`: nothing was typed. `pending`: not known, and after the job's end it never will be."""


class ReplyResult(msgspec.Struct, frozen=True):
    """What became of a reply. `n` is its number within the job, from 1."""

    job: str
    n: int
    outcome: ReplyOutcome
    why: str | None = None
    started: bool | None = None
    """Whether the agent has worked since; null where that was not waited for."""
    settled: State | None = None
    """What it came to behind that; null where it was not waited for, or has not come yet."""

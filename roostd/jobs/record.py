"""What is kept of a job: its public row, and what the daemon must know again after its own death. Never an environment, never a token."""

from __future__ import annotations

from typing import Literal

import msgspec

from roost_protocol.jobs import Job, ReplyKind

Stop = Literal["no", "asked", "forced"]


class LaunchSpec(msgspec.Struct, frozen=True, kw_only=True):
    """What a person asked to start, so that it can be started again. `agent` null is a bare command, `args` its argv."""

    agent: str | None
    args: list[str]
    task: str | None = None
    model: str | None = None
    thinking: str | None = None


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One job as the store has it. A change makes a new one; `job` is never changed in place.

    `status_n` is the last status of its host that was taken, `replies` the last number given to a reply,
    `request_id` the request that may start it again if the daemon died before it could. `takes_replies` says that its agent takes replies
    over its connection and has not left since: while it comes back to a new daemon, nothing is typed at it.
    """

    job: Job
    launch: LaunchSpec
    token_hash: str
    stop: Stop = "no"
    launched: bool = False
    status_n: int = 0
    knows_idle: bool = False
    replies: int = 0
    takes_replies: bool = False
    grants: list[str] = []
    """The capabilities of who takes replies."""
    superseded: bool = False
    detach: str | None = None
    request_id: str | None = None


class StoredReply(msgspec.Struct, frozen=True, kw_only=True):
    """One reply to a job. `route` is how it is delivered, chosen once: one that the agent's connection was sent is never typed too."""

    job: str
    n: int
    text: str
    route: Literal["agent", "typed"]
    answer: bool = False
    kind: ReplyKind = "reply"
    seen: tuple[str, int] | None = None
    """The epoch and number of the agent's last report when it was accepted: what the person could see."""
    request_id: str | None = None
    sent: float | None = None
    """When it was accepted, in seconds of this boot (CLOCK_MONOTONIC), which no set clock moves: what it answers was asked by then."""
    outcome: Literal["pending", "delivered", "submitted", "typed", "refused"] = "pending"
    why: str | None = None
    after: int | None = None
    """The job's last status before it was entered, or acknowledged: what is waited for comes behind it."""
    at: float | None = None
    """When that was."""


def changed(record: Record, **fields: object) -> Record:
    """A copy with these fields of its row changed."""
    return msgspec.structs.replace(record, job=msgspec.structs.replace(record.job, **fields))

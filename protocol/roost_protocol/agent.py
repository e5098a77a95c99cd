"""The agent protocol, version 1: what an agent says for its one job, and what the daemon answers.

Every message is an object with a `type`. Unknown fields are ignored.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from roost_protocol.codes import Code
from roost_protocol.jobs import Choice
from roost_protocol.states import WaitingFor

PROTOCOL = 1

Capability = Literal["report", "replies", "steer", "usage", "context", "model-switch", "transcript", "peers", "spawn"]

Short = Annotated[str, msgspec.Meta(max_length=256)]
Line = Annotated[str, msgspec.Meta(max_length=4096)]
Seq = Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]


class Peer(msgspec.Struct, frozen=True):
    """Who speaks: a program's name and version."""

    name: Short
    version: Short | None = None


class AgentHello(msgspec.Struct, tag="hello", frozen=True):
    """The first message. `epoch` is a random id of the client process, within which `seq` counts from 1.

    With the capability `replies` it takes the place of who took them before, who is told `superseded`. Who only reports takes nobody's.
    """

    job: Short
    token: Annotated[str, msgspec.Meta(max_length=128)]
    epoch: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    protocol: int = PROTOCOL
    agent: Peer | None = None
    capabilities: list[str] = []

    def __repr__(self) -> str:
        return f"AgentHello(job={self.job!r}, epoch={self.epoch!r})"


class Report(msgspec.Struct, tag="report", frozen=True, kw_only=True):
    """A full snapshot: a field that is absent is unknown, never zero."""

    seq: Seq
    state: Literal["working", "waiting", "idle"]
    status: Line | None = None
    waiting_for: WaitingFor | None = None
    summary: Line | None = None
    question: Line | None = None
    choices: Annotated[list[Choice], msgspec.Meta(max_length=50)] | None = None
    name: Short | None = None
    model: Short | None = None
    usage: dict[str, Any] | None = None
    context: dict[str, Any] | None = None
    session_ref: Line | None = None
    links: Annotated[list[Line], msgspec.Meta(max_length=50)] | None = None
    ext: dict[str, Any] | None = None


class ReplyAck(msgspec.Struct, tag="ack", frozen=True):
    """The agent has acted on every reply up to and with this number."""

    reply: Seq


class Bye(msgspec.Struct, tag="bye", frozen=True):
    """The agent ends this connection on purpose; what it last reported stays until newer evidence."""


AgentMessage = AgentHello | Report | ReplyAck | Bye


class DaemonHello(msgspec.Struct, tag="hello", frozen=True):
    """The answer to `hello`: `last_seq` is the highest accepted report of this epoch, 0 for a new one."""

    protocol: int
    daemon: Peer
    capabilities: list[str]
    job: dict[str, Any]
    granted: list[str]
    last_seq: int


class ReportAck(msgspec.Struct, tag="ack", frozen=True):
    """The report with this number is durable."""

    seq: int


class Reply(msgspec.Struct, tag="reply", frozen=True):
    """A person's answer, numbered per job from 1, resent on every connection until acked.

    `re` is the `seq` of the last report of this epoch that the person could see, 0 where there was none: what was asked later is not
    answered by it. Of a `choice` the text is its id.
    """

    n: int
    kind: Literal["reply", "choice", "steer", "follow_up", "set_model", "stop"]
    text: str
    sender: str = msgspec.field(name="from", default="operator")
    request_id: str | None = None
    re: int = 0


class AgentError(msgspec.Struct, tag="error", frozen=True):
    """A refusal; `re` is the `seq` it is about, where there is one."""

    code: Code
    message: str
    re: int | None = None


DaemonMessage = DaemonHello | ReportAck | Reply | AgentError

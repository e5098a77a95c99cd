"""The operator protocol, version 1: what a person's tools ask the daemon.

Both sides begin with a `hello` line. Then the client sends requests, `{"id", "verb", "params", "request_id"?, "timeout"?}`, and each is
answered by one line with the same `id`: `{"id", "ok": {...}}` or `{"id", "error": {"code", "message"}}`. A subscription sends any number
of `{"id", "item": {...}}` before it. A request that changes something may carry a `request_id`: the same id again within 24 hours gives
the first answer and does nothing twice. `timeout` is seconds from receipt.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from roost_protocol.agent import Peer
from roost_protocol.codes import Code
from roost_protocol.jobs import Job, ReplyKind
from roost_protocol.pictures import Picture
from roost_protocol.states import State

PROTOCOL = 1

Ref = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
"""A job as a person names it: exact id, then name, then unique id prefix."""

Size = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
Name = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$(?!\n)")]
"""`$` alone would let a line break pass behind it."""


class Hello(msgspec.Struct, tag="hello", frozen=True):
    """The first line of either side. The lower of the two protocols is spoken.

    `state` is the state directory that a client means: a daemon of another one refuses it before it does anything.
    """

    protocol: int
    peer: Peer
    state: str | None = None


class Request(msgspec.Struct, frozen=True):
    """One request; `params` is decoded by its verb."""

    id: int
    verb: str
    params: msgspec.Raw = msgspec.Raw(b"{}")
    request_id: Annotated[str, msgspec.Meta(min_length=1, max_length=64)] | None = None
    timeout: Annotated[float, msgspec.Meta(ge=0)] | None = None


class Refusal(msgspec.Struct, frozen=True):
    """Why a request was not done."""

    code: Code
    message: str


class Failure(msgspec.Struct, frozen=True):
    """The answer that refuses."""

    id: int
    error: Refusal


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """What a job takes over from whoever starts it. Never stored, never logged.

    `environ` holds what is UTF-8; `environ_raw` the rest, both sides base64. `limits` are soft resource limits by their name in the
    `resource` module (-1 is unlimited). `cols` and `rows` are the caller's terminal.
    """

    environ: dict[str, str]
    environ_raw: dict[str, str] = {}
    umask: Annotated[int, msgspec.Meta(ge=0, le=0o777)] = 0o022
    limits: dict[str, int] = {}
    cols: Size = 120
    rows: Size = 40

    def __repr__(self) -> str:
        return f"Caller({len(self.environ) + len(self.environ_raw)} variables)"


class JobRun(msgspec.Struct, frozen=True, kw_only=True):
    """`job.run`: start an agent by its profile, or any command (`agent` null, `args` the whole argv). Answers `Job`."""

    caller: Caller
    cwd: Annotated[str, msgspec.Meta(pattern=r"^/")]
    agent: str | None = None
    args: list[str] = []
    task: str | None = None
    model: str | None = None
    thinking: str | None = None
    name: Name | None = None
    env: list[str] = []
    """`--env` options as given: `NAME=VALUE`, or `NAME` for the caller's value. A name that jobs do not inherit is refused."""


class JobList(msgspec.Struct, frozen=True):
    """`job.list`: answers `Jobs`; `all` has superseded jobs too."""

    all: bool = False


class Jobs(msgspec.Struct, frozen=True):
    """The answer of `job.list`, oldest first."""

    jobs: list[Job]


class JobRef(msgspec.Struct, frozen=True):
    """`job.get` (answers `Job`), `job.explain`, `job.attach`."""

    job: Ref


class JobReply(msgspec.Struct, frozen=True):
    """`job.reply`: a person's answer, delivered by the agent's connection if it takes replies, else typed. Answers `ReplyResult`.

    Where a dialog is open, a text that is no answer to it is refused, unless `answer` says that it is one.
    Of `kind` `choice` the text is the number (from 1), the id, the label or the beginning of one of the row's choices; `steer`, `follow_up`
    and `set_model` need an agent that announced to take them.
    `wait` answers only once the job has settled behind it (or the reply was not taken); at the deadline, with what is known.
    """

    job: Ref
    text: str
    answer: bool = False
    wait: bool = False
    kind: ReplyKind = "reply"


class JobKeys(msgspec.Struct, frozen=True):
    """`job.keys`: keys by name (`esc`, `up`, `enter`, `ctrl+c`, `f5`, `alt+x`) or single characters. Answers `{}`."""

    job: Ref
    keys: Annotated[list[str], msgspec.Meta(min_length=1, max_length=1000)]


class JobScreen(msgspec.Struct, frozen=True):
    """`job.screen`: answers `Screen`; `lines` asks for that many rows of history before the screen, `cells` for its `picture`."""

    job: Ref
    ansi: bool = False
    lines: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0
    cells: bool = False


class Screen(msgspec.Struct, frozen=True):
    """What a job's terminal shows (or showed last): rows of text, with SGR sequences if asked for."""

    job: str
    cols: int
    rows: int
    lines: list[str]
    title: str | None = None
    picture: Picture | None = None
    """Where it was asked for; null too where the job's host is of a release that knows none."""
    engine: str | None = None
    """Which engine mirrors the terminal; null where the job's host is of a release that does not tell."""


class JobWait(msgspec.Struct, frozen=True):
    """`job.wait`: until each (or `any`) job has been in one of `until`, or has ended; empty is any settled state. At once if it is so.

    `since` is an event's number: what was so behind it counts, though it is so no longer; without it what comes from the request on does.
    Answers `Waited`; code `timeout` when the request's deadline passes first.
    """

    jobs: Annotated[list[Ref], msgspec.Meta(min_length=1)]
    until: list[State] = []
    any: bool = False
    since: Annotated[int, msgspec.Meta(ge=0)] | None = None


class Waited(msgspec.Struct, frozen=True):
    """The jobs as they were when they got there, the others as they are; `wanted`: whether the wanted state was reached."""

    jobs: list[Job]
    wanted: bool


class JobStop(msgspec.Struct, frozen=True):
    """`job.stop`: end the job's whole process tree; answers `Job` once it has ended."""

    job: Ref
    force: bool = False


class JobRemove(msgspec.Struct, frozen=True):
    """`job.remove`: forget an ended job and what it left on disk; `stop` ends a live one first. Answers `{}`."""

    job: Ref
    stop: bool = False


class JobAgain(msgspec.Struct, frozen=True):
    """`job.again` (the same argv and first task) and `job.resume` (the same session). Answers the new `Job`."""

    job: Ref
    caller: Caller


class JobRename(msgspec.Struct, frozen=True):
    """`job.rename`: answers `Job`."""

    job: Ref
    name: Name


class AttachTo(msgspec.Struct, frozen=True):
    """The answer of `job.attach`: the host's socket; or, of a job that has ended, its last screen as terminal bytes (base64)."""

    job: Job
    socket: str | None = None
    screen: str | None = None
    detach: str | None = None
    """The profile's detach key, where it names one."""


class Left(msgspec.Struct, frozen=True):
    """A process that left its job's session."""

    pid: int
    name: str


class Explanation(msgspec.Struct, frozen=True):
    """The answer of `job.explain`: the evidence at hand, strongest first; `left` names what runs on outside the job's session.

    `engine` mirrors its terminal, and `not_engine` says why not the one that was wanted; both null of a job without a host.
    """

    job: Job
    evidence: list[dict[str, Any]]
    left: list[Left] = []
    engine: str | None = None
    not_engine: str | None = None


class EventSubscribe(msgspec.Struct, frozen=True):
    """`event.subscribe`: items are `Event`s with `seq` > `since`; with `follow` goes on, else ends with `{}`.

    `since` null is from now on (or, without `follow`, everything there is). Code `gone` when `since` is older than what is kept,
    or a number that no event has had yet.
    """

    since: Annotated[int, msgspec.Meta(ge=0)] | None = None
    follow: bool = False


class Event(msgspec.Struct, frozen=True):
    """One durable event. `seq` is global and without gaps; `data` depends on `kind`."""

    seq: int
    at: float
    kind: Literal[
        "job.created",
        "job.state",
        "job.attention",
        "job.parts",
        "job.reply",
        "job.report",
        "job.renamed",
        "job.removed",
    ]
    job: str
    data: dict[str, Any] = {}


class JobWatch(msgspec.Struct, frozen=True):
    """`job.watch`: items are `Jobs`, the whole list at first and whenever a row has changed (at most ten a second)."""

    all: bool = False


class Sockets(msgspec.Struct, frozen=True):
    """Where the daemon's doors are."""

    operator: str
    agent: str


class DaemonStatus(msgspec.Struct, frozen=True):
    """The answer of `daemon.status`. `jobs` counts the live ones, `last_event` is the highest `seq` so far."""

    pid: int
    version: str
    started: float
    jobs: int
    last_event: int
    sockets: Sockets


class DaemonStop(msgspec.Struct, frozen=True):
    """`daemon.stop`: jobs run on, unless `jobs`. Answers `{}` just before the daemon ends."""

    jobs: bool = False


class DaemonRecord(msgspec.Struct, frozen=True):
    """`roostd.json`: where a running daemon is found. A pid is believed only with its start time and boot id."""

    pid: int
    start: int
    """Clock ticks after boot, field 22 of /proc/PID/stat; 0 where there is no /proc."""
    boot: str
    version: str
    protocol: int
    started: float
    runtime: str
    sockets: Sockets

"""The host protocol, version 1: between the daemon, the spawner, a job's PTY host and an attached terminal.

Internal, but versioned: hosts outlive daemons, so a new daemon speaks to hosts that an older one started. Unknown fields are ignored.

The spawner has one stream to its daemon: `Spawn` in; `Up`, `NotUp` and `HostGone` out. A host listens on its own socket. Who
connects says in the first line who it is: `Link` (the daemon; lines both ways follow) or `AttachHello` (a terminal; one `Attached`
or `HostRefusal` line is the answer, then counted frames both ways, kinds below).
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec

from roost_protocol.codes import Code
from roost_protocol.jobs import Attention, Choice, Evidence, Part, ReplyOutcome
from roost_protocol.states import State, WaitingFor

PROTOCOL = 1

OUTPUT: Final = b"O"
"""Host to terminal: bytes of the job, its queries taken out."""
REPAINT: Final = b"P"
"""Host to terminal: columns and rows it is drawn for (two 16-bit numbers, big endian), then bytes that draw the whole screen anew."""
RESIZED: Final = b"S"
"""Host to who records: columns and rows, as in REPAINT, from now on."""
ENDED: Final = b"X"
"""Host to terminal: the job has ended; JSON `{"exit_code", "exit_signal", "row", "parting"}`. `row` is the last one (from 0) of the normal
screen that shows anything, null where that cannot be told; `parting` as in RETURNED. The host closes after it."""
INPUT: Final = b"I"
"""Terminal to host: bytes typed."""
RESIZE: Final = b"R"
"""Terminal to host: columns and rows, as in REPAINT."""
LEND: Final = b"L"
"""Terminal to host: JSON `Lend`, and with it, as SCM_RIGHTS, the descriptor of the terminal itself: from now on the host writes to it
what else OUTPUT and REPAINT would carry, beginning with the whole screen. Without a descriptor it goes on in frames."""
COLOURS: Final = b"C"
"""Terminal to host: JSON `Colours`, as its own terminal told them."""
RETURN: Final = b"B"
"""Terminal to host: write no more to what was lent. It may be lent again."""
RETURNED: Final = b"G"
"""Host to terminal: the answer to RETURN; nothing is written any more. It carries the bytes that undo on
the terminal what no reset of modes undoes (colours, tab stops): it may not have taken them."""


class Pattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A regular expression and where it is searched: on the screen, of which `lines` may say that only so many rows from the bottom
    count that are not empty, or in the title. What has a higher `priority` is searched first."""

    pattern: str
    region: Literal["screen", "title"] = "screen"
    lines: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    priority: Annotated[int, msgspec.Meta(ge=-100, le=100)] = 0


class Detection(msgspec.Struct, frozen=True):
    """The detection part of a profile: patterns over the live screen, and how silence is to be read.

    `settle` is seconds. `recognisable` says that this agent's idle screen always matches `idle`, so that silence means nothing.
    """

    waiting: list[str | Pattern] = []
    working: list[str | Pattern] = []
    idle: list[str | Pattern] = []
    settle: float = 2.0
    recognisable: bool = False
    session: str | None = None
    """A pattern with one group: the agent's session id, as its screen shows it."""


class Typing(msgspec.Struct, frozen=True):
    """How text is typed into this agent: `submit` ends it, `delay` seconds after the text."""

    submit: str = "\r"
    delay: float = 0.3


class HostSpec(msgspec.Struct, frozen=True, kw_only=True):
    """All that a host must know. Carries the job's environment and token: never logged, never written to disk."""

    job: str
    dir: str
    socket: str
    argv: list[str]
    environ: dict[str, str]
    environ_raw: dict[str, str] = {}
    cwd: str
    umask: int = 0o022
    limits: dict[str, int] = {}
    cols: int = 120
    rows: int = 40
    token_hash: str = ""
    detection: Detection = Detection()
    typing: Typing = Typing()
    task: str | None = None
    """Typed once the agent is ready."""
    tasked: bool = False
    """Whether it has a task from the start, typed or in its argv: its first prompt is not the end of anything."""
    stop_signal: str = "SIGTERM"
    mirror: str = "pyte"
    """The engine of its mirror; one that cannot be had is replaced by "pyte"."""

    def __repr__(self) -> str:
        return f"HostSpec(job={self.job!r})"


# --- daemon and spawner


class Spawn(msgspec.Struct, tag="spawn", frozen=True):
    """Fork a host."""

    spec: HostSpec


class Up(msgspec.Struct, tag="up", frozen=True):
    """The host listens and its job's process runs (or could not be run: the exit record says so)."""

    job: str
    pid: int


class NotUp(msgspec.Struct, tag="not_up", frozen=True):
    """There is no host: another has this job, or it could not be forked."""

    job: str
    why: str


class HostGone(msgspec.Struct, tag="host_gone", frozen=True):
    """A host has ended and, where it was killed, its orphans have been ended too. `status` is as `os.waitstatus_to_exitcode` gives it."""

    job: str
    pid: int
    status: int


SpawnerMessage = Up | NotUp | HostGone


# --- on disk, in the job's directory


class HostRecord(msgspec.Struct, frozen=True):
    """`host.json`, written before the job's process starts: where the host is found. A pid is believed only with `start` and `boot`."""

    job: str
    pid: int
    start: int
    boot: str
    socket: str
    token_hash: str
    version: str
    protocol: int = PROTOCOL
    argv: list[str] = []
    cwd: str = "/"


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What changes all the time and is not worth keeping: sent when it changed, at most a few times a second."""

    title: str | None = None
    text: str | None = None
    last_output: float | None = None
    last_change: float | None = None
    attached: int = 0
    looked: float | None = None
    """When a person last had this job on a terminal (Unix seconds)."""


class Status(msgspec.Struct, tag="status", frozen=True, kw_only=True):
    """A snapshot of what the host says of its job: one for each transition, numbered from 1, kept and resent until acked."""

    n: int
    state: State
    since: float
    evidence: Evidence
    waiting_for: WaitingFor | None = None
    question: str | None = None
    choices: list[Choice] | None = None
    attention: Attention | None = None
    knows_idle: bool = False
    session_ref: str | None = None


class Typed(msgspec.Struct, tag="typed", frozen=True):
    """What became of a text or keys to type; remembered by its id for the host's life, so that asking again types nothing."""

    id: str
    outcome: ReplyOutcome
    why: str | None = None
    after: int | None = None
    """The number of the last status before it was entered: every later one is of what followed."""
    at: float | None = None
    """When that was (Unix seconds)."""


class ExitRecord(msgspec.Struct, frozen=True, kw_only=True):
    """`exit.json`, fsynced before the host ends: how the job ended, and all that the daemon may have missed."""

    job: str
    ended: float
    exit_code: int | None
    exit_signal: str | None
    stopped: bool = False
    """A person had asked for it."""
    error: str | None = None
    """Why the process could not be started."""
    statuses: list[Status] = []
    typed: list[Typed] = []
    facts: Facts = Facts()
    parts: list[Part] = []
    """Those that are done or failed, and were not seen."""
    token_hash: str = ""


# --- daemon and host


class Link(msgspec.Struct, tag="link", frozen=True):
    """The daemon's first line; a newer link replaces an older one."""

    protocol: int
    version: str


class Linked(msgspec.Struct, tag="linked", frozen=True, kw_only=True):
    """The host's answer; unacked statuses and the facts follow."""

    protocol: int
    version: str
    job: str
    pid: int
    child: int
    token_hash: str
    cols: int
    rows: int
    engine: str | None = None
    """The engine of its mirror; null from a host of a release that does not tell."""
    not_engine: str | None = None
    """Why it is not the engine that was wanted, if it is not."""


class StatusAck(msgspec.Struct, tag="status_ack", frozen=True):
    """Every status up to and with `n` is durable."""

    n: int


class HostReport(msgspec.Struct, tag="report", frozen=True, kw_only=True):
    """What the agent reported, as evidence. The host answers `Heard` behind any status that follows from it.

    Reports of a job are numbered. The last one comes again when a link begins, and when who made it is back: what it says is no
    news then, only whether its reporter is `connected`: else it yields to newer positive evidence; null is as it was. An older one is no
    news at all. `at` is when it was made (Unix seconds).
    """

    id: int
    at: float
    state: State
    n: int = 0
    connected: bool | None = True
    status: str | None = None
    waiting_for: WaitingFor | None = None
    question: str | None = None
    choices: list[Choice] | None = None


class Heard(msgspec.Struct, tag="heard", frozen=True):
    """The report with this id is part of the evidence now."""

    id: int


class TypeText(msgspec.Struct, tag="type_text", frozen=True):
    """Type a reply and submit it; answered by `Typed` with the same id, now or (again) later. `answer`: as in `operator.JobReply`.

    `sent` is when a person did, in seconds of this boot (CLOCK_MONOTONIC).
    """

    id: str
    text: str
    answer: bool = False
    sent: float | None = None


class TypeKeys(msgspec.Struct, tag="type_keys", frozen=True):
    """Type named keys, encoded by the terminal's modes; answered by `Typed`."""

    id: str
    keys: list[str]


class StopJob(msgspec.Struct, tag="stop", frozen=True):
    """End the job's whole tree: its stop signal and HUP, after a grace KILL; with `force` KILL at once."""

    force: bool = False


class ForgetAttention(msgspec.Struct, tag="forget_attention", frozen=True):
    """A person has answered."""


class Announce(msgspec.Struct, tag="announce", frozen=True):
    """Ring in the terminals that show this job, and give this text to those that notify (OSC 9): another job needs a person."""

    text: str


class AskScreen(msgspec.Struct, tag="ask_screen", frozen=True):
    """Answered by `Answer` with `cols, rows, lines, title`, and with `cells` also `picture` (`pictures.Picture`)."""

    id: int
    ansi: bool = False
    lines: int = 0
    cells: bool = False


class AskEvidence(msgspec.Struct, tag="ask_evidence", frozen=True):
    """Answered by `Answer` with `evidence` (objects: signal, says, detail, at, won, why) and `left` (`operator.Left`)."""

    id: int


class Answer(msgspec.Struct, tag="answer", frozen=True):
    """The answer to the question with this id."""

    id: int
    data: dict[str, Any]


class FactsNow(msgspec.Struct, tag="facts", frozen=True):
    """The facts, when they have changed."""

    facts: Facts


class PartsNow(msgspec.Struct, tag="parts", frozen=True):
    """What the job's programs have told their terminal, when it has changed; sent at the beginning of a link where there is any."""

    parts: list[Part]


LinkToHost = StatusAck | HostReport | TypeText | TypeKeys | StopJob | ForgetAttention | Announce | AskScreen | AskEvidence
HostToLink = Linked | Status | FactsNow | PartsNow | Heard | Typed | Answer


# --- terminal and host

Colour = Annotated[int, msgspec.Meta(ge=0, le=0xFFFFFF)]


class AttachHello(msgspec.Struct, tag="attach", frozen=True, kw_only=True):
    """A terminal's first line. A read-only one never has a say in the size."""

    protocol: int
    version: str
    cols: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    rows: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    read_only: bool = False
    lends: bool = False
    """LEND will come behind the answer: nothing is shown before."""
    records: bool = False
    """It is no terminal and nobody looks: OUTPUT carries all that the job writes, its queries too, RESIZED each new size. Its own size
    means nothing. One that is too slow loses output; a REPAINT that is not the first says so."""


class Lend(msgspec.Struct, frozen=True, kw_only=True):
    """A lent terminal's last will, should whoever lent it die: `leave` is written to it, and its settings become `attributes`.

    `attributes` are those of `termios.tcgetattr`, control characters as numbers; None leaves them alone.
    """

    leave: str = ""
    attributes: list[int | list[int]] | None = None


class Colours(msgspec.Struct, frozen=True, kw_only=True):
    """A terminal's colours, as 0xRRGGBB; None for one that it has not told."""

    foreground: Colour | None = None
    background: Colour | None = None
    cursor: Colour | None = None
    palette: dict[int, Colour] = {}
    """By number, those that were told."""


class Attached(msgspec.Struct, tag="attached", frozen=True, kw_only=True):
    """The host's answer; a REPAINT frame follows, or LEND is waited for."""

    protocol: int
    version: str
    job: str
    cols: int
    rows: int
    borrows: bool = False
    """LEND is waited for. A host that does not know it goes on in frames."""
    records: bool = False
    """It is taken for what it said. A host that does not know it takes it for a terminal."""


class HostRefusal(msgspec.Struct, tag="error", frozen=True):
    """Why a host does not take this connection or line."""

    code: Code
    message: str


FirstLine = Link | AttachHello

"""A real spawner and real hosts, spoken to over real sockets as the daemon and an attached terminal do."""

import json
import os
import select
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from roost_protocol.frame import FrameReader, LineReader, pack_frame
from roost_protocol.host import (
    ENDED,
    INPUT,
    OUTPUT,
    PROTOCOL,
    REPAINT,
    RESIZE,
    RETURNED,
    Answer,
    AskEvidence,
    AskScreen,
    Attached,
    AttachHello,
    Detection,
    ExitRecord,
    FactsNow,
    Heard,
    HostGone,
    HostRecord,
    HostRefusal,
    HostSpec,
    Link,
    Linked,
    LinkToHost,
    NotUp,
    PartsNow,
    Spawn,
    SpawnerMessage,
    Status,
    StatusAck,
    StopJob,
    Typed,
    Typing,
    Up,
)
from roostd.host import record
from tests.support import processes
from tests.support.home import Home
from tests.support.waiting import DEADLINE, eventually

FromHost = Linked | Status | FactsNow | PartsNow | Heard | Typed | Answer | HostRefusal
M = TypeVar("M", Linked, Status, FactsNow, PartsNow, Heard, Typed, Answer, HostRefusal)
S = TypeVar("S", Up, NotUp, HostGone)


class Hosts:
    """A spawner. `start` runs a job; at the end of the block everything that still runs in the home is killed."""

    def __init__(self, home: Home) -> None:
        self.home = home
        ours, theirs = socket.socketpair()
        self.stream = ours
        self._lines = LineReader()
        self.heard: list[SpawnerMessage] = []
        environ = {**os.environ, "PYTHONWARNINGS": "error"}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "roostd.host.spawner", str(home.runtime / "rehearsal")],
            stdin=theirs.fileno(),
            env=environ,
            start_new_session=True,
        )
        theirs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for path in (self.home.state / "jobs").glob("*/host.log"):
            sys.stderr.write(path.read_text())
        self.stream.close()
        self.process.wait()
        self.home.end_all()

    def start(self, argv: Sequence[str], **changes: Any) -> "Job":
        """A job that is up."""
        job = self.launch(argv, **changes)
        up = self.expect(Up, job.spec.job)
        job.pid = up.pid
        return job

    def launch(self, argv: Sequence[str], **changes: Any) -> "Job":
        """A job that was asked for; nothing is waited for."""
        spec = self.spec(argv, **changes)
        self.send(spec)
        return Job(self, spec)

    def spec(self, argv: Sequence[str], *, environ: Mapping[str, str] | None = None, **changes: Any) -> HostSpec:
        name = changes.pop("job", None) or os.urandom(4).hex()
        directory = self.home.state / "jobs" / name
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        variables = {
            **{key: os.environ[key] for key in ("PATH", "HOME", processes.MARKER)},
            **self.home.environ,
            "TERM": "xterm-256color",
            "ROOST_JOB_ID": name,
            "PS1": "$ ",
            **(environ or {}),
        }
        fields: dict[str, Any] = {
            "job": name,
            "dir": str(directory),
            "socket": str(self.home.runtime / "hosts" / f"{name}.sock"),
            "argv": list(argv),
            "environ": variables,
            "cwd": str(self.home.work),
            "cols": 80,
            "rows": 24,
            "token_hash": "0" * 64,
            "detection": Detection(settle=0.5),
            "typing": Typing(delay=0.05),
        }
        return HostSpec(**{**fields, **changes})

    def send(self, spec: HostSpec) -> None:
        self.stream.sendall(msgspec.json.encode(Spawn(spec)) + b"\n")

    def expect(self, kind: type[S], job: str) -> S:
        """Reads until the spawner has said this of this job."""
        deadline = time.monotonic() + DEADLINE
        while True:
            for message in self.heard:
                if isinstance(message, kind) and message.job == job:
                    return message
            left = deadline - time.monotonic()
            if left <= 0 or not self.read(left):
                raise AssertionError(f"the spawner did not say {kind.__name__} of {job}; it said {self.heard}")

    def read(self, within: float) -> bool:
        """Takes what the spawner says within so many seconds; False if it says nothing."""
        if not select.select([self.stream], [], [], within)[0]:
            return False
        data = self.stream.recv(65536)
        assert data, "the spawner has ended"
        self.heard += [msgspec.json.decode(line, type=SpawnerMessage) for line in self._lines.feed(data)]
        return True


class Job:
    """One job of a spawner, seen from outside."""

    def __init__(self, hosts: Hosts, spec: HostSpec) -> None:
        self.hosts = hosts
        self.spec = spec
        self.pid = 0
        self.directory = Path(spec.dir)

    def link(self) -> "HostLink":
        return HostLink(self.spec)

    def attach(self, cols: int = 80, rows: int = 24, *, read_only: bool = False, lends: bool = False) -> "Attachment":
        return Attachment(self.spec, cols, rows, read_only=read_only, lends=lends)

    def gone(self) -> HostGone:
        """Waits for the host's end."""
        return self.hosts.expect(HostGone, self.spec.job)

    def host_record(self) -> HostRecord:
        return msgspec.json.decode((self.directory / record.HOST).read_bytes(), type=HostRecord)

    def exit_record(self) -> ExitRecord:
        """The exit record, once the host is gone."""
        self.gone()
        return msgspec.json.decode((self.directory / record.EXIT).read_bytes(), type=ExitRecord)

    def last_screen(self) -> record.LastScreen:
        self.gone()
        return msgspec.json.decode((self.directory / record.SCREEN).read_bytes(), type=record.LastScreen)


def connect(spec: HostSpec) -> socket.socket:
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    peer.connect(spec.socket)
    return peer


class Peer:
    """A socket that is read with a deadline."""

    def __init__(self, peer: socket.socket) -> None:
        self.socket = peer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.socket.close()

    def receive(self, deadline: float) -> bytes | None:
        """What came; empty at the end; None if nothing came by the deadline."""
        if not select.select([self.socket], [], [], max(0.0, deadline - time.monotonic()))[0]:
            return None
        try:
            return self.socket.recv(65536)
        except ConnectionResetError:
            return b""


class HostLink(Peer):
    """The daemon's side of a link. `heard` is everything the host said on it, in order."""

    def __init__(self, spec: HostSpec) -> None:
        super().__init__(connect(spec))
        self.heard: list[FromHost] = []
        self.ended = False
        self._lines = LineReader()
        self._questions = 0
        self.socket.sendall(msgspec.json.encode(Link(PROTOCOL, "test")) + b"\n")
        self.linked = self.expect(Linked)

    def send(self, *messages: LinkToHost) -> None:
        """All at once: nothing happens between them."""
        self.socket.sendall(b"".join(msgspec.json.encode(message) + b"\n" for message in messages))

    def expect(self, kind: type[M], wanted: Callable[[M], object] = lambda message: True) -> M:
        """Reads until a message of this kind that is wanted has come, and gives the first such."""
        deadline = time.monotonic() + DEADLINE
        at = 0
        while True:
            for message in self.heard[at:]:
                if isinstance(message, kind) and wanted(message):
                    return message
            at = len(self.heard)
            if self.ended or not self._read(deadline):
                raise AssertionError(f"no wanted {kind.__name__} came; the host said {self.heard}")

    def expect_state(self, state: str) -> Status:
        """Reads until the newest status has this state."""
        found = eventually(lambda: self._is(state), f"the state {state}")
        assert found is not None
        return found

    def statuses(self) -> list[Status]:
        return [message for message in self.heard if isinstance(message, Status)]

    def ask_screen(self, *, ansi: bool = False, lines: int = 0, cells: bool = False) -> dict[str, Any]:
        self._questions += 1
        self.send(AskScreen(self._questions, ansi, lines, cells))
        return self._answer()

    def ask_evidence(self) -> dict[str, Any]:
        self._questions += 1
        self.send(AskEvidence(self._questions))
        return self._answer()

    def expect_screen(self, wanted: str) -> list[str]:
        """Asks until this text stands on the screen."""

        def shown() -> list[str] | None:
            lines: list[str] = self.ask_screen()["lines"]
            assert wanted in "\n".join(lines), "\n".join(lines)
            return lines

        found = eventually(shown, f"{wanted!r} on the screen")
        assert found is not None
        return found

    def ack(self, n: int) -> None:
        self.send(StatusAck(n))

    def stop(self, *, force: bool = False) -> None:
        self.send(StopJob(force))

    def at_end(self) -> bool:
        """Reads until the host closes."""
        deadline = time.monotonic() + DEADLINE
        while not self.ended and self._read(deadline):
            continue
        return self.ended

    def _answer(self) -> dict[str, Any]:
        number = self._questions
        return self.expect(Answer, lambda answer: answer.id == number).data

    def _is(self, state: str) -> Status | None:
        while self._read(time.monotonic()):
            continue
        newest = self.statuses()[-1:]
        return newest[0] if newest and newest[0].state == state else None

    def _read(self, deadline: float) -> bool:
        data = self.receive(deadline)
        if not data:
            self.ended = self.ended or data == b""
            return False
        self.heard += [msgspec.json.decode(line, type=FromHost) for line in self._lines.feed(data)]
        return True


class Attachment(Peer):
    """A terminal's side. `output` is every raw byte relayed, `repaints` every picture with its size, `end` what ENDED said."""

    def __init__(self, spec: HostSpec, cols: int, rows: int, *, read_only: bool = False, lends: bool = False) -> None:
        super().__init__(connect(spec))
        self.output = bytearray()
        self.repaints: list[tuple[int, int, bytes]] = []
        self.end: dict[str, Any] | None = None
        self.returned = False
        """Whether the host has said that it writes no more to what it was lent."""
        self.closed = False
        self._searched = 0
        self._frames = FrameReader()
        hello = AttachHello(protocol=PROTOCOL, version="test", cols=cols, rows=rows, read_only=read_only, lends=lends)
        self.socket.sendall(msgspec.json.encode(hello) + b"\n")
        self.attached = self._attached()

    def type(self, data: bytes | str) -> None:
        self.socket.sendall(pack_frame(INPUT, data.encode() if isinstance(data, str) else data))

    def resize(self, cols: int, rows: int) -> None:
        self.socket.sendall(pack_frame(RESIZE, struct.pack(">HH", cols, rows)))

    def expect(self, wanted: bytes) -> None:
        """Reads until these bytes were relayed, behind the last that were expected."""
        self.read_until(lambda: self.output.find(wanted, self._searched) >= 0, f"{wanted!r}")
        self._searched = self.output.index(wanted, self._searched) + len(wanted)

    def expect_end(self) -> dict[str, Any]:
        self.read_until(lambda: self.end is not None, "the end")
        assert self.end is not None
        return self.end

    def read_until(self, condition: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + DEADLINE
        while not condition():
            data = self.receive(deadline)
            if not data:
                raise AssertionError(f"{what} did not come; output: {bytes(self.output[-2000:])!r}; pictures: {self.repaints[-1:]}")
            self._take(data)

    def _attached(self) -> Attached:
        data = b""
        while b"\n" not in data:
            more = self.receive(time.monotonic() + DEADLINE)
            assert more, f"the host did not answer: {data!r}"
            data += more
        line, _, rest = data.partition(b"\n")
        attached = msgspec.json.decode(line, type=Attached)
        self._take(rest)
        return attached

    def _take(self, data: bytes) -> None:
        for kind, payload in self._frames.feed(data):
            if kind == OUTPUT:
                self.output += payload
            elif kind == REPAINT:
                cols, rows = struct.unpack(">HH", payload[:4])
                self.repaints.append((cols, rows, payload[4:]))
            elif kind == ENDED:
                self.end = json.loads(payload)
            elif kind == RETURNED:
                self.returned = True

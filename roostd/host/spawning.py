"""Forks a host for each `Spawn` that the daemon sends, and tells the daemon of its end.

The spawner is the hosts' subreaper: of a host that was killed it ends what is left, before it says `HostGone`.
"""

from __future__ import annotations

import os
import select
import signal
import socket
from dataclasses import dataclass, field

import msgspec

from roost_protocol.decoding import MALFORMED
from roost_protocol.frame import LineReader, TooLong
from roost_protocol.host import HostGone, HostSpec, NotUp, Spawn, SpawnerMessage, Up
from roostd import process
from roostd.host import main as host_main
from roostd.host import orphans, record

MAX_SPEC = 4 * 1024 * 1024
"""Bytes of one `Spawn` line: arguments and environment of at most 1 MiB, however they had to be escaped."""

IGNORED = (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGTTOU, signal.SIGTTIN, signal.SIGUSR1, signal.SIGTSTP)
"""By the spawner and, inherited, by every host until it listens to it; a job's own process has none of it."""

AGAIN = 50
"""Milliseconds until what was killed is looked for again, where its end is not told us by a signal."""


@dataclass(slots=True)
class Child:
    """A host, from its fork to its end. `report` is the pipe on which it says that it is up, until it has."""

    job: str
    pid: int
    directory: str
    report: int
    up: bool = False
    why: str = ""
    status: int | None = None


@dataclass(slots=True)
class Spawner:
    stream: socket.socket
    # Not `selectors`: each page that is written between two forks is one more that a host has by itself.
    poll: select.poll = field(default_factory=select.poll)
    lines: LineReader = field(default_factory=lambda: LineReader(MAX_SPEC))
    hosts: dict[int, Child] = field(default_factory=dict)
    reports: dict[int, Child] = field(default_factory=dict)
    ending: list[Child] = field(default_factory=list)
    helpers: set[int] = field(default_factory=set)
    wakers: list[socket.socket] = field(default_factory=list)

    def run(self) -> None:
        """Returns when the daemon is gone."""
        self._listen_to_signals()
        reads = {self.stream.fileno(): self._read_daemon, self.wakers[0].fileno(): self._signalled}
        for fd in reads:
            self.poll.register(fd, select.POLLIN)
        while True:
            for fd, _ in self.poll.poll(AGAIN if self.ending else None):
                if fd in reads:
                    if not reads[fd]():
                        return
                elif fd in self.reports:
                    self._read_report(self.reports[fd])
            if self.ending:
                self._end_orphans()

    def _listen_to_signals(self) -> None:
        woken, waker = socket.socketpair()
        self.wakers = [woken, waker]
        for end in self.wakers:
            end.setblocking(False)
        signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, _heard)
        signal.signal(signal.SIGTERM, _heard)
        for number in IGNORED:
            signal.signal(number, signal.SIG_IGN)

    def _signalled(self) -> bool:
        came = self.wakers[0].recv(4096)
        if signal.SIGTERM in came:
            return False
        self._reap()
        return True

    def _read_daemon(self) -> bool:
        try:
            data = self.stream.recv(262_144)
            lines = self.lines.feed(data)
        except (OSError, TooLong):
            return False
        for line in lines:
            self._spawn(line)
        return bool(data)

    def _spawn(self, line: bytes) -> None:
        try:
            spec = msgspec.json.decode(line, type=Spawn).spec
        except MALFORMED:
            return  # An answer would have to name a job, and the line might hold a secret.
        try:
            ours, theirs = os.pipe()
            pid = _fork_with(ours, theirs)
        except OSError as error:
            self._send(NotUp(spec.job, f"no host could be forked: {error.strerror}"))
            return
        if pid == 0:
            os.close(ours)
            self._become_host(spec, theirs)
        os.close(theirs)
        child = Child(spec.job, pid, spec.dir, ours)
        self.hosts[pid] = self.reports[ours] = child
        self.poll.register(ours, select.POLLIN)

    def _become_host(self, spec: HostSpec, report: int) -> None:
        """Runs in the fork, and never returns into the spawner's code."""
        signal.set_wakeup_fd(-1)
        for open_end in (self.stream, *self.wakers):
            open_end.close()
        for pipe in self.reports:
            os.close(pipe)
        host_main.become(spec, report)

    def _read_report(self, child: Child) -> None:
        if self.reports.pop(child.report, None) is None:
            return  # It was read before.
        said = os.read(child.report, 4096)
        self.poll.unregister(child.report)
        os.close(child.report)
        if said == b"up\n":
            child.up = True
            self._send(Up(child.job, child.pid))
        elif said:
            child.why = said.decode("utf-8", "replace").removeprefix("not_up ").strip()

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            self.helpers.discard(pid)
            child = self.hosts.pop(pid, None)
            if child:
                child.status = os.waitstatus_to_exitcode(status)
                self._read_report(child)
                self.ending.append(child)

    def _end_orphans(self) -> None:
        """For each host that ended: keep its helpers if it ended well, else kill until nothing of it is left."""
        table = process.table()
        clean = [child for child in self.ending if child.why or _ended_well(child)]
        killed = [child for child in self.ending if child not in clean]
        self.ending = [child for child in killed if self._kill_left(child, table)]
        if clean and not self.ending:
            self.helpers |= orphans.left_to(table, os.getpid()) - set(self.hosts)
        for child in [*clean, *(child for child in killed if child not in self.ending)]:
            self._tell_end(child)

    def _kill_left(self, child: Child, table: dict[int, process.Stat]) -> bool:
        left = orphans.of_killed_host(
            table,
            os.getpid(),
            job=child.job,
            hosts=self.hosts,
            helpers=self.helpers,
            daemons={pid for pid in process.below(table, {os.getpid()}) if process.is_daemons(pid)},
            named=process.with_job_id(child.job),
            job_of=process.job_of,
        )
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
        return bool(left)

    def _tell_end(self, child: Child) -> None:
        if child.up:
            self._send(HostGone(child.job, child.pid, child.status or 0))
        else:
            self._send(NotUp(child.job, child.why or "its host ended before it was up"))

    def _send(self, message: SpawnerMessage) -> None:
        try:
            self.stream.sendall(msgspec.json.encode(message) + b"\n")
        except OSError:
            return  # The daemon is gone; the stream's end says so next.


def _fork_with(*ends: int) -> int:
    """`os.fork`; where it fails these descriptors are closed."""
    try:
        return os.fork()
    except OSError:
        for end in ends:
            os.close(end)
        raise


def _ended_well(child: Child) -> bool:
    return child.status == 0 and os.path.lexists(f"{child.directory}/{record.EXIT}")


def _heard(number: int, frame: object) -> None:
    """A handler in Python must exist, for the number to be written to the wake-up descriptor."""

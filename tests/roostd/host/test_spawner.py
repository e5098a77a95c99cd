"""The spawner itself: what it survives, and what it says."""

import errno
import os
import random
import signal
import socket
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import msgspec
import pytest

from roost_protocol.host import HostGone, HostSpec, NotUp, Spawn, Up
from roostd import process
from roostd.host.spawning import Spawner
from tests.support.hosts import Hosts
from tests.support.waiting import eventually


def test_a_host_that_is_killed_at_any_moment_leaves_nothing(hosts: Hosts) -> None:
    chance = random.Random(7)
    hosts.start(["true"]).gone()  # The spawner is through with its rehearsal.
    for _ in range(25):
        before = process.descendants(hosts.process.pid)
        job = hosts.launch(["sh", "-c", "setsid sleep 1000 & exec sleep 1000"])
        host = eventually(partial(new_below, hosts.process.pid, before), "a host")
        time.sleep(chance.random() * 0.06)  # the moment is what is tried; nothing is waited for
        os.kill(min(host), signal.SIGKILL)
        eventually(partial(said, hosts, job.spec.job), "the host's end")
        assert process.with_job_id(job.spec.job) == set()
    assert process.descendants(hosts.process.pid) == set()
    assert hosts.start(["true"]).exit_record().exit_code == 0


def new_below(pid: int, before: set[int]) -> set[int]:
    return process.descendants(pid) - before


def said(hosts: Hosts, job: str) -> bool:
    """Whether the spawner has said that there is no host any more: `NotUp`, or `Up` and then `HostGone`."""
    hosts.read(0.01)
    kinds = [type(message) for message in hosts.heard if message.job == job]
    assert kinds in ([], [Up], [NotUp], [Up, HostGone])
    return kinds in ([NotUp], [Up, HostGone])


def test_a_line_that_is_no_spec_is_passed_over(hosts: Hosts) -> None:
    hosts.stream.sendall(b'{"type":"spawn","spec":{"job":1}}\nnonsense\n\n')
    assert hosts.start(["true"]).exit_record().exit_code == 0


def test_a_directory_that_is_not_there_is_told(hosts: Hosts) -> None:
    spec = hosts.spec(["true"], dir="/no/such/directory")
    hosts.send(spec)
    assert "/no/such/directory" in hosts.expect(NotUp, spec.job).why


def test_a_fork_that_fails_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        spawner = Spawner(theirs)
        line = msgspec.json.encode(Spawn(HostSpec(job="j", dir="/", socket="/socket", argv=["true"], environ={}, cwd="/")))
        before = len(os.listdir("/dev/fd"))  # noqa: PTH208
        monkeypatch.setattr(os, "fork", refuse)
        spawner._spawn(line)
        assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208
        assert "no host could be forked" in msgspec.json.decode(ours.recv(1000), type=NotUp).why


def refuse() -> int:
    raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")


def test_it_ends_by_sigterm_and_ignores_what_a_terminal_sends(hosts: Hosts) -> None:
    hosts.start(["true"]).gone()  # It is there, with its signals set up.
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTSTP):
        os.kill(hosts.process.pid, number)
    assert hosts.start(["true"]).exit_record().exit_code == 0
    os.kill(hosts.process.pid, signal.SIGTERM)
    assert hosts.process.wait(20) == 0


def test_a_host_that_is_asked_for_its_socket_too_early_lives_on() -> None:
    ours, theirs = socket.socketpair()
    script = "import socket; from roostd.host.spawning import Spawner; Spawner(socket.socket(fileno=0)).run()"
    with ours, theirs, subprocess.Popen([sys.executable, "-c", script], stdin=theirs.fileno()) as bare:
        eventually(lambda: signals_of(bare.pid, "SigCgt") & 1 << signal.SIGTERM - 1)
        eventually(lambda: signals_of(bare.pid, "SigIgn") & 1 << signal.SIGTSTP - 1)
        os.kill(bare.pid, signal.SIGUSR1)
        ours.shutdown(socket.SHUT_RDWR)
        assert bare.wait(20) == 0


def signals_of(pid: int, which: str) -> int:
    """A set of signals, one bit for each (proc_pid_status(5))."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith(f"{which}:")), 16)


def test_hosts_keep_nothing_of_the_spawners(hosts: Hosts) -> None:
    first = hosts.start(["cat"])
    second = hosts.start(["cat"])
    for job in (first, second):
        shared = set(open_by(job.pid)) & set(open_by(hosts.process.pid))
        assert {link for link in shared if link.startswith(("socket:", "pipe:"))} == set()
        assert os.getsid(job.pid) == job.pid


def test_a_job_inherits_neither_lock_nor_sockets(hosts: Hosts) -> None:
    job = hosts.start(["cat"])
    with job.link() as link:
        child = link.linked.child
        links = open_by(child)
    assert all(link.startswith("/dev/pts/") for link in links)


def open_by(pid: int) -> list[str]:
    """What a process has open."""
    return [str(entry.readlink()) for entry in Path(f"/proc/{pid}/fd").iterdir()]

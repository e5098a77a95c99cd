"""Other processes, as /proc tells of them. What parses is pure; where there is no /proc every answer is "none".

A pid alone names nobody, since pids are used again: believe it only with its start time and the boot it started in.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

JOB_VARIABLE = "ROOST_JOB_ID"
"""The variable that every process of a job inherits."""

DAEMON_VARIABLE = "ROOST_DAEMON"
"""The variable of a daemon, its spawner and its hosts. One that was started from inside a job may descend from it, with all its other
jobs; it is no part of it."""

_PROC = "/proc"
_GONE = frozenset("ZXx")


class Stat(NamedTuple):
    """The fields of /proc/PID/stat that roost reads (proc(5)). `start` is clock ticks since boot."""

    name: str
    state: str
    parent: int
    session: int
    start: int


def parse_stat(raw: bytes) -> Stat | None:
    """One stat line; None if it is not one. The name may hold spaces and parentheses, so that the fields count from the last one."""
    head, parenthesis, tail = raw.rpartition(b")")
    fields = tail.split()
    if not parenthesis or len(fields) < 20:
        return None
    name = head.partition(b"(")[2].decode("utf-8", "replace")
    return Stat(name, fields[0].decode("ascii", "replace"), int(fields[1]), int(fields[3]), int(fields[19]))


def stat(pid: int) -> Stat | None:
    """What /proc says of a process, a zombie included; None for one that is gone."""
    return parse_stat(_read(f"{_PROC}/{pid}/stat"))


def start_time(pid: int) -> int | None:
    """When the process started, in clock ticks since boot; None for one that is gone."""
    found = stat(pid)
    return None if found is None else found.start


def boot_id() -> str:
    """Which boot this is; empty where the system does not tell."""
    return _read(f"{_PROC}/sys/kernel/random/boot_id").decode("ascii", "replace").strip()


def alive(pid: int, start: int, boot: str) -> bool:
    """Whether exactly this process runs: not another with its pid, not its zombie."""
    found = stat(pid)
    return found is not None and found.start == start and found.state not in _GONE and boot == boot_id()


def descendants(pid: int, processes: Mapping[int, Stat] | None = None) -> set[int]:
    """Every live process below `pid`, not `pid` itself; a daemon that was started there, and all below it, left out."""
    processes = table() if processes is None else processes
    found = below(processes, {pid})
    daemons = {pid for pid in found if is_daemons(pid)}
    return found - daemons - below(processes, daemons) if daemons else found


def is_daemons(pid: int) -> bool:
    """Whether it is a daemon, a spawner or a host."""
    return f"\0{DAEMON_VARIABLE}=".encode() in b"\0" + environ(pid)


def with_job_id(job: str) -> set[int]:
    """Every live process of ours that was started with this job's id, however it detached itself; never the caller."""
    needle = f"\0{JOB_VARIABLE}={job}\0".encode()
    me = os.getpid()
    return {pid for pid in pids() if pid != me and needle in b"\0" + environ(pid) and _is_live(stat(pid))}


def job_of(pid: int) -> str | None:
    """The job whose id this process was started with; None if there is none, or it is not ours to read."""
    for entry in environ(pid).split(b"\0"):
        name, _, value = entry.partition(b"=")
        if name == JOB_VARIABLE.encode():
            return value.decode("utf-8", "replace")
    return None


def table() -> dict[int, Stat]:
    """All processes, zombies included, by pid."""
    found = ((pid, stat(pid)) for pid in pids())
    return {pid: entry for pid, entry in found if entry is not None}


def below(processes: Mapping[int, Stat], roots: Iterable[int]) -> set[int]:
    """The live ones of `processes` that descend from `roots`; the roots left out."""
    children: dict[int, list[int]] = {}
    for pid, entry in processes.items():
        children.setdefault(entry.parent, []).append(pid)
    start = set(roots)
    found: set[int] = set()
    rest = list(start)
    while rest:
        for pid in children.get(rest.pop(), ()):
            if pid not in found and pid not in start:
                found.add(pid)
                rest.append(pid)
    return {pid for pid in found if _is_live(processes[pid])}


def pids() -> list[int]:
    """Every pid there is."""
    try:
        return [int(name) for name in os.listdir(_PROC) if name.isdigit()]  # noqa: PTH208
    except OSError:
        return []


def environ(pid: int) -> bytes:
    """The environment a process was started with, NUL-separated; empty for one that is gone or another user's."""
    return _read(f"{_PROC}/{pid}/environ")


def _is_live(entry: Stat | None) -> bool:
    return entry is not None and entry.state not in _GONE


def _read(path: str) -> bytes:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    chunks = []
    try:
        while chunk := os.read(fd, 65536):
            chunks.append(chunk)
    except OSError:
        return b""
    finally:
        os.close(fd)
    return b"".join(chunks)

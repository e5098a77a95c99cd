"""The processes of a test run, found by a marker in their environment and by descent, through /proc."""

import os
import signal
from collections.abc import Iterable
from pathlib import Path

from tests.support.waiting import eventually

MARKER = "ROOST_TEST"
PROC = Path("/proc")
KERNEL = (0, 2)
"""Parents of what is no program: the kernel's threads."""


def alive(pid: int) -> bool:
    """Whether the process exists and is no zombie."""
    return _state_and_parent(pid)[0] not in ("", "Z", "X")


def environ_of(pid: int) -> dict[str, str]:
    """The environment a process was started with; empty for one that is gone or another user's."""
    try:
        entries = (PROC / str(pid) / "environ").read_bytes().split(b"\0")
    except OSError:
        return {}
    pairs = (os.fsdecode(entry).partition("=") for entry in entries if entry)
    return {name: value for name, _, value in pairs}


def command_of(pid: int) -> str:
    try:
        return os.fsdecode((PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").strip())
    except OSError:
        return "?"


def with_environ(name: str, value: str) -> set[int]:
    """Live processes that were started with this variable, however they detached themselves since; never ourselves."""
    needle = b"\0" + os.fsencode(f"{name}={value}") + b"\0"
    return {pid for pid in _pids() if pid != os.getpid() and needle in _raw_environ(pid) and alive(pid)}


def descendants(root: int) -> set[int]:
    """Live processes below `root`, not `root` itself."""
    return {pid for pid in _below({root}, {pid: _state_and_parent(pid)[1] for pid in _pids()}) if alive(pid)}


def of_this_run() -> set[int]:
    """Every live process that this test run has started. Asked twice a test, so others' processes are looked at once only."""
    pids = set(_pids()) - {os.getpid()}
    _foreign.intersection_update(pids)
    environs = {pid: _raw_environ(pid) for pid in pids - _foreign}
    needle = os.fsencode(f"\0{MARKER}={os.environ.get(MARKER, '')}\0")
    marked = {pid for pid, environ in environs.items() if needle in environ}
    parents = {pid: _state_and_parent(pid)[1] for pid in environs}
    ours = marked | _below(marked | {os.getpid()}, parents)
    # One that shows no environment is just being started, or has ended, and is looked at again; or it is the kernel's.
    _foreign.update(pid for pid in parents if pid not in ours and (environs[pid] or parents[pid] in KERNEL))
    return {pid for pid in ours if alive(pid)}


_foreign: set[int] = set()


def end(pids: Iterable[int]) -> None:
    """Kills these processes and waits until they are gone. Only for pids that the caller started."""
    pids = set(pids)
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    eventually(lambda: not any(alive(pid) for pid in pids), f"the end of {sorted(pids)}")


def _below(roots: set[int], parents: dict[int, int]) -> set[int]:
    found: set[int] = set()
    rest = roots
    while rest:
        rest = {pid for pid, parent in parents.items() if parent in rest and pid not in found}
        found |= rest
    return found


def _pids() -> list[int]:
    if not PROC.is_dir():
        return []
    return [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()]


def _raw_environ(pid: int) -> bytes:
    try:
        return b"\0" + (PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return b""


def _state_and_parent(pid: int) -> tuple[str, int]:
    try:
        stat = (PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return "", 0
    # The name stands in parentheses and may hold anything, so that the fields count from the last one.
    fields = stat[stat.rindex(b")") + 1 :].split()
    return fields[0].decode(), int(fields[1])

"""How long commands take, from start to end, two of them turn by turn so that noise meets both."""

from __future__ import annotations

import os
import select
import signal
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tests.bench.place import PATIENCE, BenchError


@dataclass(frozen=True, slots=True)
class Pair:
    """Milliseconds of one command and of its peer, sample by sample."""

    roost: list[float] = field(default_factory=list)
    peer: list[float] = field(default_factory=list)


def clocked(argv: Sequence[str], environ: Mapping[str, str]) -> tuple[float, str]:
    """Milliseconds from before the process is made until it has ended, and what it printed (up to 64 KiB).

    Its output goes to a file, so that nothing it may leave running can hold us up. BenchError if it failed.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, out.fileno(), 1),
            (os.POSIX_SPAWN_DUP2, err.fileno(), 2),
        ]
        begun = time.perf_counter()
        pid = os.posix_spawn(argv[0], list(argv), dict(environ), file_actions=actions)
        status = _end_of(pid, argv)
        took = (time.perf_counter() - begun) * 1000
        if status:
            message = os.pread(err.fileno(), 1000, 0).decode(errors="replace").strip()
            raise BenchError(f"{' '.join(argv[:3])} failed: {message or os.waitstatus_to_exitcode(status)}")
        return took, os.pread(out.fileno(), 65536, 0).decode(errors="replace")


def _end_of(pid: int, argv: Sequence[str]) -> int:
    """The wait status of a child. One that does not end is killed, and is a BenchError."""
    descriptor = os.pidfd_open(pid)
    try:
        ended = select.select([descriptor], [], [], PATIENCE)[0]
    finally:
        os.close(descriptor)
    if not ended:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    if not ended:
        raise BenchError(f"{' '.join(argv[:3])} did not end within {PATIENCE:g} s")
    return status


def turn_by_turn(roost: Callable[[], float], peer: Callable[[], float], times: int, warm: int = 3) -> Pair:
    """`times` samples of each, alternating; `warm` rounds before them do not count (files cached, bytecode written)."""
    pair = Pair()
    for turn in range(-warm, times):
        one, other = roost(), peer()
        if turn >= 0:
            pair.roost.append(one)
            pair.peer.append(other)
    return pair

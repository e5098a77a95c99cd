"""What a test left behind: processes, sockets and files that were not there before it."""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.support import processes
from tests.support.waiting import eventually


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Pids and paths at one moment."""

    pids: frozenset[int]
    paths: frozenset[Path]


def snapshot(run_dir: Path) -> Snapshot:
    """Processes of this run, everything below its private folder, and the daemon's folder of last resort."""
    return Snapshot(frozenset(processes.of_this_run()), frozenset(_paths(run_dir)))


def new_since(before: Snapshot, run_dir: Path, patience: float = 5) -> list[str]:
    """One line for each thing that was not there before. Processes get `patience` seconds, then are ended."""

    def gone() -> bool:
        return not processes.of_this_run() - before.pids

    try:
        eventually(gone, within=patience)
    except AssertionError:
        pass
    pids = processes.of_this_run() - before.pids
    lines = [f"process {pid}: {processes.command_of(pid)}" for pid in sorted(pids)]
    processes.end(pids)
    return lines + [f"file {path}" for path in sorted(set(_paths(run_dir)) - before.paths)]


def _paths(run_dir: Path) -> list[Path]:
    fallback = Path("/tmp") / f"roost-{os.getuid()}"
    found = [Path(folder) / name for folder, folders, files in os.walk(run_dir) for name in [*folders, *files]]
    return [*found, fallback] if fallback.exists() else found


def private_folder() -> Path:
    """A new folder with a short path: a unix socket's may have 107 bytes at most."""
    base = "/tmp" if Path("/tmp").is_dir() else None
    return Path(tempfile.mkdtemp(prefix="rt-", dir=base))

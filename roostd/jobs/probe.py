"""What lies in jobs' directories, and whether their hosts live."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from roost_protocol.decoding import MALFORMED
from roost_protocol.host import ExitRecord, HostRecord
from roost_protocol.states import LIVE
from roostd import process
from roostd.jobs.record import Record
from roostd.jobs.recovery import Found

T = TypeVar("T")


def look(directory: Path, record: Record | None) -> Found:
    """The lock first: a host writes its exit record before it lets go of it."""
    locked = is_locked(directory)
    host = _read(directory / "host.json", HostRecord)
    return Found(directory.name, record, host, _read(directory / "exit.json", ExitRecord), locked)


def look_around(jobs_dir: Path, records: Mapping[str, Record]) -> list[Found]:
    """Every job that lives by its record, and every directory of none."""
    live = [job for job, record in records.items() if record.job.state in LIVE]
    strangers = sorted(path.name for path in jobs_dir.iterdir() if path.name not in records)
    return [look(jobs_dir / job, records.get(job)) for job in (*live, *strangers)]


def is_locked(directory: Path) -> bool:
    """Whether a host holds its lock."""
    fd = take_lock(directory, create=False)
    if fd is None:
        return (directory / "host.lock").exists()
    os.close(fd)
    return False


def take_lock(directory: Path, create: bool = True) -> int | None:
    """A descriptor that holds the host's lock, or None if somebody else does (or there is none and it may not be made)."""
    flags = os.O_RDWR | os.O_CLOEXEC | (os.O_CREAT if create else 0)
    try:
        fd = os.open(directory / "host.lock", flags, 0o600)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        return None
    return fd


def bury(directory: Path, exit_record: ExitRecord) -> Found | None:
    """Leaves a tombstone, so that no late host starts this job. None on success; else what was there already."""
    fd = take_lock(directory)
    if fd is None:
        return look(directory, None)
    try:
        found = Found(
            directory.name,
            None,
            _read(directory / "host.json", HostRecord),
            _read(directory / "exit.json", ExitRecord),
            False,
        )
        if found.host is not None or found.exit is not None:
            return found
        write_durably(directory / "exit.json", msgspec.json.encode(exit_record))
        return None
    finally:
        os.close(fd)


def write_durably(path: Path, data: bytes) -> None:
    """Atomic: the old content or the new, also after a crash."""
    beside = path.with_name(f"{path.name}.new")
    fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def remove(directory: Path) -> None:
    """What a job left on disk, its screen and log included."""
    shutil.rmtree(directory, ignore_errors=True)


def is_host(host: HostRecord) -> bool:
    """Whether this very process still runs."""
    return process.alive(host.pid, host.start, host.boot)


def has_socket(host: HostRecord) -> bool:
    """Whether something lies where its socket should."""
    return Path(host.socket).exists()


def remove_socket(host: HostRecord) -> None:
    """What a host that was killed could not tidy up."""
    with suppress(OSError):
        Path(host.socket).unlink(missing_ok=True)


def remake_socket(host: HostRecord) -> None:
    """Has a host make its socket again."""
    _signal(host, signal.SIGUSR1)


def ask_to_stop(host: HostRecord) -> None:
    """Has a host end its job, as it would if its link said so."""
    _signal(host, signal.SIGTERM)


def kill(host: HostRecord) -> None:
    """Ends a host that hears nothing; its job is lost."""
    _signal(host, signal.SIGKILL)


def wake(directory: Path) -> None:
    """Lets a job's host go on that somebody has suspended: it could not even be told to end."""
    host = _read(directory / "host.json", HostRecord)
    if host is not None:
        _signal(host, signal.SIGCONT)


def end_orphans(job: str) -> None:
    """SIGKILL to everything that was started with this job's id, until there is nothing. Blocking, and short."""
    for _ in range(1000):
        pids = process.with_job_id(job)
        if not pids:
            return
        for pid in pids:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def _signal(host: HostRecord, number: signal.Signals) -> None:
    if is_host(host):
        with suppress(ProcessLookupError):
            os.kill(host.pid, number)


def _read(path: Path, kind: type[T]) -> T | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, *MALFORMED):
        return None

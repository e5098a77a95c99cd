"""What a job leaves in its directory: where its host is, how it ended, and its last screen. Each file is whole or not there.

`host.json` (`HostRecord`) before the process starts; `exit.json` (`ExitRecord`) when it has ended; `screen.json` (`LastScreen`) and
`screen.ansi` (bytes that draw it, history included) before that.
"""

from __future__ import annotations

import fcntl
import os

import msgspec

from roost_protocol.host import ExitRecord, HostRecord
from roostd.host import rows
from roostd.host.mirror.interface import Mirror

HISTORY = 2000
"""Rows of history that are kept with the last screen."""

HOST = "host.json"
EXIT = "exit.json"
SCREEN = "screen.json"
ANSI = "screen.ansi"
LOCK = "host.lock"


class LastScreen(msgspec.Struct, frozen=True, kw_only=True):
    """`screen.json`: the visible rows as text and with SGR sequences, and the rows that had scrolled off."""

    cols: int
    rows: int
    lines: list[str]
    ansi: list[str]
    history: list[str]
    title: str | None = None
    engine: str | None = None


def lock(directory: str) -> int | None:
    """Take the job for this host's life: a descriptor to keep, close-on-exec; None if another host has it.

    Raises OSError where the directory is gone.
    """
    fd = os.open(f"{directory}/{LOCK}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        return None
    return fd


def taken(directory: str) -> bool:
    """Whether a host has had this job already."""
    return any(os.path.lexists(f"{directory}/{name}") for name in (HOST, EXIT))


def write_host(directory: str, record: HostRecord) -> None:
    """Raises OSError."""
    write_atomically(directory, HOST, msgspec.json.encode(record))


def write_exit(directory: str, record: ExitRecord) -> None:
    """Durable when it returns. Raises OSError."""
    write_atomically(directory, EXIT, msgspec.json.encode(record), durable=True)


def write_screen(directory: str, mirror: Mirror) -> None:
    """The last screen, for showing after the end. Raises OSError."""
    screen = LastScreen(
        cols=mirror.cols,
        rows=mirror.rows,
        lines=rows.plain(mirror.text()),
        ansi=rows.coloured(mirror.ansi()),
        history=rows.plain(mirror.history(HISTORY)),
        title=mirror.title,
        engine=mirror.engine,
    )
    write_atomically(directory, ANSI, mirror.repaint(HISTORY))
    write_atomically(directory, SCREEN, msgspec.json.encode(screen))


def write_atomically(directory: str, name: str, data: bytes, *, durable: bool = False) -> None:
    """The whole file under its name, 0600, or nothing. Raises OSError."""
    path = f"{directory}/{name}"
    new = f"{path}.new"
    fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(fd, rest) :]
            if durable:
                os.fsync(fd)
        finally:
            os.close(fd)
        os.replace(new, path)  # noqa: PTH105 (pathlib would cost each host pages of its own)
    except OSError:
        _remove(new)
        raise
    if durable:
        _sync_directory(directory)


def _sync_directory(directory: str) -> None:
    fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _remove(path: str) -> None:
    try:
        os.unlink(path)  # noqa: PTH108
    except OSError:
        return

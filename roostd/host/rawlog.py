"""What a job wrote, byte for byte: a ring of two files, each of at most 4 MiB, that outlives the job."""

from __future__ import annotations

import os
from pathlib import Path

HALF = 4 * 1024 * 1024
"""Bytes of one file; so at most twice this is kept."""

NAME = "raw.log"


class RawLog:
    """`write` goes to the disk at once, without a buffer. A disk that takes no more ends the log and nothing else: `failed` says why."""

    __slots__ = ("_fd", "_half", "_path", "_size", "failed")

    def __init__(self, directory: str, half: int = HALF) -> None:
        self._path = f"{directory}/{NAME}"
        self._half = half
        self._fd = -1
        self._size = 0
        self.failed: str | None = None

    def write(self, data: bytes) -> None:
        if self.failed is not None:
            return
        try:
            self._write(data)
        except OSError as error:
            self.failed = error.strerror or str(error)
            self.close()

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _write(self, data: bytes) -> None:
        if self._size + len(data) > self._half and self._size:
            self.close()
            Path(self._path).replace(f"{self._path}.1")
            self._size = 0
        if self._fd < 0:
            self._fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._fd, rest) :]
        self._size += len(data)

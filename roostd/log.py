"""The daemon's log: one JSON object a line, bounded. No parameter of a request, no token and no environment is ever logged."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any, Final

import structlog

MAX_BYTES: Final = 4 * 1024 * 1024
"""Then the file becomes `roostd.log.1`, in place of the one before."""


class BoundedFile:
    """A text file that is appended to. A full disk loses lines, never the daemon."""

    def __init__(self, path: Path, limit: int = MAX_BYTES) -> None:
        self._path = path
        self._limit = limit
        self._fd = self._open()

    def write(self, text: str) -> int:
        try:
            if os.fstat(self._fd).st_size >= self._limit:
                self._rotate()
            os.write(self._fd, text.encode("utf-8", "replace"))
        except OSError:
            pass
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        os.close(self._fd)

    def _rotate(self) -> None:
        self._path.replace(self._path.with_name(f"{self._path.name}.1"))
        before, self._fd = self._fd, self._open()
        os.close(before)

    def _open(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)


def hear(loop: asyncio.AbstractEventLoop) -> None:
    """What goes wrong in a callback, where nobody waits for it, is written down as well."""
    log = structlog.get_logger()

    def complain(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        # The message and the exception alone: the rest are representations of whatever was at hand.
        log.error("a callback failed", why=context["message"], exc_info=context.get("exception"))

    loop.set_exception_handler(complain)


def start_log(path: Path) -> BoundedFile:
    """From now on structlog writes there. Raises OSError if the file cannot be opened."""
    file = BoundedFile(path)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt=None, key="at"),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.WriteLoggerFactory(file=file),  # type: ignore[arg-type]
        cache_logger_on_first_use=False,
    )
    return file

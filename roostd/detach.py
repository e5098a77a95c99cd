"""Leaving whoever started the daemon: its terminal, folder, descriptors and session; and telling it how that went."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress

READY = "ready"
"""What the starter is told when the daemon serves; anything else is why it does not."""

Tell = Callable[[str], None]


def detached(body: Callable[[Tell], int]) -> str:
    """Runs `body` in a process of its own, and returns the one line that it tells; empty if it died without a word."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _leave(body, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        line = pipe.readline()
    os.waitpid(child, 0)
    return line.decode("utf-8", "replace").strip()


def teller(fd: int) -> Tell:
    """Tells the first line to whoever reads the other end, and closes. A later one is for the log: the number is another file's by then."""
    told = False

    def tell(line: str) -> None:
        nonlocal told
        if told:
            return
        told = True
        with suppress(OSError):
            os.write(fd, f"{line}\n".encode("utf-8", "replace"))
        with suppress(OSError):
            os.close(fd)

    return tell


def _leave(body: Callable[[Tell], int], writing: int) -> None:
    """Never returns. Forks twice, so that the daemon leads no session and can get no terminal again."""
    code = 1
    try:
        os.setsid()
        if os.fork() == 0:
            _let_go(writing)
            code = body(teller(writing))
        else:
            code = 0
    finally:
        os._exit(code)


def _let_go(kept: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd)
    os.closerange(3, kept)
    os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX"))

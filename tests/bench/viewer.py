"""A terminal of 120 columns and 40 rows that a client draws on; it reads as fast as it can and interprets nothing."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from types import TracebackType

from tests.bench.place import PATIENCE, BenchError
from tests.support.waiting import eventually

COLS, ROWS = 120, 40
CHUNK = 1 << 16


class Viewer:
    """`with Viewer(argv, environ) as viewer:` hangs up at the end, as closing a terminal's window does."""

    def __init__(self, argv: Sequence[str], environ: Mapping[str, str]) -> None:
        self._name = " ".join(argv[:3])
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLS, 0, 0))
        self._pid = os.fork()
        if self._pid == 0:
            _become(slave, argv, environ)
        os.close(slave)
        self._poll = select.poll()
        self._poll.register(self.master, select.POLLIN)

    def __enter__(self) -> Viewer:
        eventually(self._is_raw, f"{self._name} taking the terminal", within=PATIENCE)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        os.close(self.master)
        try:
            eventually(self._has_ended, f"the end of {self._name}", within=PATIENCE)
        except AssertionError:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            raise

    def type(self, data: bytes) -> None:
        os.write(self.master, data)

    def echo(self, key: bytes, patience: float = PATIENCE) -> float:
        """Milliseconds from typing `key` until it is drawn. What was drawn before is read first and does not count."""
        while self._poll.poll(0):
            self._read()
        begun = time.perf_counter()
        os.write(self.master, key)
        self.until(key, patience)
        return (time.perf_counter() - begun) * 1000

    def until(self, text: bytes, patience: float = PATIENCE) -> None:
        """Reads until `text` is drawn in one piece."""
        tail = b""
        while text not in tail:
            if not self._poll.poll(patience * 1000):
                raise BenchError(f"{self._name} drew no {text!r} within {patience:g} s")
            tail = tail[-len(text) :] + self._read()

    def _read(self) -> bytes:
        try:
            return os.read(self.master, CHUNK)
        except OSError as error:
            raise BenchError(f"{self._name} ended too early") from error

    def _is_raw(self) -> bool:
        # A terminal that nobody has taken echoes by itself, and what is typed to it may be thrown away.
        return not termios.tcgetattr(self.master)[3] & termios.ICANON

    def _has_ended(self) -> bool:
        pid, _ = os.waitpid(self._pid, os.WNOHANG)
        return pid == self._pid


def _become(slave: int, argv: Sequence[str], environ: Mapping[str, str]) -> None:
    """The child: takes the terminal and runs the client. Never returns."""
    try:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for number in range(3):
            os.dup2(slave, number)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.closerange(3, 256)
        os.execve(argv[0], list(argv), dict(environ))
    finally:
        os._exit(127)

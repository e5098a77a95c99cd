"""A program in a real terminal of its own, driven like a person would: type, read, resize, wait for its end."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.support.waiting import DEADLINE


class Terminal:
    """`with Terminal(argv) as terminal:` kills what still runs at the end. All times are seconds.

    `output` is every byte the program wrote so far, as far as it was read; `expect` reads. `before` is what was written to the terminal
    before the program came.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        environ: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        cols: int = 80,
        rows: int = 24,
        before: bytes = b"",
    ) -> None:
        self.output = b""
        self._searched = 0
        self.mirror = PyteMirror(cols, rows)
        self.mirror.feed(before)
        self.master, slave = pty.openpty()
        self.resize(cols, rows)
        os.set_blocking(self.master, False)
        self.process = subprocess.Popen(
            list(argv),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**(os.environ if environ is None else environ), "TERM": "xterm-256color"},
            cwd=cwd,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509 (the tests have one thread)
        )
        self.attributes_before = termios.tcgetattr(slave)
        # Kept open, so that what the program wrote last can be read, and the terminal looked at, after its end.
        self.slave = slave

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.slave)
        os.close(self.master)

    def send(self, data: bytes | str) -> None:
        """Types: what does not fit the terminal's buffer at once is written while the output is read."""
        rest = data.encode() if isinstance(data, str) else data
        while rest:
            _, writable, _ = select.select([], [self.master], [], 0.05)
            if writable:
                rest = rest[os.write(self.master, rest) :]
            self._read(0)

    def expect(self, pattern: bytes | str, within: float = DEADLINE) -> re.Match[bytes]:
        """Reads until `pattern` is found in what came since the last match, and returns the match."""
        regex = re.compile(pattern.encode() if isinstance(pattern, str) else pattern)
        deadline = time.monotonic() + within
        while not (match := regex.search(self.output, self._searched)):
            left = deadline - time.monotonic()
            if left <= 0 or not self._read(left):
                raise AssertionError(f"{regex.pattern!r} did not come; the terminal shows:\n" + "\n".join(self.screen()))
        self._searched = match.end()
        return match

    def expect_screen(self, pattern: str, within: float = DEADLINE) -> re.Match[str]:
        """Reads until `pattern` (multi-line) is found on the screen as a person sees it, and returns the match."""
        regex = re.compile(pattern, re.MULTILINE)
        deadline = time.monotonic() + within
        while not (match := regex.search("\n".join(self.screen()))):
            left = deadline - time.monotonic()
            if left <= 0 or not self._read(left):
                raise AssertionError(f"{pattern!r} did not show; the terminal shows:\n" + "\n".join(self.screen()))
        return match

    def screen(self) -> list[str]:
        """The visible rows, without trailing blanks."""
        return self.mirror.text()

    def resize(self, cols: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        self.mirror.resize(cols, rows)

    def wait(self, within: float = DEADLINE) -> int:
        """Reads until the program has ended; its exit code, or minus the signal."""
        deadline = time.monotonic() + within
        while self.process.poll() is None:
            if time.monotonic() > deadline:
                raise AssertionError("the program did not end; the terminal shows:\n" + "\n".join(self.screen()))
            self._read(0.02)
        while self._read(0):
            pass
        return self.process.returncode

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    @property
    def restored(self) -> bool:
        """Whether the terminal's settings are what they were before the program came."""
        return termios.tcgetattr(self.slave) == self.attributes_before

    def read(self, within: float) -> bool:
        """Takes what has come, or comes within these seconds; whether anything did."""
        return self._read(within)

    def _read(self, within: float) -> bool:
        readable, _, _ = select.select([self.master], [], [], within)
        if not readable:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.output += data
        self._answer(b"".join(self.mirror.feed(data).replies))
        return bool(data)

    def _answer(self, replies: bytes) -> None:
        """As every terminal does when it is asked."""
        try:
            os.write(self.master, replies)
        except OSError:
            return  # Nobody is there to hear it.


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    # As a shell starts it, whoever started the tests, in the background of a script perhaps.
    signal.signal(signal.SIGINT, signal.SIG_DFL)

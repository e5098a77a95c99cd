"""The terminal that the demo runs in: raw while it lives, as it was afterwards, and awake for keys, resizes and signals."""

import os
import select
import signal
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

ENDING: Final = (signal.SIGTERM, signal.SIGHUP)
IN: Final = 0
OUT: Final = 1


class Ended(Exception):
    """A signal asks the demo to end, or its terminal is gone (`signal` is None)."""

    def __init__(self, number: int | None) -> None:
        super().__init__()
        self.number = number


class Terminal:
    """Reads and writes; made by `raw_terminal`."""

    def __init__(self, wakeup: int) -> None:
        self._wakeup = wakeup
        self._ending: int | None = None
        self._resized = False

    def heard(self, number: int, frame: FrameType | None) -> None:
        """The signal handler: it only takes notes, and the wake-up pipe ends the waiting."""
        if number == signal.SIGWINCH:
            self._resized = True
        else:
            self._ending = number

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows; a terminal that does not know has 80 and 24."""
        size = os.get_terminal_size(OUT)
        return size.columns or 80, size.lines or 24

    def write(self, data: bytes) -> None:
        while data:
            try:
                data = data[os.write(OUT, data) :]
            except OSError:
                raise Ended(None) from None

    def wait(self, seconds: float | None) -> tuple[bytes, bool]:
        """What was typed, and whether the size has changed; nothing after `seconds`. Raises Ended."""
        ready, _, _ = select.select([IN, self._wakeup], [], [], seconds)
        if self._wakeup in ready:
            os.read(self._wakeup, 512)
        if self._ending is not None:
            raise Ended(self._ending)
        resized, self._resized = self._resized, False
        return (self._read() if IN in ready else b""), resized

    def _read(self) -> bytes:
        try:
            data = os.read(IN, 65536)
        except OSError:
            data = b""
        if not data:
            raise Ended(None)
        return data


@contextmanager
def raw_terminal() -> Iterator[Terminal]:
    """Raw mode and signal handlers, both taken back at the end, whatever happens."""
    wakeup, notes = os.pipe()
    os.set_blocking(wakeup, False)
    os.set_blocking(notes, False)
    terminal = Terminal(wakeup)
    handled = (*ENDING, signal.SIGWINCH)
    before = termios.tcgetattr(IN)
    handlers = [signal.signal(number, terminal.heard) for number in handled]
    signal.set_wakeup_fd(notes, warn_on_full_buffer=False)
    try:
        tty.setraw(IN)
        yield terminal
    finally:
        termios.tcsetattr(IN, termios.TCSADRAIN, before)
        signal.set_wakeup_fd(-1)
        for number, handler in zip(handled, handlers, strict=True):
            signal.signal(number, handler)
        os.close(wakeup)
        os.close(notes)

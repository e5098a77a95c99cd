"""A person's terminal, lent to the host by the command that attached it: what the job writes goes to it in one step.

The command keeps the keyboard, the signals and the terminal's settings, and gives the terminal back to the shell. Should it be killed
before it could, we carry out its last will: the bytes that leave the terminal as it was, and its settings.
"""

from __future__ import annotations

import os
import termios
from collections.abc import Callable
from typing import Any

from roost_protocol.host import Lend
from roostd.host.loop import Loop
from roostd.host.outbox import Outbox

WILL_WITHIN = 60.0
"""Seconds for a terminal to take what leaves it as it was."""


class Lent:
    """Takes `fd` over. `show` and `paint` write at once what the terminal takes; the rest is queued (`queued`, bytes).

    Nothing here blocks or raises: a terminal that has gone takes everything and shows nothing. But for a descriptor that is none to
    write to: OSError.
    """

    __slots__ = ("_fd", "_loop", "_on_drained", "_outbox", "_settings", "_will")

    def __init__(self, loop: Loop, fd: int, will: Lend, on_drained: Callable[[], object]) -> None:
        self._loop = loop
        self._fd = fd
        self._will = will
        self._outbox = Outbox()
        self._on_drained = on_drained
        self._settings = _settings(fd)
        os.set_blocking(fd, False)

    @property
    def queued(self) -> int:
        return self._outbox.queued

    @property
    def gone(self) -> int:
        return self._outbox.gone

    def show(self, data: bytes) -> None:
        """What the job wrote."""
        if self._fd < 0 or not data:
            return
        sent = 0
        if not self._outbox.queued:
            try:
                sent = os.write(self._fd, data)
            except BlockingIOError:
                pass
            except OSError:
                self.give_back()  # It has been hung up; whoever lent it will hear of that too.
                return
        if sent < len(data):
            first = not self._outbox.queued
            self._outbox.add(memoryview(data)[sent:])
            if first:
                self._loop.watch(self._fd, None, self._writable, late=True)

    def paint(self, size: tuple[int, int], picture: bytes) -> None:
        """The whole screen anew."""
        self.show(picture)

    def drop_queue(self) -> None:
        self._outbox.drop()

    def give_back(self) -> None:
        """Write nothing more."""
        if self._fd >= 0:
            self._loop.watch(self._fd, None)
            os.close(self._fd)
            self._fd = -1
            self._outbox.clear()

    def execute_will(self, parting: bytes) -> None:
        """Whoever lent it is gone without a word. A terminal that takes nothing now has some time to take what leaves it as it was."""
        if self._fd < 0:
            return
        try:
            # A shell that has taken it over already has its own settings on it.
            if self._will.attributes is not None and _settings(self._fd) == self._settings:
                termios.tcsetattr(self._fd, termios.TCSANOW, self._will.attributes)
        except (termios.error, TypeError, OverflowError):
            pass  # It has been hung up, or it never was what it was said to be.
        self._outbox.clear()
        self._on_drained = self.give_back
        self.show(parting + self._will.leave.encode())
        if self.queued:
            self._loop.after(WILL_WITHIN, self.give_back)
        else:
            self.give_back()

    def _writable(self) -> None:
        try:
            self._outbox.pour(lambda chunk: os.write(self._fd, chunk))
        except OSError:
            self.give_back()
            return
        if not self._outbox.queued:
            self._loop.watch(self._fd, None)
            self._on_drained()


def _settings(fd: int) -> list[Any] | None:
    try:
        return termios.tcgetattr(fd)
    except termios.error:
        return None

"""The PTY's master: reads of at most 64 KiB a turn, writes that never block, and the terminal's settings."""

from __future__ import annotations

import fcntl
import os
import struct
import termios
from collections import deque
from collections.abc import Callable

from roostd.host.loop import Loop

READ = 65536
FULL = 1024 * 1024
"""Bytes waiting for the program to read them; over this, whoever types is slowed down."""

_GET_OTHER_SIDE = 0x5441
"""TIOCGPTPEER (asm-generic/ioctls.h, Linux 4.13): a file descriptor of the program's side."""


class Pty:
    """Output goes to `on_output`, its end to `on_end`. Replies of the mirror go out before anything typed that still waits."""

    __slots__ = ("_fd", "_loop", "_replies", "_typed", "_typed_size", "ended", "on_end", "on_output", "on_room")

    def __init__(self, loop: Loop, fd: int, on_output: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self._loop = loop
        self._fd = fd
        self._replies: deque[bytes] = deque()
        self._typed: deque[bytes] = deque()
        self._typed_size = 0
        self.ended = False
        self.on_output = on_output
        self.on_end = on_end
        self.on_room: Callable[[], None] | None = None
        os.set_blocking(fd, False)
        os.set_inheritable(fd, False)
        loop.watch(fd, self.read, late=True)

    def read(self) -> bool:
        """Take what is there, at most one read; False when there was nothing."""
        if self.ended:
            return False
        try:
            data = os.read(self._fd, READ)
        except BlockingIOError:
            return False
        except OSError:
            data = b""  # EIO: nobody has the other side open any more.
        if data:
            self.on_output(data)
            return True
        self.ended = True
        self._loop.watch(self._fd, None)
        self.on_end()
        return False

    def reply(self, data: bytes) -> None:
        """An answer to the program's own question: at once, in one write."""
        if self._replies or not self._write(data):
            self._replies.append(data)
            self._watch()

    def type(self, data: bytes) -> None:
        """Bytes typed, in order."""
        if self.ended or not data:
            return
        sent = 0
        if not self._typed and not self._replies:
            try:
                sent = os.write(self._fd, data)
            except BlockingIOError:
                pass
            except OSError:
                return  # Nobody reads any more: it is gone like what is typed into a closed terminal.
        if sent < len(data):
            self._typed.append(data[sent:])
            self._typed_size += len(data) - sent
            self._watch()

    @property
    def full(self) -> bool:
        """Whether more waits than should; `on_room` is called when that has passed."""
        return self._typed_size > FULL

    def resize(self, cols: int, rows: int) -> None:
        self._quietly(lambda: fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("4H", rows, cols, 0, 0)))

    def foreground(self) -> int | None:
        """The foreground process group, if there is one."""
        try:
            group = os.tcgetpgrp(self._fd)
        except OSError:
            return None
        return group if group > 1 else None

    def line_settings(self) -> tuple[bool, bool]:
        """Whether the terminal is in canonical mode, and whether it echoes (both are true at a program's birth)."""
        try:
            flags = termios.tcgetattr(self._fd)[3]
        except termios.error:
            return False, False
        return bool(flags & termios.ICANON), bool(flags & termios.ECHO)

    def unread(self) -> bool:
        """Whether something that was typed still waits for the program to read it: of lines that are read whole, one that is ended.

        Only Linux tells (and not of a terminal that somebody has for himself alone): elsewhere nothing is known to wait.
        """
        if self.ended:
            return False
        if self._typed:
            return True
        try:
            other = fcntl.ioctl(self._fd, _GET_OTHER_SIDE, os.O_RDONLY | os.O_NOCTTY | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            return any(fcntl.ioctl(other, termios.FIONREAD, bytes(4)))
        except OSError:
            return False
        finally:
            os.close(other)

    def _flush(self) -> None:
        while self._replies and self._write(self._replies[0]):
            self._replies.popleft()
        was_full = self.full
        while self._typed and not self._replies:
            sent = self._write_some(self._typed[0])
            self._typed_size -= sent
            if sent < len(self._typed[0]):
                self._typed[0] = self._typed[0][sent:]
                break
            self._typed.popleft()
        self._watch()
        if was_full and not self.full and self.on_room:
            self.on_room()

    def _watch(self) -> None:
        if not self.ended:
            self._loop.watch(self._fd, self.read, self._flush if self._typed or self._replies else None, late=True)

    def _write(self, data: bytes) -> bool:
        """A short reply that the terminal takes in part only is finished by typing the rest first."""
        sent = self._write_some(data)
        if 0 < sent < len(data):
            self._typed.appendleft(data[sent:])
            self._typed_size += len(data) - sent
        return sent > 0

    def _write_some(self, data: bytes) -> int:
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)  # Nobody reads any more: it is gone like what is typed into a closed terminal.

    @staticmethod
    def _quietly(call: Callable[[], object]) -> None:
        try:
            call()
        except OSError:
            return

"""The person's terminal: taken for the time of an attach, and given back as it was on every way out."""

from __future__ import annotations

import errno
import os
import select
import signal
import termios
import time
import tty

from roost.failure import Failed
from roost.output import is_terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from roost.attach.answers import Answers

RESTORE = (
    b"\x18"  # CAN: ends a sequence that was cut in the middle
    b"\x1b[?2026l"  # synchronized output: show what was held back
    b"\x1b[?1049l"
    b"\x1b[>4m"  # modifyOtherKeys as the person configured it
    b"\x1b[?9l\x1b[?1000l\x1b[?1001l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l"  # mouse
    b"\x1b[?1004l\x1b[?2004l\x1b[?2031l\x1b[?2048l"  # focus, paste, colour scheme and size reports
    b"\x1b[?9001l\x1b[?5522l"  # keys as Windows has them, pastes with their types
    b"\x1b[?1007;2027r"  # wheel as arrows, grapheme widths: as they were saved, since terminals begin with them on or off
    b"\x1b[?1l\x1b>"  # cursor keys, keypad
    b"\x1b[?8h\x1b[?45l\x1b[4i\x1b F"  # keys repeat, no reverse wrap, no printer, 7-bit answers
    b"\x1b[2l"  # keyboard lock
    b"\x1b[4l\x1b[20l\x1b[?5l\x1b[?6l\x1b[?69l\x1b[?7h\x1b[r"  # insert, newline, reverse, origin, margins; wrap on; whole screen scrolls
    b"\x1b%G\x1b(B\x1b)B\x1b*B\x1b+B\x0f"  # ASCII
    b'\x1b[0"q'  # nothing is protected from erasing
    b"\x1b]8;;\x1b\\"  # no hyperlink
    b"\x1b[m\x1b[0 q\x1b[?25h"  # colours, cursor shape, cursor shown
)
"""Undoes whatever a program may have set. Sources: xterm's ctlseqs, kitty's keyboard protocol, and each mode's own proposal."""

SAVE = b"\x1b[22;0t\x1b[?1007;2027s\x1b[#P\x1b[?1049h\x1b[>0u\x1b[?1049l\x1b[>0u"
UNSAVE = b"\x1b[?1049h\x1b[<u\x1b[?1049l\x1b[<u\x1b[#Q\x1b[23;0t"
"""What the terminal itself keeps for the person, one level of each stack: title, colours (XTPUSHCOLORS, where it is known), and kitty's keyboard
of both screens, of which a job has the level above (`roostd.host.mirror.queries`). 1049 alone is known to all who have that keyboard."""

DRAIN = 0.02
"""Seconds for replies and mouse reports that are on their way when the modes are switched off."""
LATE = 0.25
"""Seconds for answers to what the terminal was asked, if they have not come by then."""

LARGEST = 10_000

LEAVE_WITHIN = 1.0
"""Seconds that a terminal which takes nothing may keep us when we leave."""


class Terminal:
    """Raw mode within the `with` block. Input is read from `input_fd`; output is written to `output_fd`, which does not block.

    `output_fd` is the terminal opened once more: O_NONBLOCK belongs to an open file, and the shell shares ours. Only so may it be
    `lendable` to the host.
    """

    def __init__(self, input_fd: int = 0, shown_on: int = 1) -> None:
        self.input_fd = input_fd
        self._shown_on = shown_on
        self.output_fd = shown_on
        self.lendable = _name(shown_on) is not None
        self.last_row: int | None = None
        """The last row that shows anything, from 0: what comes after stands below it. None: below all."""
        self._saved = False
        """Whether it has been given `SAVE`, and `UNSAVE` is due."""
        self._left: bool | None = None
        """Whether it has taken what leaves it as it was; None before it is left."""
        self.unanswered: Answers | None = None
        """What it was asked and has not answered yet: the answers must not be left to the shell."""
        self._attributes: list[Any] = []

    def __enter__(self) -> Terminal:
        self.take()
        return self

    def __exit__(self, *_: object) -> None:
        if not self.give_back():
            self._fall_silent()

    def take(self) -> None:
        """From the shell. In the background it lasts until the shell has us in its foreground."""
        self._left, self._saved = None, False
        self._attributes = termios.tcgetattr(self.input_fd)
        self.output_fd = _opened_once_more(self._shown_on)
        self.raw()

    def will(self) -> dict[str, Any]:
        """What gives it back to the shell, for whoever outlives us (`roost_protocol.host.Lend`)."""
        *numbers, characters = self._attributes
        same = is_terminal(self.input_fd) and os.fstat(self.input_fd).st_rdev == os.fstat(self._shown_on).st_rdev
        attributes = [*numbers, [char if isinstance(char, int) else char[0] for char in characters]]
        return {"leave": self._as_it_was().decode(), "attributes": attributes if same else None}

    def _as_it_was(self) -> bytes:
        rows = self.size()[1]
        below = rows if self.last_row is None else min(self.last_row + 1, rows)
        return RESTORE + (UNSAVE if self._saved else b"") + b"\x1b[%d;1H\r\n" % below

    def takes(self) -> bool:
        """Whether it takes output within `LEAVE_WITHIN`."""
        return bool(select.select([], [self.output_fd], [], LEAVE_WITHIN)[1])

    def leave(self) -> bool:
        """Shows it as it was; whether it has taken that. One that is gone has: nothing waits for it."""
        try:
            self._left = self._write(self._as_it_was())
        except OSError:
            self._left = True
        return self._left

    def bequeath(self) -> None:
        """It takes nothing now, and its host is left to leave it: we only see to its settings."""
        self._left = False

    def give_back(self) -> bool:
        """To the shell; whether it takes what is written to it."""
        # In the background too, where a job of a shell's is stopped for trying.
        stopped = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        try:
            return self._give_back()
        finally:
            signal.signal(signal.SIGTTOU, stopped)

    def _give_back(self) -> bool:
        left = self.leave() if self._left is None else self._left
        try:
            self._drain()
            takes = left and self.takes()
        except OSError:
            takes = True  # It is gone: nothing waits for it.
        finally:
            os.close(self.output_fd)
        try:
            # Neither waits for output to be taken, as TCSAFLUSH would.
            termios.tcsetattr(self.input_fd, termios.TCSANOW, self._attributes)
            termios.tcflush(self.input_fd, termios.TCIFLUSH)
        except termios.error:
            pass  # There is nothing left to give back.
        return takes

    def raw(self) -> None:
        """Every byte passes, in both directions. What was typed before stays. In the background it lasts until we are in front."""
        while True:
            try:
                tty.setraw(self.input_fd, termios.TCSANOW)
            except termios.error as error:
                if error.args[0] != errno.EINTR:
                    raise Failed(f"this terminal cannot be taken: {error.args[1]}; is the command in the foreground of it?") from error
            else:
                return

    def size(self) -> tuple[int, int]:
        """Columns and rows, 1 to 10,000; 80x24 where the terminal does not say."""
        try:
            cols, rows = os.get_terminal_size(self._shown_on)
        except OSError:
            return 80, 24
        return min(cols or 80, LARGEST), min(rows or 24, LARGEST)

    def scroll_up(self) -> bytes:
        """What pushes all that the person sees now into the scrollback: from the cursor's row r, `rows` line feeds scroll r lines."""
        self._saved = True
        return SAVE + b"\r\n" * self.size()[1]

    def _write(self, data: bytes) -> bool:
        """Whether the terminal has taken it all."""
        deadline = time.monotonic() + LEAVE_WITHIN
        while data:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([], [self.output_fd], [], left)[1]:
                return False
            try:
                data = data[os.write(self.output_fd, data) :]
            except BlockingIOError:
                continue  # Another who writes to it was faster.
        return True

    def _fall_silent(self) -> None:
        """Nobody reads this terminal: the line that says how it ended would wait there for ever."""
        null = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
        device = os.fstat(self._shown_on).st_rdev
        for fd in {self._shown_on, 2}:
            if is_terminal(fd) and os.fstat(fd).st_rdev == device:
                os.dup2(null, fd)
        os.close(null)

    def _drain(self) -> None:
        """Reads away what the terminal still sends of itself, so that the shell does not take it for typing."""
        waiting = self.unanswered
        deadline = time.monotonic() + (LATE if waiting else DRAIN)
        while (left := deadline - time.monotonic()) > 0 and select.select([self.input_fd], [], [], left)[0]:
            data = os.read(self.input_fd, 4096)
            if not data:
                return
            if waiting:
                waiting.feed(data, 0.0)
                if not waiting.waiting:
                    waiting, deadline = None, time.monotonic() + DRAIN


def _name(fd: int) -> str | None:
    """Where it may be opened once more. One of another mount namespace has no name here: a write to it may block, and typing waits."""
    try:
        name = os.ttyname(fd)
    except OSError:
        return None
    return name if os.access(name, os.W_OK) else None


def _opened_once_more(fd: int) -> int:
    name = _name(fd)
    try:
        return os.dup(fd) if name is None else os.open(name, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return os.dup(fd)

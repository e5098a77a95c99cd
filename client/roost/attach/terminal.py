"""The person's terminal: taken for the time of an attach, and given back as it was on every way out."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import select
import signal
import termios
import time
import tty

from roost.attach.keys import plain
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
"""What the terminal itself keeps for the person, a level of each stack: title, colours (XTPUSHCOLORS, where it is known), kitty's keyboard
on both screens, where a job has the level above (`roostd.host.mirror.queries`). All who have that keyboard know 1049."""

UNTOLD = b"\x1b]104\x1b\\\x1b]22;text\x1b\\\x1b]22;\x1b\\"
"""Palette and pointer as the person configured them, where no host says what a job made of them; then come the colours that were told."""

COLOURS_RESET = re.compile(rb"\x1b\]1(?:04|1[0-2])\b")
"""In what undoes a job's colours: those that the terminal had not told by then, which may be others than its own."""

DRAIN = 0.02
"""Seconds for replies and mouse reports that are on their way when the modes are switched off."""
LATE = 3.0
"""Seconds for answers to what the terminal was asked: those of one at the far end of a slow line."""

LARGEST = 10_000

LEAVE_WITHIN = 1.0
"""Seconds for a terminal to take what leaves it as it was; then what waits before that is dropped."""
AT_ONCE = 0.1
"""The same for one before which nothing waits any more."""


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
        self.last_line = ""
        """What is said right behind all that, so that it comes wherever that comes."""
        self._saved = False
        """Whether it has been given `SAVE`, and `UNSAVE` is due."""
        self._stalled = False
        """Whether it took nothing when it was left."""
        self._left: bool | None = None
        """Whether it has taken what leaves it as it was; None before it is left."""
        self.answers: Answers | None = None
        """To what it was asked: they must not be left to the shell."""
        self.parting: bytes | None = None
        """What undoes the colours and else that a job changed; None where no host has said."""
        self.behind: bytes | None = None
        """What was typed behind the key that left: the shell's, with all that comes then. None: what comes was meant for the job."""
        self._attributes: list[Any] = []
        self._raw: list[Any] = []

    def __enter__(self) -> Terminal:
        self.take()
        return self

    def __exit__(self, *_: object) -> None:
        if not self.give_back():
            self._fall_silent()

    def take(self) -> None:
        """From the shell. In the background it lasts until the shell has us in its foreground."""
        self._left, self.parting, self.behind = None, None, None
        self._come_to_front()
        self._attributes = termios.tcgetattr(self.input_fd)
        self.output_fd = _opened_once_more(self._shown_on)
        self.raw()

    def take_anew(self) -> None:
        """From a shell that has had it while we were stopped, and that nobody gave it."""
        os.close(self.output_fd)
        self.take()

    @property
    def ours(self) -> bool:
        """Whether its settings are those that we gave it."""
        try:
            return termios.tcgetattr(self.input_fd) == self._raw
        except termios.error:
            return True  # It is gone, which whoever reads it hears.

    def _come_to_front(self) -> None:
        """Only then are its settings those that the shell means for programs. To let output go on asks for nothing, but to be in front."""
        while True:
            try:
                termios.tcflow(self.input_fd, termios.TCOON)
            except termios.error as error:
                if error.args[0] != errno.EINTR:
                    return  # In nobody's background, or gone: whoever takes it says so.
            else:
                return

    def will(self) -> dict[str, Any]:
        """What gives it back to the shell, for whoever outlives us (`roost_protocol.host.Lend`)."""
        *numbers, characters = self._attributes
        same = is_terminal(self.input_fd) and os.fstat(self.input_fd).st_rdev == os.fstat(self._shown_on).st_rdev
        attributes = [*numbers, [char if isinstance(char, int) else char[0] for char in characters]]
        return {"leave": self._as_it_was(b"").decode(), "attributes": attributes if same else None}

    def _as_it_was(self, parting: bytes) -> bytes:
        rows = self.size()[1]
        below = rows if self.last_row is None else min(self.last_row + 1, rows)
        return RESTORE + parting + (UNSAVE if self._saved else b"") + b"\x1b[%d;1H\r\n" % below + self.last_line.encode("utf-8", "replace")

    def leave(self) -> bool:
        """Shows it as it was; whether it has taken that. One that is gone has: nothing waits for it."""
        parting = self.parting
        if parting is None:
            parting = UNTOLD + self.answers.as_they_were() if self.answers and self._saved else b""
        data = self._as_it_was(parting)
        try:
            self._stalled = not self._write(data, LEAVE_WITHIN)
            self._left = not self._stalled or (self.makes_room() and self._write(data, AT_ONCE))
        except OSError:
            self._left = True
        return self._left

    def makes_room(self) -> bool:
        """Whether it takes what leaves it as it was, and what comes then. One that takes nothing forgets for it what waits: so it has that
        in order, once it goes on. One that is stopped takes nothing even so."""
        if self._takes(LEAVE_WITHIN):
            return True
        try:
            termios.tcflush(self.output_fd, termios.TCOFLUSH)
        except termios.error:
            return False
        return self._takes(AT_ONCE)

    def _takes(self, within: float) -> bool:
        return bool(select.select([], [self.output_fd], [], within)[1])

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
            if not self.behind or self._can_type() or (self.answers and self.answers.waiting):
                self._type(plain((self.behind or b"") + self._drain()))
            left = left and self._takes(LEAVE_WITHIN)
        except OSError:
            left = True  # It is gone: nothing waits for it.
        finally:
            os.close(self.output_fd)
        try:
            # Neither waits for output to be taken, as TCSAFLUSH would.
            self._saved = False
            termios.tcsetattr(self.input_fd, termios.TCSANOW, self._attributes)
            if self.behind is None:
                termios.tcflush(self.input_fd, termios.TCIFLUSH)
        except termios.error:
            pass  # There is nothing left to give back.
        return left

    def _can_type(self) -> bool:
        """Whether what was read can be given back: Linux may refuse that to all but its administrator, others know nothing of it."""
        try:
            with open("/proc/sys/dev/tty/legacy_tiocsti", encoding="ascii") as file:
                return file.read().strip() != "0" or os.geteuid() == 0
        except OSError:
            return hasattr(termios, "TIOCSTI")

    def _type(self, data: bytes) -> None:
        """Gives back to the terminal what the shell is to read, as if it were typed now; still raw, so that nothing is echoed twice."""
        if self.behind is None:
            return
        if self._attributes[0] & termios.ICRNL:
            data = data.replace(b"\r", b"\n")
        try:
            for at in range(len(data)):
                fcntl.ioctl(self.input_fd, termios.TIOCSTI, data[at : at + 1])
        except OSError:
            pass  # It may not be: then it is lost, and was typed into nothing.

    def raw(self) -> None:
        """Every byte passes, in both directions. What was typed before stays. In the background it lasts until we are in front."""
        while True:
            try:
                tty.setraw(self.input_fd, termios.TCSANOW)
            except termios.error as error:
                if error.args[0] != errno.EINTR:
                    raise Failed(f"this terminal cannot be taken: {error.args[1]}; is the command in the foreground of it?") from error
            else:
                self._raw = termios.tcgetattr(self.input_fd)
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
        save, self._saved = b"" if self._saved else SAVE, True
        return save + b"\r\n" * self.size()[1]

    def _write(self, data: bytes, within: float) -> bool:
        """Whether the terminal has taken it all."""
        deadline = time.monotonic() + within
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

    def _drain(self) -> bytes:
        """Reads away what the terminal still sends of itself, so that the shell does not take it for typing: answers, and reports of mouse
        and focus that it sent before it was told not to. One that answers is asked once more: then nothing is under way any more.
        Returns what else came."""
        answers, now = self.answers, time.monotonic()
        if answers and not answers.waiting and not self._stalled:
            self._write(answers.ask_again(now), AT_ONCE)
        waiting = answers is not None and answers.waiting
        deadline = max(now + DRAIN, answers.asked + LATE if answers and waiting else 0.0)
        came = b""
        while (left := deadline - time.monotonic()) > 0 and select.select([self.input_fd], [], [], left)[0]:
            data = os.read(self.input_fd, 4096)
            if not data:
                break
            came += answers.feed(data, now) if answers else data
            if answers and waiting and not answers.waiting:
                waiting, deadline = False, time.monotonic() + DRAIN
                self._set_what_came_late(answers)
        return came + (answers.expire() if answers else b"")

    def _set_what_came_late(self, answers: Answers) -> None:
        if self.parting and COLOURS_RESET.search(self.parting):
            self._write(answers.as_they_were(), AT_ONCE)


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

"""Between the person's terminal and the job's host until one of them ends it.

One `poll` loop. What is typed goes out at once. The terminal itself is lent to the host, which writes to it directly: a key's echo makes
no detour through us. Where it cannot be lent, the host sends what is to be shown; a terminal that reads slowly then makes us read the
host slowly, and the host draws the screen anew when it comes back.
"""

from __future__ import annotations

import json
import os
import select
import signal
import struct
import time
from _socket import SOL_SOCKET

from roost.attach.answers import QUESTIONS, Answers
from roost.attach.keys import DetachFilter
from roost.attach.signals import ENDING, Signals
from roost_protocol.frame import FrameReader, TooLong, pack_frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket as socket
    from collections.abc import Callable, Sequence

    from roost.attach.keys import Key
    from roost.attach.terminal import Terminal

OUTPUT, REPAINT, ENDED, INPUT, RESIZE, LEND, COLOURS, RETURN, RETURNED = b"O", b"P", b"X", b"I", b"R", b"L", b"C", b"B", b"G"
"""Kinds of frames (`roost_protocol.host`)."""
SCM_RIGHTS = 1
"""The same on every system; the light socket module does not name it everywhere."""

MOST_UNSHOWN = 256 * 1024
"""Bytes from the host that the terminal has not taken yet; above it the host is not read."""
MOST_UNSENT = 1024 * 1024
"""Bytes typed that the host has not taken yet; above it the keyboard is not read."""

LAST_WORDS = 2.0
"""Seconds for a terminal to take the job's last words."""
STOPPED = 60.0
"""Seconds for a terminal that is stopped (TCOOFF), where there is no host any more that it could be left to."""
RETURN_WITHIN = 1.0
"""Seconds for a host to give the terminal back: one that is stopped, or stuck, does not keep the person."""

_SIZE = struct.Struct(">HH")


class Outcome:
    """Why the loop ended: `how` is `detached`, `ended`, `lost`, or `killed` by the signal `number`."""

    def __init__(self, how: str, number: int = 0) -> None:
        self.how = how
        self.number = number


class Loop:
    """One attach, from the first frame to its `Outcome`."""

    def __init__(
        self,
        terminal: Terminal,
        signals: Signals,
        host: socket.socket,
        keys: Sequence[Key],
        *,
        read_only: bool,
        size: tuple[int, int],
        first: bytes,
        lend: bool = False,
        ask: bool = False,
        farewell: str = "",
    ) -> None:
        self._terminal = terminal
        self._signals = signals
        self._host = host
        self._read_only = read_only
        self._filter = DetachFilter(keys)
        self._answers: Answers | None = None
        """Once the terminal has been asked for its colours: they may come at any time."""
        self._told = (0, 0)
        """Of how many the host knows; of the palette, whose answers are many, once all have come."""
        self._frames = FrameReader()
        self._unshown = bytearray()
        self._unsent = bytearray()
        self._outcome: Outcome | None = None
        self._painted = False
        self._poll = select.poll()
        self._watched: dict[int, int] = {}
        self._flowing = False
        """Nothing waits in our buffers, and what is watched is what that asks for."""
        self._size = size
        self._first = first
        self._lend = lend
        self._ask = ask
        self._farewell = farewell
        """The line that a person who detached is told."""
        self._lent = False
        self._taken_anew = False

    def run(self) -> Outcome:
        """Returns once the person detached, the job ended, the host is lost or a signal ends us."""
        self._host.setblocking(False)
        try:
            self._tell_size()
            self._ask_colours()
            if self._lend:
                self._lend_terminal()
            self._take_frames(self._first)
            while self._outcome is None:
                self._work()
        finally:
            self._leave()
        assert self._outcome is not None
        return self._outcome

    def _work(self) -> None:
        """Until it is over, or the terminal has been taken anew and is another open file."""
        work: dict[int, Callable[[int], None]] = {
            self._terminal.input_fd: self._typed,
            self._terminal.output_fd: self._show,
            self._host.fileno(): self._host_ready,
            self._signals.fd: self._signalled,
        }
        self._poll, self._watched, self._flowing, self._taken_anew = select.poll(), {}, False, False
        while self._outcome is None and not self._taken_anew:
            if self._unsent or self._unshown or not self._flowing:
                self._watch()
            deadline = self._next_deadline()
            for fd, events in self._poll.poll(None if deadline is None else max(0.0, (deadline - time.monotonic()) * 1000)):
                if self._outcome is None and not self._taken_anew:
                    work[fd](events)
            if deadline is not None:
                self._expire()

    def _next_deadline(self) -> float | None:
        ours = self._answers.deadline if self._answers else None
        theirs = self._filter.deadline
        if ours is None or theirs is None:
            return theirs if ours is None else ours
        return min(ours, theirs)

    def _ask_colours(self) -> None:
        """What a program in the job asks for is answered with them, and what it changes of them is as it was in the end."""
        if self._ask:
            self._answers = self._terminal.answers = Answers(time.monotonic())
            self._told = (0, 0)
            self._unshown += QUESTIONS
            self._show(0)

    def _lend_terminal(self) -> None:
        """What the person sees now goes up into the scrollback; what comes then is the host's to draw."""
        self._unshown += self._terminal.scroll_up()
        self._painted = True
        self._show_rest()
        self._hand_over()

    def _hand_over(self) -> None:
        frame = pack_frame(LEND, json.dumps(self._terminal.will()).encode())
        descriptor = struct.pack("i", self._terminal.output_fd)
        try:
            self._host.settimeout(LAST_WORDS)
            self._host.sendall(self._unsent)
            self._unsent.clear()
            sent = self._host.sendmsg([frame], [(SOL_SOCKET, SCM_RIGHTS, descriptor)])
            self._host.sendall(frame[sent:])
            self._lent = True
        except TimeoutError:
            self._outcome = self._outcome or Outcome("lost")
        except OSError:
            pass  # It is ending: what it said last is still to be read.
        finally:
            self._host.setblocking(False)

    def _leave(self) -> None:
        """What our host was lent we leave ourselves. Should it take nothing at all, our host does as our will says, once we are gone."""
        lent, how = self._lent, self._outcome.how if self._outcome else ""
        if how == "detached":
            self._terminal.last_line = self._farewell + "\r\n"
        if how not in ("ended", "lost"):
            self._take_back()
        if lent and not self._terminal.leave():
            self._hand_over()
        elif how in ("ended", "lost") and not self._terminal.makes_room():
            select.select([self._signals.fd], [self._terminal.output_fd], [], STOPPED)

    def _take_back(self) -> None:
        """Returns once the host writes to the terminal no more, and has said what it is still to be given."""
        self._lent = False
        deadline = time.monotonic() + RETURN_WITHIN
        try:
            self._host.settimeout(RETURN_WITHIN)
            self._host.sendall(bytes(self._unsent) + pack_frame(RETURN, b""))
            self._unsent.clear()
            while (left := deadline - time.monotonic()) > 0:
                self._host.settimeout(left)
                data = self._host.recv(65536)
                if not data or any(self._is_returned(*frame) for frame in self._frames.feed(data)):
                    return
        except (OSError, TooLong):
            pass  # It is gone, or stuck: the person does not wait for it.
        finally:
            self._host.setblocking(False)

    def _is_returned(self, kind: bytes, payload: bytes) -> bool:
        if kind == RETURNED:
            self._terminal.parting = payload
        elif kind == ENDED:
            self._terminal.parting = _last_words(payload)[1]
        return kind in (RETURNED, ENDED)

    def _suspend(self) -> None:
        """Stopped by a signal from outside, the terminal is the shell's until we are in its foreground again."""
        self._take_back()
        self._terminal.give_back()
        with self._signals.default(signal.SIGTSTP):
            os.kill(os.getpid(), signal.SIGTSTP)
            self._terminal.take()
        self._begin_anew()
        self._ask_colours()
        self._lend_anew()

    def _go_on(self) -> None:
        """We may have been stopped by SIGSTOP, of which nobody hears. Then our shell has had the terminal, if it is not as we left it."""
        if self._terminal.ours:
            self._terminal.raw()
            self._size = (0, 0)
            return
        self._take_back()
        self._terminal.take_anew()
        self._begin_anew()
        self._lend_anew()

    def _begin_anew(self) -> None:
        self._taken_anew = True
        self._painted = False
        self._size = (0, 0)
        self._tell_size()

    def _lend_anew(self) -> None:
        if self._lend:
            self._lend_terminal()
        else:
            self._unsent += pack_frame(LEND, b"{}")
            self._flush()

    def _watch(self) -> None:
        """What to wait for now: bounded buffers mean that a full one stops its source."""
        self._flowing = not self._unsent and not self._unshown
        read, write = select.POLLIN, select.POLLOUT
        wanted = {
            self._signals.fd: read,
            self._terminal.input_fd: read if len(self._unsent) < MOST_UNSENT else 0,
            self._terminal.output_fd: write if self._unshown else 0,
            self._host.fileno(): (read if len(self._unshown) < MOST_UNSHOWN else 0) | (write if self._unsent else 0),
        }
        for fd, events in wanted.items():
            before = self._watched.get(fd, 0)
            if events == before:
                continue
            if events:
                self._poll.register(fd, events)
            else:
                self._poll.unregister(fd)
            self._watched[fd] = events

    def _expire(self) -> None:
        now = time.monotonic()
        if self._answers and self._answers.deadline is not None and now >= self._answers.deadline and self._outcome is None:
            self._send_typed(*self._filter.feed(self._answers.expire(), now))
        if self._outcome is None and self._filter.deadline is not None:
            self._send_typed(*self._filter.expire(now))

    def _typed(self, _events: int) -> None:
        try:
            # What is typed behind the key that leaves is the shell's: as much of it as can be stays where the shell will read it.
            data = os.read(self._terminal.input_fd, 1 if self._filter.armed else 65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._outcome = Outcome("killed", signal.SIGHUP)
            return
        now = time.monotonic()
        if self._answers and (b"\x1b" in data or self._answers.deadline is not None):
            data = self._without_answers(self._answers, data, now)
        self._send_typed(*self._filter.feed(data, now))

    def _without_answers(self, answers: Answers, data: bytes, now: float) -> bytes:
        typed = answers.feed(data, now)
        told = len(answers.colours), 0 if answers.waiting else len(answers.palette)
        if told != self._told:
            self._told = told
            self._unsent += pack_frame(COLOURS, json.dumps(answers.told()).encode())
            self._flush()
        return typed

    def _send_typed(self, data: bytes, detach: bool) -> None:
        if data and not self._read_only:
            self._unsent += pack_frame(INPUT, data)
            self._flush()
        if detach:
            self._terminal.behind = self._filter.behind
            self._outcome = Outcome("detached")

    def _flush(self) -> None:
        try:
            sent = self._host.send(self._unsent)
        except BlockingIOError:
            return
        except OSError:
            # What it said last is still to be read; the reading side finds the end.
            self._unsent.clear()
            return
        del self._unsent[:sent]

    def _host_ready(self, events: int) -> None:
        if events & select.POLLOUT and self._unsent:
            self._flush()
        if not events & ~select.POLLOUT:
            return
        try:
            data = self._host.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._take_frames(data)
        else:
            self._outcome = Outcome("lost")

    def _take_frames(self, data: bytes) -> None:
        try:
            frames = self._frames.feed(data)
        except TooLong:
            self._outcome = Outcome("lost")
            return
        for kind, payload in frames:
            if kind == OUTPUT:
                self._unshown += payload
            elif kind == REPAINT:
                self._repaint(payload[_SIZE.size :])
            elif kind == ENDED:
                self._show_rest()
                self._terminal.last_row, self._terminal.parting = _last_words(payload)
                self._outcome = Outcome("ended")
                self._lent = False
        self._show(0)

    def _repaint(self, picture: bytes) -> None:
        if not self._painted:
            self._unshown += self._terminal.scroll_up()
            self._painted = True
        self._unshown += picture

    def _show(self, _events: int) -> None:
        if not self._unshown:
            return
        try:
            shown = os.write(self._terminal.output_fd, self._unshown)
        except BlockingIOError:
            return
        except OSError:
            self._outcome = Outcome("killed", signal.SIGHUP)
            return
        del self._unshown[:shown]

    def _show_rest(self) -> None:
        """The job's last words, before the terminal is given back; one that takes nothing is not waited for for ever."""
        deadline = time.monotonic() + LAST_WORDS
        poll = select.poll()
        poll.register(self._terminal.output_fd, select.POLLOUT)
        while self._unshown and (left := deadline - time.monotonic()) > 0 and poll.poll(left * 1000) and self._outcome is None:
            self._show(0)

    def _signalled(self, _events: int) -> None:
        numbers = os.read(self._signals.fd, 1024)
        if any(number in numbers for number in ENDING):
            self._outcome = Outcome("killed", next(number for number in ENDING if number in numbers))
            return
        if signal.SIGTSTP in numbers:
            self._suspend()
        elif signal.SIGCONT in numbers:
            self._go_on()
        self._tell_size()

    def _tell_size(self) -> None:
        """The host knows the size we greeted it with; what it is told again it draws anew."""
        size = self._terminal.size()
        if size != self._size:
            self._size = size
            self._unsent += pack_frame(RESIZE, _SIZE.pack(*size))
            self._flush()


def _last_words(ended: bytes) -> tuple[int | None, bytes]:
    """The row where they stand, if the host says so, and what the terminal is still to be given."""
    try:
        said = json.loads(ended)
        row, parting = said.get("row"), said.get("parting")
    except (ValueError, AttributeError):
        row = parting = None
    return row if isinstance(row, int) and row >= 0 else None, parting.encode() if isinstance(parting, str) else b""

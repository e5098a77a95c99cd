"""Between the PTY and the attached terminals: output to them first and then to the mirror, so that a key's echo never waits.

The terminal that typed, resized or attached last decides the size. One whose size is another gets pictures from the mirror instead of raw
bytes. One that reads slowly is repainted when it has caught up; it slows nobody.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

import msgspec

from roost_protocol.decoding import MALFORMED
from roost_protocol.frame import TooLong, pack_frame
from roost_protocol.host import COLOURS, ENDED, INPUT, LEND, PROTOCOL, RESIZE, RETURN, RETURNED, Attached, AttachHello, Colours, Lend
from roost_protocol.text import printable
from roostd.host.answers import answers_only, focus_of, without_unasked
from roostd.host.connection import Connection
from roostd.host.lent import Lent
from roostd.host.loop import Loop
from roostd.host.mirror.colours import PALETTE
from roostd.host.mirror.interface import Fed, Mirror
from roostd.host.mirror.queries import QueryFilter
from roostd.host.pty import Pty
from roostd.host.recorders import Recorders
from roostd.host.sizing import Sizing
from roostd.host.terminal import LATE, LATE_QUEUE, QUEUE, SIZE, Away, Framed, Terminal
from roostd.host.timers import Timer
from roostd.host.typing import FOCUS_IN, FOCUS_OUT

REPAINT_PAUSE = 0.05
FLUSH_AFTER = 0.05
"""Seconds: between two pictures of a terminal of another size; until a lone ESC is let go."""

LAST_WORDS = 1.0
"""Seconds in which a lent terminal must take something of what a job wrote last, to be given more."""

HISTORY = 2000

PERSONS_TITLE = b"\x1b[23;0t\x1b[22;0t"
"""The title that a terminal had before, which its command has put away there."""

_LEND, _COLOURS = msgspec.json.Decoder(Lend), msgspec.json.Decoder(Colours)  # built before the fork, and so shared


class Relay:
    """All attached terminals of one job. `on_typed`, `on_looked` and `on_resized` tell the host what people do."""

    def __init__(self, loop: Loop, mirror: Mirror, version: str, job: str) -> None:
        self._loop = loop
        self._mirror = mirror
        self._sizing = Sizing(loop, (mirror.cols, mirror.rows), self._resize)
        self._version = version
        self._job = job
        self._filter = QueryFilter()
        self._withheld = 0
        self._announcement = b""
        self._recorders = Recorders(mirror)
        self._terminals: list[Terminal] = []
        self._flush_timer: Timer | None = None
        self._repaint_timer: Timer | None = None
        self._focus_wanted = False
        self._focus: bool | None = None
        """What the program was told last; a terminal that is drawn anew says it again."""
        self.pty: Pty | None = None
        self.on_typed: Callable[[bytes], None] = lambda data: None
        self.on_looked: Callable[[], None] = lambda: None
        self.on_resized: Callable[[], None] = lambda: None

    @property
    def attached(self) -> int:
        return len(self._terminals)

    @property
    def _typing(self) -> list[Terminal]:
        """Those that a person may type at: one who only reads is no focus."""
        return [terminal for terminal in self._terminals if not terminal.read_only]

    def output(self, data: bytes) -> Fed:
        """What the job wrote: on to the terminals, then into the mirror, whose answers go back to the job at once."""
        self._recorders.output(data)
        passed = self._filter.feed(data)
        self._withheld += len(data) - len(passed)
        self._pass_on(passed)
        if self._announcement:
            self._announce()
        if self._withheld or self._flush_timer:
            self._flush_later()
        if self._filter.was_reset:
            self._undo()
        fed = self._mirror.feed(data)
        if self._filter.was_reset:
            self._draw_anew()
        if self._filter.was_retitled:
            self._retitle()
        if self.pty:
            for reply in fed.replies:
                self.pty.reply(reply)
        if self._mirror.focus_events != self._focus_wanted:
            self._follow_focus()
        return fed

    def _undo(self) -> None:
        """What no picture undoes (`Mirror.parting`)."""
        for terminal in self._terminals:
            terminal.screen.show(self._mirror.parting(terminal.colours))

    def _draw_anew(self) -> None:
        self._filter.was_reset = False
        self._undo()  # once more: what is set right before a reset comes with it
        for terminal in self._terminals:
            self._repaint(terminal)

    def _retitle(self) -> None:
        self._filter.was_retitled = False
        for terminal in self._terminals:
            if terminal.size == self._sizing.size and not terminal.behind:
                terminal.screen.show(b"\x1b]2;%s\x1b\\" % self._mirror.title.encode() if self._mirror.title else PERSONS_TITLE)

    def announce(self, text: str) -> None:
        """Rings in the attached terminals, and says why to those that notify; as soon as the job is between two sequences."""
        self._announcement = b"\x1b]9;" + printable(text).encode() + b"\x07\x07"
        self._announce()

    def _announce(self) -> None:
        if self._filter.between:
            for terminal in self._terminals:
                if not terminal.behind:
                    terminal.screen.show(self._announcement)
            self._announcement = b""

    def attach(self, connection: Connection, hello: AttachHello, rest: bytes) -> None:
        """Take a connection over as a terminal, or as who records; `rest` is what came behind its first line."""
        if hello.records:
            connection.send(self._attached(hello))
            self._recorders.add(connection)
            return
        terminal = Terminal(connection, (hello.cols, hello.rows), read_only=hello.read_only, lends=hello.lends)
        connection.on_data = partial(self._received, terminal)
        connection.on_end = partial(self._left, terminal)
        connection.on_drained = partial(self._sent, terminal)
        self._sizing.decide(terminal)
        self._terminals.append(terminal)
        connection.send(self._attached(hello))
        if self._focus_wanted and not terminal.read_only and self._typing == [terminal]:
            self._tell(FOCUS_IN)
        self.on_looked()
        self._repaint(terminal)
        if rest:
            self._received(terminal, rest)

    def _attached(self, hello: AttachHello) -> bytes:
        cols, rows = self._sizing.size
        answer = Attached(
            protocol=PROTOCOL,
            version=self._version,
            job=self._job,
            cols=cols,
            rows=rows,
            borrows=hello.lends and not hello.records,
            records=hello.records,
        )
        return msgspec.json.encode(answer) + b"\n"

    def room(self) -> None:
        """The program has read what was typed: take more."""
        for terminal in self._terminals:
            terminal.connection.pause(False)

    def end(self, exit_code: int | None, exit_signal: str | None) -> None:
        """Tell every terminal that the job has ended, and close."""
        self._flush_now()
        self._recorders.end(pack_frame(ENDED, msgspec.json.encode({"exit_code": exit_code, "exit_signal": exit_signal, "row": None})))
        for terminal in self._terminals:
            row = self._last_row() if terminal.size == self._sizing.size else None
            terminal.farewell = {"exit_code": exit_code, "exit_signal": exit_signal, "row": row}
            self._see_off(terminal)

    def _last_row(self) -> int | None:
        if self._mirror.modes.alternate:
            return None
        filled = [y for y, row in enumerate(self._mirror.text()) if row]
        x, y = self._mirror.cursor
        return max([*filled[-1:], y if x else y - 1, 0])

    def _see_off(self, terminal: Terminal) -> None:
        """A lent terminal shows all before it hears of the end; the others hear of it in order."""
        if isinstance(terminal.screen, Away):
            terminal.screen = Framed(terminal.connection)
            self._repaint(terminal)
        if isinstance(terminal.screen, Framed):
            self._catch_up(terminal)
            self._part(terminal)
            return
        self._drained(terminal)
        self._wait_for(terminal, terminal.screen.queued + 1)

    def _wait_for(self, terminal: Terminal, queued: int) -> None:
        if terminal.farewell is not None and terminal.screen.queued < queued:
            self._loop.after(LAST_WORDS, partial(self._wait_for, terminal, terminal.screen.queued))
        else:
            self._part(terminal)

    def _part(self, terminal: Terminal) -> None:
        if terminal.farewell is not None:
            said = {**terminal.farewell, "parting": self._see_through(terminal).decode()}
            terminal.connection.send(pack_frame(ENDED, msgspec.json.encode(said)))
            terminal.farewell = None
            terminal.connection.close_when_sent()

    @property
    def unsent(self) -> int:
        """Bytes that terminals have not taken yet."""
        return self._recorders.unsent + sum(terminal.screen.queued + terminal.connection.queued for terminal in self._terminals)

    def _received(self, terminal: Terminal, data: bytes) -> None:
        try:
            frames = terminal.frames.feed(data)
        except TooLong:
            terminal.connection.close()
            self._left(terminal)
            return
        for kind, payload in frames:
            if kind == INPUT and not terminal.read_only:
                self._typed(terminal, payload)
            elif kind == RESIZE and len(payload) == SIZE.size:
                self._resized(terminal, SIZE.unpack(payload))
            elif kind == LEND:
                self._lent(terminal, payload)
            elif kind == COLOURS:
                self._coloured(terminal, payload)
            elif kind == RETURN:
                self._returned(terminal)
        if self.pty and self.pty.full:
            terminal.connection.pause(True)

    def _lent(self, terminal: Terminal, payload: bytes) -> None:
        descriptor = terminal.connection.take_descriptor()
        if descriptor is not None:
            try:
                will = _LEND.decode(payload)
            except MALFORMED:
                will = Lend()
            try:
                terminal.show_on(Lent(self._loop, descriptor, will, partial(self._drained, terminal)))
            except OSError:
                os.close(descriptor)
                terminal.show_on(Framed(terminal.connection))
        elif isinstance(terminal.screen, Away):
            terminal.screen = Framed(terminal.connection)
        terminal.behind = False
        self._repaint(terminal)

    def _coloured(self, terminal: Terminal, payload: bytes) -> None:
        """It has them again when it leaves. Those that programs are told are those of the terminal that came last."""
        try:
            colours = _COLOURS.decode(payload)
        except MALFORMED:
            return
        terminal.colours = _numbered(colours)
        foreground, background = colours.foreground, colours.background
        if foreground is None or background is None:
            return
        cursor = foreground if colours.cursor is None else colours.cursor
        told = self._mirror.set_colours(foreground, background, cursor)
        if self.pty:
            for reply in told:
                self.pty.reply(reply)

    def _returned(self, terminal: Terminal) -> None:
        if terminal.connection.hung_up:  # It could not wait for us, and has left the terminal to others itself.
            terminal.take_back()
        else:
            terminal.connection.send(pack_frame(RETURNED, self._see_through(terminal)))

    def _see_through(self, terminal: Terminal) -> bytes:
        """Undoes on it what else nobody undoes, and shows nothing more. Its client, who sees whether it takes that, does the same."""
        parting = self._mirror.parting(terminal.colours)
        terminal.screen.show(parting)
        terminal.take_back()
        return parting

    def _typed(self, terminal: Terminal, data: bytes) -> None:
        """What terminals say of themselves decides nothing: two of different sizes would have each other drawn anew for ever."""
        if not self._sizing.decides(terminal):
            data = without_unasked(data)
        focus = focus_of(data)
        if not data or (focus is not None and focus == self._focus):
            return
        self._focus = self._focus if focus is None else focus
        if not answers_only(data):
            self._sizing.typed(terminal)
        if self.pty:
            self.pty.type(data)
        self.on_typed(data)

    def _resized(self, terminal: Terminal, size: tuple[int, ...]) -> None:
        terminal.size = (size[0], size[1])
        self._sizing.decide(terminal)
        self._repaint(terminal)

    def _left(self, terminal: Terminal) -> None:
        if terminal not in self._terminals:
            return
        self._terminals.remove(terminal)
        terminal.forget(self._mirror.parting(terminal.colours))
        self._sizing.left(terminal, self._terminals)
        if self._focus_wanted and not terminal.read_only and not self._typing:
            self._tell(FOCUS_OUT)
        self.on_looked()

    def _sent(self, terminal: Terminal) -> None:
        if isinstance(terminal.screen, Framed):
            self._catch_up(terminal)

    def _drained(self, terminal: Terminal) -> None:
        if not terminal.screen.queued:
            self._catch_up(terminal)
        if not terminal.screen.queued:
            self._part(terminal)

    def _catch_up(self, terminal: Terminal) -> None:
        if terminal.behind:
            terminal.behind = False
            self._repaint(terminal)

    def _resize(self) -> None:
        cols, rows = self._sizing.size
        self._mirror.resize(cols, rows)
        self._recorders.resized()
        if self.pty:
            self.pty.resize(cols, rows)
        self.on_resized()
        for terminal in self._terminals:
            self._repaint(terminal)

    def _pass_on(self, data: bytes) -> None:
        if not data or not self._terminals:
            return
        for terminal in self._terminals:
            if terminal.size != self._sizing.size:
                self._picture_later()
                continue
            if terminal.behind:
                continue
            terminal.screen.show(data)
            if terminal.screen.queued > QUEUE:
                self._fall_behind(terminal)
            elif terminal.screen.queued > LATE_QUEUE and terminal.watch is None:
                self._watch_late(terminal)

    def _fall_behind(self, terminal: Terminal) -> None:
        terminal.screen.drop_queue()
        terminal.behind = True

    def _watch_late(self, terminal: Terminal) -> None:
        """What waits now must have been shown in a moment: a person does not look at what was long ago."""
        shown, screen = terminal.screen.gone + terminal.screen.queued, terminal.screen

        def look() -> None:
            terminal.watch = None
            if terminal.screen is not screen or screen.queued <= LATE_QUEUE:
                return
            if screen.gone < shown:
                self._fall_behind(terminal)
            else:
                self._watch_late(terminal)

        terminal.watch = self._loop.after(LATE, look)

    def _repaint(self, terminal: Terminal) -> None:
        if terminal.screen.queued > QUEUE:
            self._fall_behind(terminal)
        if not terminal.behind and not isinstance(terminal.screen, Away):
            history = HISTORY if terminal.unseen else 0
            drawn = self._mirror.repaint(history) if terminal.size == self._sizing.size else self._mirror.picture(*terminal.size)
            terminal.unseen = False
            terminal.screen.paint(terminal.size, drawn)

    def _picture_later(self) -> None:
        if not self._repaint_timer or not self._repaint_timer.pending:
            self._repaint_timer = self._loop.after(REPAINT_PAUSE, self._pictures)

    def _pictures(self) -> None:
        for terminal in self._terminals:
            if terminal.size == self._sizing.size:
                continue
            if terminal.screen.queued:
                terminal.behind = True
            self._repaint(terminal)

    def _flush_later(self) -> None:
        if self._flush_timer:
            self._flush_timer.cancel()
            self._flush_timer = None
        if self._terminals and self._withheld:
            self._flush_timer = self._loop.after(FLUSH_AFTER, self._flush_now)

    def _flush_now(self) -> None:
        if self._withheld:
            self._withheld = 0
            self._pass_on(self._filter.flush())

    def _follow_focus(self) -> None:
        self._focus_wanted = self._mirror.focus_events
        self._focus = None
        if self._focus_wanted and not self._typing:
            self._tell(FOCUS_OUT)

    def _tell(self, focus: bytes) -> None:
        self._focus = focus == FOCUS_IN
        if self.pty:
            self.pty.type(focus)


def _numbered(colours: Colours) -> dict[int, int]:
    """As `mirror.colours` has them."""
    default = {10: colours.foreground, 11: colours.background, 12: colours.cursor}
    told = {number: colour for number, colour in default.items() if colour is not None}
    return told | {PALETTE + index: colour for index, colour in colours.palette.items()}

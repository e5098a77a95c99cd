"""Looks at one job's mirror and says when its state has changed. No I/O and no clock: live and replayed jobs run through it alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from roost_protocol.host import Detection, HostReport
from roost_protocol.states import State
from roost_protocol.text import printable
from roostd.host.answers import answers_only
from roostd.host.arbiter import Verdict, arbitrate
from roostd.host.findings import UNRECOGNISED
from roostd.host.mirror.events import Event
from roostd.host.mirror.interface import Mirror
from roostd.host.patterns import compile_detection
from roostd.host.settling import TYPING_GRACE, without_spinner
from roostd.host.signals import Exited, Signals

LATE: Final = 2.0
"""Seconds after a deadline that nobody asked: the machine slept or had no time for us, and that is no silence of the agent."""


class Observer:
    """Give it what happens, in order; `decide` then tells whether there is something new to publish.

    `tasked` says that it was given a task at its start. All times are monotonic seconds. `text` and `title` are what a list shows of the
    job, `rows` the screen at the last look.
    """

    def __init__(self, detection: Detection, started: float, tasked: bool = False) -> None:
        self.signals = Signals(compile_detection(detection), started, tasked)
        self.state: State = "starting"
        self.title: str | None = None
        self.text: str | None = None
        self._typed = False
        self._due: float | None = None
        self._unrecognised = False
        self._published: tuple[object, ...] | None = None

    def hear(self, events: Iterable[Event], now: float) -> bool:
        """What the program told its terminal. Whether its program status is another one now."""
        before = self.signals.program
        self.signals.hear(events, now)
        return self.signals.program != before

    def look(self, mirror: Mirror, now: float) -> None:
        """The screen as it is now. Not to be called in the middle of a synchronized frame."""
        rows = self.rows = mirror.text()
        alternate = mirror.alternate
        self.signals.look(
            rows,
            mirror.cursor[1],
            now,
            busy=self.state == "working",
            pastes=mirror.bracketed_paste,
            alternate=alternate,
            colours=mirror.colours,
        )
        self.title = without_spinner(printable(mirror.title)) or None if mirror.title else None
        self.text = self.title or (None if alternate else _last_row(rows))

    def typed(self, data: bytes, now: float) -> bool:
        """A person typed these bytes. Whether it was a submit: a carriage return outside a paste; nothing else decides anything.

        What their terminal answers the program comes the same way, and is no typing.
        """
        if not self.keyed(data, now):
            return False
        entered, self._typed = self._typed, True
        if b"\r" in data and is_submit(data):
            self._typed = False
            if self.state != "idle" or entered or data.strip(b"\r\n"):  # An empty line at a prompt asks for nothing.
                self.signals.submit(now)
                return True
        self.signals.settling.excuse(now + TYPING_GRACE)
        return False

    def keyed(self, data: bytes, now: float) -> bool:
        """These bytes go to the program, by whatever way. Whether it is a person's doing: not what a terminal answers by itself."""
        if answers_only(data):
            return False
        if data.strip(b"\x03\x04"):
            self.signals.touched = now
        return True

    def repainted(self, now: float) -> None:
        """A resize or an attach makes the agent draw anew, which is no progress."""
        self.signals.repainted(now)

    def looked(self) -> None:
        """A person has this job on a terminal now."""
        self.signals.seen()

    def answered(self) -> None:
        """A person has answered, by whatever way."""
        self.signals.attention = None

    def submitted(self, now: float) -> None:
        """A reply was entered."""
        self.signals.submit(now)

    def report(self, report: HostReport, now: float, age: float) -> None:
        """`age` is how many seconds ago it was made: a daemon that could not send it at once does so later."""
        self.signals.report(report, min(now, max(self.signals.started, now - age)))

    def exited(self, exited: Exited) -> None:
        self.signals.exited = exited
        self.signals.records.drop_busy()

    def peek(self, now: float) -> Verdict:
        """The verdict, without publishing it."""
        return arbitrate(self.signals, now, self.state)

    def decide(self, now: float) -> tuple[Verdict, bool]:
        """The verdict, and whether what is published changes by it."""
        if self._due is not None and now > self._due + LATE:
            self.signals.shift(now - self._due + LATE, now)
        verdict = arbitrate(self.signals, now, self.state)
        self._due = verdict.deadline
        stirs = verdict.held and verdict.state == "idle"
        self.signals.stirred = (self.signals.stirred or now) if stirs else None
        if verdict.state == "working" and not verdict.held:
            self.signals.last_working = now
        elif verdict.state == "idle":
            self.signals.knows_idle = True
        by_sign = verdict.state == "working" and verdict.finding.signal not in ("settling", "input")
        if by_sign:
            self.signals.worked = now
        if by_sign or verdict.state in ("idle", "quiet"):
            self.signals.tasked = False
        self.state = verdict.state
        finding = verdict.finding
        # Of all that changes while a job works, the one thing that a person should hear of: it comes only after a silence.
        if not verdict.held:
            self._unrecognised = finding.detail == UNRECOGNISED
        shown = (
            verdict.state,
            finding.waiting_for,
            finding.question,
            finding.choices,
            verdict.attention,
            self._unrecognised,
            self.signals.session_ref,
            self.signals.knows_idle,
        )
        changed = shown != self._published
        self._published = shown
        return verdict, changed


def is_submit(data: bytes) -> bool:
    """Whether a carriage return was typed: a key by itself or behind text, but none within a bracketed paste."""
    outside = b"".join(part.partition(b"\x1b[201~")[2] if number else part for number, part in enumerate(data.split(b"\x1b[200~")))
    return b"\r" in outside


def _last_row(rows: list[str]) -> str | None:
    for row in reversed(rows):
        if row and (shown := row.strip()):
            return printable(shown)
    return None

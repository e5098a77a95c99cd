"""The evidence at hand: what was heard and seen of one job so far. Pure; every time is monotonic seconds, given by the caller.

`Signals` only remembers. What follows from it all together is `arbiter.arbitrate`'s to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from roost_protocol.host import HostReport
from roost_protocol.jobs import Choice
from roost_protocol.states import State, WaitingFor
from roost_protocol.text import printable
from roostd.host.animation import Pace
from roostd.host.mirror.events import Bell, Event, HardReset, Notification, ProgramStatus, Progress, PromptMark, SyncOutput, Title
from roostd.host.patterns import Match, Patterns, find, searched, since
from roostd.host.program_status import ProgramRecords, ProgramReport, parse
from roostd.host.settling import REPAINT_GRACE, Settling, without_spinner
from roostd.host.shimmer import Colours

_BUSY_PROGRESS = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Reported:
    """What the agent itself reported last."""

    at: float
    state: State
    status: str | None = None
    waiting_for: WaitingFor | None = None
    question: str | None = None
    choices: tuple[Choice, ...] | None = None
    since: float = 0.0
    """When it first said so: a report is a whole snapshot, and says most things again."""


@dataclass(frozen=True, slots=True)
class Rang:
    """Something asked for a person."""

    at: float
    signal: str
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Exited:
    """The first process has ended."""

    at: float
    code: int | None
    signal: str | None
    stopped: bool


class Signals:
    """Remembers the newest of each kind of evidence."""

    __slots__ = (
        "_kept",
        "_kept_until",
        "_report_n",
        "_title",
        "_title_pace",
        "alternate",
        "attention",
        "editor_closed",
        "editor_opened",
        "exited",
        "first_output",
        "knows_idle",
        "last_working",
        "match",
        "patterns",
        "program",
        "program_at",
        "program_since",
        "progress",
        "prompt",
        "records",
        "reported",
        "reporter_connected",
        "session_ref",
        "settling",
        "started",
        "stirred",
        "submitted",
        "tasked",
        "title_match",
        "touched",
        "worked",
    )

    def __init__(self, patterns: Patterns, started: float, tasked: bool = False) -> None:
        self.patterns = patterns
        self.started = started
        self.tasked = tasked
        self.settling = Settling(asks=not any(seen.state == "waiting" for seen in patterns.screen))
        self.records = ProgramRecords()
        self.first_output: float | None = None
        self.exited: Exited | None = None
        self.reported: Reported | None = None
        self.reporter_connected = False
        self.program: ProgramReport | None = None
        self.program_at = self.program_since = started
        self.progress: float | None = None
        self.prompt: tuple[float, str] | None = None
        self.match: Match | None = None
        self.title_match: Match | None = None
        self.submitted: float | None = None
        self.alternate = False
        self.attention: Rang | None = None
        self.session_ref: str | None = None
        self.knows_idle = False
        self.last_working: float | None = None
        self.stirred: float | None = None
        self.touched: float | None = None
        self.worked: float | None = None
        self.editor_opened: float | None = None
        self.editor_closed: float | None = None
        self._kept: Match | None = None
        self._kept_until = float("-inf")
        self._report_n = 0
        self._title = ""
        self._title_pace = Pace()

    def hear(self, events: Iterable[Event], now: float) -> None:
        """What the program told its terminal."""
        for event in events:
            self._hear(event, now)

    def look(
        self,
        rows: Sequence[str],
        cursor_row: int,
        now: float,
        *,
        busy: bool,
        pastes: bool = False,
        alternate: bool = False,
        colours: Colours | None = None,
    ) -> None:
        """One look at the live screen, never at its history. `busy` is whether the job works as far as is published, `pastes` whether
        it takes bracketed pastes now, `alternate` which screen it is, `colours` tells those of a row."""
        if self.first_output is None:
            self.first_output = now
        self.settling.look(rows, cursor_row, now, busy=busy, colours=colours)
        self.alternate = alternate
        self._edit(pastes, now)
        patterns = self.patterns
        if patterns.screen or patterns.session:
            self._search(patterns, searched(rows), now)

    def _search(self, patterns: Patterns, text: str, now: float) -> None:
        self.match = since(self.matched(now), find(patterns.screen, text, now))
        if patterns.session and self.session_ref is None and (found := patterns.session.search(text)):
            self.session_ref = printable(found[1])

    def matched(self, now: float) -> Match | None:
        """What the screen shows, by the profile. What was there before a repaint is there until that has had its time: an empty frame
        in its middle does not take a dialog back."""
        kept, found = self._kept, self.match
        if kept is None or now >= self._kept_until or (found and (found.state == "waiting" or kept.state != "waiting")):
            return found
        return kept

    def repainted(self, now: float) -> None:
        """A resize or an attach makes the agent draw anew."""
        self._kept, self._kept_until = self.matched(now), now + REPAINT_GRACE
        self.settling.excuse(self._kept_until)

    @property
    def kept_until(self) -> float:
        """When what was there before a repaint is no longer taken to be there."""
        return self._kept_until if self._kept else self.started

    def report(self, report: HostReport, at: float) -> None:
        """What the agent reported itself. The last one again says only whether who made it is connected."""
        if 0 < report.n < self._report_n:
            return
        again = 0 < report.n == self._report_n
        if report.connected is not None or not again:
            self.reporter_connected = bool(report.connected)
        if again:
            return
        self._report_n = report.n
        said = Reported(
            at=at,
            state=report.state,
            status=_shown(report.status),
            waiting_for=report.waiting_for,
            question=_shown(report.question),
            choices=None if report.choices is None else tuple(report.choices),
            since=at,
        )
        before = self.reported
        answered = before is not None and self.touched is not None and self.touched > before.since
        same = not answered and before is not None and replace(before, at=at, status=said.status, since=at) == said
        self.reported = replace(said, since=before.since) if before is not None and same else said

    def submit(self, now: float) -> None:
        """A person's answer was entered: the bell is answered, and what changes from now on is the agent's doing."""
        self.submitted = now
        self.tasked = False
        self.attention = self._kept = None
        self.settling.no_excuse()

    def seen(self) -> None:
        """A person has looked: nothing rings any more, and what was done or failed is no news. It goes on to be evidence of rest."""
        self.attention = None
        was = self.program
        self.records.drop_seen()
        self.program = self.records.together()
        if self.program is None and was is not None and was.state in ("done", "error"):
            self.program = ProgramReport("", "idle")

    def asked_at(self, signal: str) -> float | None:
        """Since when what the agent itself says by this signal is said without a change."""
        if signal == "report":
            return self.reported.since if self.reported else None
        return self.program_since if signal == "program-status" else None

    @property
    def news(self) -> float:
        """When something positive was last said that had not been said before."""
        said = (self.match, self.title_match, self.reported)
        times = [one.at for one in said if one is not None] + [self.program_at] * (self.program is not None)
        times += [at for at in (self.editor_closed, self.prompt and self.prompt[0]) if at is not None]
        return max(times, default=float("-inf"))

    def shift(self, seconds: float, now: float) -> None:
        """So long nobody could look or hear: what the time since then would say is put off."""
        self.settling.shift(seconds, now)
        if self.submitted is not None:
            self.submitted = min(now, self.submitted + seconds)

    def _hear(self, event: Event, now: float) -> None:
        match event:
            case SyncOutput():  # The most frequent by far; whoever paces looks asks the mirror.
                return
            case ProgramStatus(pairs):
                self._program(parse(pairs), now)
            case Title(text):
                self._entitle(text, now)
            case Bell():
                self._ring(Rang(now, "bell"))
            case Notification(text, source):
                self._ring(Rang(now, source, printable(text) or None))
            case Progress(state):
                self.progress = now if state in _BUSY_PROGRESS else None
            case PromptMark(kind):
                self._prompt(kind, now)
            case HardReset():
                self.records.drop_all()
                self.program = self.prompt = self.progress = None

    def _program(self, report: ProgramReport | None, now: float) -> None:
        if report is None:
            return
        self.records.update(report)
        if report.state not in ("idle", "clear"):
            self.tasked = False
        together = self.records.together()
        if _asks(together) != _asks(self.program):
            self.program_since = now
        if together != self.program or together is report:
            self.program, self.program_at = together, now

    def _ring(self, rang: Rang) -> None:
        """Who rings on and on rings once, until somebody answers or looks."""
        had = self.attention
        if had is None or (had.signal, had.text) != (rang.signal, rang.text):
            self.attention = rang

    def _prompt(self, kind: str, now: float) -> None:
        self.prompt = (now, kind)
        if kind == "A":
            self.records.drop_busy()
            self.program = self.records.together()
            self.progress = None

    def _entitle(self, title: str, now: float) -> None:
        """A title's state by the profile; and one that turns fast is life, whoever's it is. One that blinks is not."""
        found = find(self.patterns.title, title, now)
        before = self.title_match
        self.title_match = before if before and found and before.state == found.state else found
        if title != self._title and without_spinner(title) == without_spinner(self._title):
            self._title_pace.step(now)
            if self._title_pace.fast:
                self.settling.life = now
        self._title = title

    def _edit(self, pastes: bool, now: float) -> None:
        """A line editor takes bracketed pastes while it reads, and no longer once it has its line."""
        if pastes and (self.editor_opened is None or self.editor_closed is not None):
            self.editor_opened, self.editor_closed = now, None
            self.settling.finished()
        elif not pastes and self.editor_opened is not None and self.editor_closed is None:
            self.editor_closed = now


def _asks(report: ProgramReport | None) -> tuple[object, ...]:
    """What of a report makes it another one to whoever is to answer: not how far it is, or whose it is."""
    return () if report is None else (report.state, report.kind, report.text)


def _shown(text: str | None) -> str | None:
    return None if text is None else printable(text)

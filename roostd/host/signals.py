"""The evidence at hand: what was heard and seen of one job so far. Pure; every time is monotonic seconds, given by the caller.

`Signals` only remembers. What follows from it all together is `arbiter.arbitrate`'s to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from roost_protocol.host import Detection, HostReport
from roost_protocol.jobs import Choice
from roost_protocol.states import State, WaitingFor
from roost_protocol.text import printable
from roostd.host.mirror.events import Bell, Event, HardReset, Notification, ProgramStatus, Progress, PromptMark, Title
from roostd.host.program_status import ProgramRecords, ProgramReport, parse
from roostd.host.settling import Settling

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


@dataclass(frozen=True, slots=True)
class Match:
    """A profile's pattern that matches now: `at` is since when, `row` where (none: in the title)."""

    at: float
    state: State
    detail: str
    row: int | None = None


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


@dataclass(frozen=True, slots=True)
class Patterns:
    """A profile's detection, compiled. `settle` is seconds."""

    by_state: tuple[tuple[State, re.Pattern[str]], ...] = ()
    session: re.Pattern[str] | None = None
    settle: float = 2.0
    recognisable: bool = False


def compile_detection(detection: Detection) -> Patterns:
    """Waiting before working before idle. A pattern that is none was refused when the profile was loaded; here it is left out."""
    lists: tuple[tuple[State, list[str]], ...] = (
        ("waiting", detection.waiting),
        ("working", detection.working),
        ("idle", detection.idle),
    )
    compiled = ((state, _compiled(source)) for state, sources in lists for source in sources)
    return Patterns(
        by_state=tuple((state, pattern) for state, pattern in compiled if pattern is not None),
        session=_compiled(detection.session) if detection.session else None,
        settle=detection.settle,
        recognisable=detection.recognisable,
    )


def searched(rows: Sequence[str]) -> str:
    """What patterns are searched in: the rows down to the last that is not empty, so that `\\Z` is the end of what is shown."""
    filled = len(rows)
    while filled and not rows[filled - 1].strip():
        filled -= 1
    return "\n".join(rows[:filled])


class Signals:
    """Remembers the newest of each kind of evidence."""

    __slots__ = (
        "attention",
        "exited",
        "first_output",
        "knows_idle",
        "last_working",
        "match",
        "patterns",
        "program",
        "program_at",
        "progress",
        "prompt",
        "records",
        "reported",
        "reporter_gone",
        "session_ref",
        "settling",
        "started",
        "submitted",
        "title_match",
    )

    def __init__(self, patterns: Patterns, started: float) -> None:
        self.patterns = patterns
        self.started = started
        self.settling = Settling()
        self.records = ProgramRecords()
        self.first_output: float | None = None
        self.exited: Exited | None = None
        self.reported: Reported | None = None
        self.reporter_gone: float | None = None
        self.program: ProgramReport | None = None
        self.program_at = started
        self.progress: float | None = None
        self.prompt: tuple[float, str] | None = None
        self.match: Match | None = None
        self.title_match: Match | None = None
        self.submitted: float | None = None
        self.attention: Rang | None = None
        self.session_ref: str | None = None
        self.knows_idle = False
        self.last_working: float | None = None

    def hear(self, events: Iterable[Event], now: float) -> None:
        """What the program told its terminal."""
        for event in events:
            self._hear(event, now)

    def look(self, rows: Sequence[str], cursor_row: int, now: float, *, busy: bool) -> None:
        """One look at the live screen, never at its history; `busy` is whether the job works as far as is published."""
        if self.first_output is None:
            self.first_output = now
        self.settling.look(rows, cursor_row, now, busy=busy)
        text = searched(rows)
        self.match = _since(self.match, self._find(text, now))
        if self.patterns.session and self.session_ref is None and (found := self.patterns.session.search(text)):
            self.session_ref = printable(found[1])

    def report(self, report: HostReport, now: float) -> None:
        """What the agent reported itself."""
        self.reporter_gone = None
        self.reported = Reported(
            at=now,
            state=report.state,
            status=_shown(report.status),
            waiting_for=report.waiting_for,
            question=_shown(report.question),
            choices=None if report.choices is None else tuple(report.choices),
        )

    def submit(self, now: float) -> None:
        """A person's answer was entered: the bell is answered, and what changes from now on is the agent's doing."""
        self.submitted = now
        self.attention = None
        self.settling.no_excuse()

    def _hear(self, event: Event, now: float) -> None:
        match event:
            case ProgramStatus(pairs):
                self._program(parse(pairs), now)
            case Title(text):
                self.title_match = _since(self.title_match, self._find(text, now, title=True))
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
            case _:
                return

    def _program(self, report: ProgramReport | None, now: float) -> None:
        if report is None:
            return
        self.records.update(report)
        together = self.records.together()
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

    def _find(self, text: str, now: float, *, title: bool = False) -> Match | None:
        for state, pattern in self.patterns.by_state:
            if found := pattern.search(text):
                row = None if title else text.count("\n", 0, found.start())
                return Match(now, state, printable(found[0])[:200], row)
        return None


def _since(before: Match | None, found: Match | None) -> Match | None:
    """The same match on the same row is as old as it was."""
    if before and found and (before.state, before.detail, before.row) == (found.state, found.detail, found.row):
        return before
    return found


def _compiled(source: str) -> re.Pattern[str] | None:
    try:
        return re.compile(source, re.MULTILINE)
    except re.error:
        return None


def _shown(text: str | None) -> str | None:
    return None if text is None else printable(text)

"""The evidence at hand: what was heard and seen of one job so far. Pure; every time is monotonic seconds, given by the caller.

`Signals` only remembers. What follows from it all together is `arbiter.arbitrate`'s to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from roost_protocol.host import Detection, HostReport, Pattern
from roost_protocol.jobs import Choice
from roost_protocol.states import State, WaitingFor
from roost_protocol.text import printable
from roostd.host.animation import Pace
from roostd.host.mirror.events import Bell, Event, HardReset, Notification, ProgramStatus, Progress, PromptMark, Title
from roostd.host.program_status import ProgramRecords, ProgramReport, parse
from roostd.host.settling import Settling, without_spinner

_BUSY_PROGRESS = (1, 2, 3, 4)
_RULES = re.compile("[\u2500-\u257f\u2580-\u259f]+")


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
    """A profile's pattern that matches now: `at` is since when one of this state does, `moved` since when this text in this `row`."""

    at: float
    state: State
    detail: str
    row: int
    moved: float


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
class Seen:
    """A profile's pattern, compiled: what it says when it is found in its region, `lines` from the bottom of the screen (0: all)."""

    state: State
    pattern: re.Pattern[str]
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Patterns:
    """A profile's detection, compiled: what is searched for on the screen and in the title, the first first. `settle` is seconds."""

    screen: tuple[Seen, ...] = ()
    title: tuple[Seen, ...] = ()
    session: re.Pattern[str] | None = None
    settle: float = 2.0
    recognisable: bool = False


def compile_detection(detection: Detection) -> Patterns:
    """By priority, then waiting before working before idle. A pattern that is none was refused when the profile was loaded; here it
    is left out."""
    lists: tuple[tuple[State, list[str | Pattern]], ...] = (
        ("waiting", detection.waiting),
        ("working", detection.working),
        ("idle", detection.idle),
    )
    given = [(state, Pattern(item) if isinstance(item, str) else item) for state, items in lists for item in items]
    given.sort(key=lambda pair: -pair[1].priority)
    compiled = [(state, item, _compiled(item.pattern)) for state, item in given]
    return Patterns(
        screen=tuple(Seen(state, found, item.lines) for state, item, found in compiled if found and item.region == "screen"),
        title=tuple(Seen(state, found) for state, item, found in compiled if found and item.region == "title"),
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
        "_title",
        "_title_pace",
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
        self.editor_opened: float | None = None
        self.editor_closed: float | None = None
        self._title = ""
        self._title_pace = Pace()

    def hear(self, events: Iterable[Event], now: float) -> None:
        """What the program told its terminal."""
        for event in events:
            self._hear(event, now)

    def look(self, rows: Sequence[str], cursor_row: int, now: float, *, busy: bool, pastes: bool = False) -> None:
        """One look at the live screen, never at its history. `busy` is whether the job works as far as is published, `pastes` whether
        it takes bracketed pastes now."""
        if self.first_output is None:
            self.first_output = now
        self.settling.look(rows, cursor_row, now, busy=busy)
        text = searched(rows)
        self.match = _since(self.match, _find(self.patterns.screen, text, now))
        self._edit(pastes, now)
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

    def seen(self) -> None:
        """A person has looked: nothing rings any more, and what was done or failed is no news. It goes on to be evidence of rest."""
        self.attention = None
        was = self.program
        self.records.drop_seen()
        self.program = self.records.together()
        if self.program is None and was is not None and was.state in ("done", "error"):
            self.program = ProgramReport("", "idle")

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

    def _entitle(self, title: str, now: float) -> None:
        """A title's state by the profile; and one that turns fast is life, whoever's it is. One that blinks is not."""
        found = _find(self.patterns.title, title, now)
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
        elif not pastes and self.editor_opened is not None and self.editor_closed is None:
            self.editor_closed = now


def _find(patterns: Iterable[Seen], text: str, now: float) -> Match | None:
    bottoms: dict[int, str] = {0: text}
    for seen in patterns:
        part = bottoms.get(seen.lines)
        if part is None:
            part = bottoms[seen.lines] = _bottom(text, seen.lines)
        if found := seen.pattern.search(part):
            row = text.count("\n", 0, len(text) - len(part) + found.start())
            return Match(now, seen.state, _detail(found[0], whole=seen.state == "waiting"), row, now)
    return None


def _bottom(text: str, lines: int) -> str:
    """The last so many rows that are not empty, and what is between them."""
    rows = text.split("\n")
    filled = [number for number, row in enumerate(rows) if row.strip()]
    return "\n".join(rows[filled[-lines] :]) if len(filled) > lines else text


def _detail(found: str, *, whole: bool) -> str:
    """What was found, or its first row, without the rules of its frame, on one line."""
    text = _RULES.sub(" ", found).strip()
    return " ".join(printable(text if whole else text.partition("\n")[0]).split())[:200]


def _since(before: Match | None, found: Match | None) -> Match | None:
    """The same match is as old as it was. A dialog is another if it has another text or place; who works or rests just goes on."""
    if before is None or found is None or before.state != found.state:
        return found
    if (before.detail, before.row) == (found.detail, found.row):
        return before
    return found if found.state == "waiting" else replace(found, at=before.at)


def _compiled(source: str) -> re.Pattern[str] | None:
    try:
        return re.compile(source, re.MULTILINE)
    except re.error:
        return None


def _shown(text: str | None) -> str | None:
    return None if text is None else printable(text)

"""A recording, played to a mirror and an observer as a host would: the same looks at the same moments, by the recording's clock."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from roost_protocol.host import Detection
from roost_protocol.states import Signal, State
from roostd.host.arbiter import DECIDE_LATE
from roostd.host.findings import Finding
from roostd.host.mirror import engines
from roostd.host.mirror.events import Event, ProgramStatus, Title
from roostd.host.observer import Observer
from roostd.host.pacing import Pacing
from roostd.host.replay.play import PIECE
from roostd.host.replay.recording import Input, Output, Resize, Step

EVIDENCE: Final = ("program-status", "titles", "patterns")
"""What may be left out, to see what the rest would say."""

_EVENTS: Final[dict[str, type[Event]]] = {"program-status": ProgramStatus, "titles": Title}


class Transition(NamedTuple):
    """The state from `at` on (seconds after the beginning), who said so, and all that spoke: why it won or lost, and whether it won."""

    at: float
    state: State
    signal: Signal
    detail: str
    findings: tuple[tuple[Finding, str, bool], ...]


class Observed:
    """`take` steps in order; `transitions` grows by each change of the state that would have been published. No I/O."""

    def __init__(self, detection: Detection, cols: int, rows: int, without: Iterable[str] = (), engine: str | None = None) -> None:
        left_out = frozenset(without)
        self.mirror = engines.create(cols, rows, engine)
        self.observer = Observer(Detection(settle=detection.settle) if "patterns" in left_out else detection, 0.0)
        self.transitions: list[Transition] = []
        self._deaf_to = tuple(kind for name, kind in _EVENTS.items() if name in left_out)
        self._pacing = Pacing(lambda: self.mirror.synchronized)
        self._deadline: float | None = None
        self._taken = 0
        self._decide(0.0)

    def take(self, step: Step) -> None:
        """One step; what fell due before it happens first."""
        now = step.at
        self.go_to(now)
        match step:
            case Output(_, data):
                for at in range(0, len(data), PIECE):
                    self._heard(self.mirror.feed(data[at : at + PIECE]).events, now)
            case Resize(_, cols, rows):
                self.mirror.resize(cols, rows)
                self.observer.repainted(now)
            case Input(_, data):
                if self.observer.typed(data, now):
                    self._decide(now)

    def go_to(self, now: float) -> None:
        """Everything that falls due until then."""
        while (due := self._next()) is not None and due <= now:
            if due == self._pacing.due:
                if self._pacing.look(due):
                    self.observer.look(self.mirror, due)
                    self._decide(due)
            else:
                self._decide(due)

    def finish(self) -> None:
        """Everything that still falls due after the last step: what would have been published had the program said no more."""
        while (due := self._next()) is not None:
            self.go_to(due)

    def taken(self) -> list[Transition]:
        """Those transitions that were not taken yet."""
        new, self._taken = self.transitions[self._taken :], len(self.transitions)
        return new

    def _heard(self, events: tuple[Event, ...], now: float) -> None:
        told = False
        if events:
            heard = [event for event in events if not isinstance(event, self._deaf_to)] if self._deaf_to else events
            told = self.observer.hear(heard, now)
        self._pacing.output(now, told=told)

    def _next(self) -> float | None:
        look, decision = self._pacing.due, self._deadline
        if look is None or decision is None:
            return decision if look is None else look
        return look if look < decision else decision

    def _decide(self, now: float) -> None:
        verdict, _ = self.observer.decide(now)
        self._deadline = None if verdict.deadline is None else verdict.deadline + DECIDE_LATE
        if not self.transitions or self.transitions[-1].state != verdict.state:
            finding = verdict.finding
            spoke = tuple((said, why, said is finding) for said, why in verdict.findings)
            self.transitions.append(Transition(now, verdict.state, finding.signal, finding.detail, spoke))


def observed(recording: Iterable[Step], detection: Detection, cols: int, rows: int, without: Iterable[str] = ()) -> Observed:
    """A whole recording."""
    replay = Observed(detection, cols, rows, without)
    for step in recording:
        replay.take(step)
    replay.finish()
    return replay

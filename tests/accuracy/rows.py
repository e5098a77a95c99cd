"""The four rows of the table: everything, less and less of it, and an agent of whom nothing is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from roost_protocol.host import Detection
from roostd.catalogue.load import catalogue
from roostd.host.replay.observed import EVIDENCE, Transition, observed
from roostd.profiles import detection
from tests.accuracy.data import Case
from tests.accuracy.judge import Score, Shown, judge


@dataclass(frozen=True)
class Kind:
    """What a row leaves out, and what must be reached: right of all, right of the worst agent."""

    name: str
    without: tuple[str, ...]
    overall: float
    worst: float

    @property
    def unknown(self) -> bool:
        return "patterns" in self.without


KINDS: Final = (
    Kind("everything", (), 0.995, 0.99),
    Kind("without program status", EVIDENCE[:1], 0.99, 0.98),
    Kind("without program status and titles", EVIDENCE[:2], 0.98, 0.95),
    Kind("an unknown agent", EVIDENCE, 0.90, 0.80),
)


@dataclass
class Row:
    """A kind's scores: of each recording, of each agent, and together."""

    kind: Kind
    cases: dict[str, Score] = field(default_factory=dict)
    agents: dict[str, Score] = field(default_factory=dict)
    all: Score = field(default_factory=Score)

    @property
    def worst(self) -> tuple[str, float]:
        return min(((name, score.share) for name, score in self.agents.items()), key=lambda pair: pair[1], default=("", 1.0))


def replayed(case: Case, without: Iterable[str]) -> list[Transition]:
    """One recording's transitions, read as its agent's, or as nobody's where patterns are left out."""
    left_out = tuple(without)
    recording = case.recording()
    wanted = Detection() if "patterns" in left_out else detection(catalogue()[case.profile])
    return observed(recording.steps, wanted, recording.cols, recording.rows, left_out).transitions


def scored(cases: Sequence[Case], kind: Kind) -> Row:
    """All recordings of one row."""
    row = Row(kind)
    for case in cases:
        if case.profile not in catalogue() and not kind.unknown:
            continue
        shown = [Shown(change.at, change.state) for change in replayed(case, kind.without)]
        score = judge(case.name, case.truth(), shown, quiet_is_right=kind.unknown)
        row.cases[case.name] = score
        row.agents.setdefault(case.agent, Score()).add(score)
        row.all.add(score)
    return row

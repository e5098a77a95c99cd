"""What came of a scenario."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from roost.conformance.scenario import Scenario

Outcome = Literal["passed", "failed", "skipped"]


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """`reason` says why it did not pass, on one line; `step` is the number of the step that it ended at, from 1; `printed` is the end of
    what the driver said on stderr."""

    scenario: Scenario
    outcome: Outcome
    seconds: float
    reason: str | None = None
    step: int | None = None
    printed: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "scenario": self.scenario.name,
            "outcome": self.outcome,
            "seconds": round(self.seconds, 3),
            "title": self.scenario.title,
            "rule": self.scenario.rule,
            "step": self.step,
            "reason": self.reason,
            "stderr": self.printed or None,
        }


def totals(verdicts: list[Verdict]) -> dict[str, int]:
    """How many of each outcome."""
    counts: dict[str, int] = {"passed": 0, "failed": 0, "skipped": 0}
    for verdict in verdicts:
        counts[verdict.outcome] += 1
    return counts

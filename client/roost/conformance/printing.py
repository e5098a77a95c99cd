"""A verdict for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from roost.conformance.verdict import Verdict
from roost_protocol.text import printable

COLOURS = {"passed": "32", "failed": "31", "skipped": "33"}


def lines(verdict: Verdict, coloured: bool) -> Iterator[str]:
    """One line; behind a scenario that did not pass, why."""
    outcome = f"{verdict.outcome:<7}"
    if coloured:
        outcome = f"\x1b[{COLOURS[verdict.outcome]}m{outcome}\x1b[0m"
    yield f"{outcome} {verdict.scenario.name:<28} {verdict.scenario.title}"
    if verdict.reason is None:
        return
    yield f"        {printable(verdict.reason)}"
    if verdict.outcome == "failed":
        yield f"        rule: {verdict.scenario.rule} (step {verdict.step} of {len(verdict.scenario.steps)})"
        for line in verdict.printed.splitlines()[-5:]:
            yield f"        stderr: {printable(line)}"


def summary(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items())

"""Good clients pass everything, broken ones fail where it follows and nowhere else."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.conformance.mutants import MUTANTS
from tests.conformance.playing import GENEROUS, SCENARIOS, brief, example, raw, verdicts

TABLE: dict[str, list[str]] = json.loads((Path(__file__).parent / "table.json").read_text())
"""Mutant to the scenarios that it fails; `python -m tests.conformance.table` writes it anew."""

MOST_FAILURES = 2
MOST_PASSES = 4
"""Of each mutant's in one run; all of them take many minutes."""


def test_the_raw_client_passes_all() -> None:
    found = verdicts((raw("raw_client"), scenario, GENEROUS) for scenario in SCENARIOS.values())
    assert [(verdict.scenario.name, verdict.reason) for verdict in found if verdict.outcome != "passed"] == []


def test_the_python_sdk_passes_all_with_the_driver_that_the_page_shows(tmp_path: Path) -> None:
    driver = tmp_path / "driver.py"
    driver.write_text(example())
    found = verdicts(([sys.executable, str(driver)], scenario, GENEROUS) for scenario in SCENARIOS.values())
    assert [(verdict.scenario.name, verdict.reason) for verdict in found if verdict.outcome != "passed"] == []


def test_every_mutant_fails_the_right_scenarios() -> None:
    wanted = [(name, scenario) for name in MUTANTS for scenario in TABLE[name][:MOST_FAILURES]]
    found = verdicts((raw("mutants", name), SCENARIOS[scenario], brief(SCENARIOS[scenario])) for name, scenario in wanted)
    assert [pair for pair, verdict in zip(wanted, found, strict=True) if verdict.outcome != "failed"] == []


def test_no_mutant_fails_another_one() -> None:
    wanted = [(name, scenario) for i, name in enumerate(MUTANTS) for scenario in _others(name, i)]
    found = verdicts((raw("mutants", name), SCENARIOS[scenario], GENEROUS) for name, scenario in wanted)
    pairs = zip(wanted, found, strict=True)
    assert [(*pair, verdict.reason) for pair, verdict in pairs if verdict.outcome != "passed"] == []


def _others(mutant: str, at: int) -> list[str]:
    """Some scenarios that it passes: those of the next mutant begin where these end."""
    passed = [name for name in SCENARIOS if name not in TABLE[mutant]]
    return [passed[(at * MOST_PASSES + i) % len(passed)] for i in range(min(MOST_PASSES, len(passed)))]


def test_every_mutant_is_in_the_table_and_fails_something() -> None:
    assert set(TABLE) == set(MUTANTS)
    assert [name for name, scenarios in TABLE.items() if not scenarios or set(scenarios) - set(SCENARIOS)] == []


def test_most_scenarios_are_failed_by_some_mutant() -> None:
    failed = {scenario for scenarios in TABLE.values() for scenario in scenarios}
    assert sorted(set(SCENARIOS) - failed) == []

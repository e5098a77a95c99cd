"""Many plays at once: they mostly wait."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from roost.conformance.player import play
from roost.conformance.scenario import Refuse, Scenario, load
from roost.conformance.verdict import Verdict
from tests.support.tree import ROOT

SCENARIOS = {scenario.name: scenario for scenario in load()}
AT_ONCE = 24
GENEROUS = 30.0
"""Seconds for a step that is to come true."""
SHORT = 3.0
"""The same for one that is not."""

Play = tuple[Sequence[str], Scenario, float]


def brief(scenario: Scenario) -> float:
    """The time for a step of a scenario that is to fail: short, unless its client is to come back from a long back-off."""
    return GENEROUS if any(isinstance(step, Refuse) for step in scenario.steps) else SHORT


def raw(module: str, *args: str) -> list[str]:
    """The command of a driver in this folder. Without `site`, whose work is all that most plays would do."""
    return [sys.executable, "-S", "-m", f"tests.conformance.{module}", *args]


def example() -> str:
    """The driver that the page shows."""
    (code,) = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "conformance.md").read_text(), re.MULTILINE | re.DOTALL)
    return str(code)


def verdicts(plays: Iterable[Play]) -> list[Verdict]:
    """What came of each, in order."""
    environ = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'sdk'}"}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda wanted: play(wanted[1], wanted[0], environ, wanted[2]), plays))

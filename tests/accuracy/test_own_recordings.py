"""What has been reached on the recordings that the project holds itself, by each agent and row."""

from typing import Final

import pytest

from tests.accuracy.data import OWN, cases
from tests.accuracy.rows import KINDS, Kind, scored

REACHED: Final = {
    "claude": (0.993, 0.992, 0.992, 0.85),
    "gemini": (1.0, 1.0, 1.0, 0.91),
}
UNKNOWN: Final = {"qwen": 0.92, "vibe": 0.93, "cline": 0.95, "gptme": 0.95, "tqdm": 0.96}


@pytest.mark.parametrize("agent", REACHED)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_agents_are_read_as_they_were(agent: str, kind: Kind) -> None:
    score = scored(cases(OWN, "all", agent), kind).all
    assert score.share >= REACHED[agent][KINDS.index(kind)], score.wrong
    assert (score.false_waits, score.early_ends) == ([], [])
    assert kind.unknown or score.missed_waits == []


@pytest.mark.parametrize("agent", UNKNOWN)
def test_an_agent_of_whom_nothing_is_known(agent: str) -> None:
    score = scored(cases(OWN, "all", agent), KINDS[-1]).all
    assert score.share >= UNKNOWN[agent], score.wrong
    assert (score.false_waits, score.early_ends) == ([], [])

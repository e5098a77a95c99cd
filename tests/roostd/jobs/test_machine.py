from __future__ import annotations

from pathlib import Path

import pytest

from roost_protocol.states import ENDED, LIVE, STATES, State
from roostd.jobs.diagram import document
from roostd.jobs.machine import HAPPENINGS, OBSERVED, TABLE, AlreadyEnded, Happening, ending, transition


def test_every_pair_is_in_the_table_or_has_ended() -> None:
    assert set(TABLE) == set(STATES)
    for state in LIVE:
        assert set(TABLE[state]) == set(HAPPENINGS)
    for state in ENDED:
        for happening in HAPPENINGS:
            with pytest.raises(AlreadyEnded, match=rf"has ended \({state}\)"):
                transition(state, happening)


@pytest.mark.parametrize("state", sorted(LIVE))
def test_a_live_job_becomes_what_is_seen_of_it(state: State) -> None:
    for seen in LIVE - {"starting"}:
        assert transition(state, OBSERVED[seen]) == seen


@pytest.mark.parametrize("state", sorted(LIVE))
def test_a_late_start_takes_nothing_back(state: State) -> None:
    assert transition(state, "spawned") == state


@pytest.mark.parametrize(
    ("code", "signal", "stopped", "happening"),
    [
        (0, None, False, "succeeded"),
        (3, None, False, "failed"),
        (None, "SIGTERM", False, "failed"),
        (0, None, True, "stopped"),
        (None, "SIGKILL", True, "stopped"),
    ],
)
def test_how_a_job_ended(code: int | None, signal: str | None, stopped: bool, happening: Happening) -> None:
    assert ending(code, signal, stopped) == happening


def test_the_refusal_has_a_code() -> None:
    assert AlreadyEnded("done").code == "ended"


def test_the_committed_diagram_is_the_generated_one() -> None:
    assert (Path(__file__).parents[3] / "docs" / "states.md").read_text().startswith(document())

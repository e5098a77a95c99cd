"""Codes, and the exit codes that follow from them."""

from __future__ import annotations

import pickle
from typing import get_args

from roost_protocol import errors, states
from roost_protocol.codes import Code


def test_every_code_is_described() -> None:
    assert tuple(errors.CODES) == get_args(Code)


def test_exit_codes() -> None:
    assert {code: errors.exit_code(code) for code in ("bad_request", "not_found", "ambiguous", "timeout", "refused", "unheard_of")} == {
        "bad_request": 2,
        "not_found": 3,
        "ambiguous": 3,
        "timeout": 124,
        "refused": 1,
        "unheard_of": 1,
    }


def test_an_error_survives_a_process_boundary() -> None:
    error = pickle.loads(pickle.dumps(errors.RoostError("full", "the disk is full")))
    assert (error.code, error.message, str(error)) == ("full", "the disk is full", "the disk is full")


def test_states_are_live_or_ended() -> None:
    assert set(states.STATES) == states.LIVE | states.ENDED
    assert not states.LIVE & states.ENDED
    assert tuple(states.STATES) == get_args(states.State)


def test_quiet_is_settled_only_for_who_never_says_idle() -> None:
    assert states.settled("quiet", knows_idle=False)
    assert not states.settled("quiet", knows_idle=True)
    assert [state for state in states.STATES if states.settled(state, knows_idle=True)] == [
        "waiting", "idle", "done", "failed", "stopped", "lost",
    ]  # fmt: skip

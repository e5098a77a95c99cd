"""A recording, replayed through the observer that runs live."""

from collections.abc import Sequence

import pytest

from roost_protocol.host import Detection, Pattern
from roost_protocol.states import State
from roostd.host.replay.observed import EVIDENCE, observed
from roostd.host.replay.recording import Input, Output, Resize, Step

KNOWN = Detection(waiting=[r"\[y/n\] ?$"], working=[Pattern("^⠋", region="title")], idle=[r"^> ?\Z"])
TURN: list[Step] = [
    Output(0.5, b"hello\r\n> "),
    Input(4.0, b"go\r"),
    Output(4.2, b"go\r\n\x1b]0;\xe2\xa0\x8b go\x07thinking\r\n"),
    Output(9.0, b"\x1b]0;go\x07Run it? [y/n] "),
    Input(12.0, b"y"),
    Output(12.5, b"y\r\n\x1b]7501;state=working\x07"),
    Output(20.0, b"\x1b]7501;state=done\x07done\r\n> "),
]


def states(steps: Sequence[Step], known: Detection = KNOWN, without: Sequence[str] = ()) -> list[tuple[float, State, str]]:
    found = observed(steps, known, 40, 10, without).transitions
    return [(round(change.at, 1), change.state, change.signal) for change in found]


def test_the_looks_and_the_silences_are_those_of_a_host() -> None:
    assert states(TURN) == [
        (0.0, "starting", "settling"),
        (0.5, "idle", "pattern"),
        (4.0, "working", "input"),
        (9.1, "waiting", "pattern"),
        (12.5, "working", "program-status"),
        (20.0, "idle", "program-status"),
    ]


@pytest.mark.parametrize(
    ("without", "signals"),
    [
        (EVIDENCE[:1], {"settling", "pattern", "input"}),
        (EVIDENCE[1:2], {"settling", "pattern", "input", "program-status"}),
        (EVIDENCE, {"settling", "input"}),
    ],
)
def test_what_is_left_out_says_nothing(without: Sequence[str], signals: set[str]) -> None:
    found = observed(TURN, KNOWN, 40, 10, without).transitions
    assert {finding.signal for change in found for finding, _, _ in change.findings} == signals


def test_what_falls_due_after_the_last_step_comes_too() -> None:
    assert states([Output(0.0, b"x")], Detection()) == [
        (0.0, "starting", "settling"),
        (0.0, "working", "settling"),
        (2.0, "quiet", "settling"),
    ]


def test_a_recording_of_nothing_ends() -> None:
    assert states([], Detection()) == [(0.0, "starting", "settling"), (2.0, "quiet", "settling")]


def test_a_resize_is_one() -> None:
    replay = observed([Output(0.0, b"x"), Resize(1.0, 20, 5), Output(9.0, b"\x1b[18t")], Detection(), 40, 10)
    assert (replay.mirror.cols, replay.mirror.rows) == (20, 5)

"""A job that was given a task at its start: its first prompt is no end, neither before the task was taken up nor while nothing is drawn."""

from __future__ import annotations

import pytest

from roost_protocol.host import Detection
from roost_protocol.states import State
from roostd.host.arbiter import SUBMIT, UNSEEN
from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.host.observer import Observer

KNOWN = Detection(idle=[r"^> ?\Z"], working=["^Busy"], waiting=[r"^1\. Yes\Z"])


class Begun:
    """A job that begins at 0; what is published of it, and when."""

    def __init__(self, known: Detection = KNOWN, tasked: bool = True) -> None:
        self.mirror, self.observer = PyteMirror(40, 5), Observer(known, 0.0, tasked)
        self.told: list[tuple[float, State]] = []
        self._at = 0.0
        self._decide(0.0)

    def drawn(self, text: bytes, now: float) -> None:
        self.until(now)
        self.observer.hear(self.mirror.feed(text).events, now)
        self.observer.look(self.mirror, now)
        self._decide(now)

    def until(self, now: float) -> None:
        while (due := self.observer.peek(self._at).deadline) is not None and due <= now:
            self._decide(due + 0.001)
        self._at = max(self._at, now)

    def _decide(self, now: float) -> None:
        self._at = now
        state = self.observer.decide(now)[0].state
        if not self.told or self.told[-1][1] != state:
            self.told.append((round(now, 1), state))

    @property
    def states(self) -> list[State]:
        return [state for _, state in self.told]


def program(state: str) -> bytes:
    return b"\x1b]7501;state=%s\x1b\\" % state.encode()


def test_a_prompt_before_the_task_is_taken_up_is_no_end() -> None:
    job = Begun()
    job.drawn(b"hello\r\n> ", 5.0)
    job.drawn(b"\x1b[2J\x1b[HBusy", 7.0)
    job.drawn(b"\x1b[2J\x1b[Hdone\r\n> ", 20.0)
    job.until(60.0)
    assert job.states == ["starting", "working", "idle"]
    assert job.told[-1][0] < 21


def test_a_prompt_at_which_nothing_comes_is_believed_after_a_while() -> None:
    job = Begun()
    job.drawn(b"hello\r\n> ", 5.0)
    job.until(60.0)
    assert job.states == ["starting", "idle"]
    assert job.told[-1][0] == pytest.approx(5.0 + SUBMIT, abs=1.5)


def test_without_a_task_the_first_prompt_is_rest() -> None:
    job = Begun(tasked=False)
    job.drawn(b"hello\r\n> ", 5.0)
    job.until(60.0)
    assert job.states == ["starting", "quiet", "idle"]


def test_who_draws_nothing_for_long_has_not_begun() -> None:
    job = Begun()
    job.until(UNSEEN - 1)
    assert job.states == ["starting"]
    job.until(UNSEEN + 1)
    assert job.states == ["starting", "quiet"]


def test_of_an_agent_of_whom_nothing_is_known_a_silent_screen_is_quiet_a_little_later() -> None:
    job = Begun(Detection())
    job.drawn(b"hello\r\n", 1.0)
    job.until(60.0)
    assert job.told == [(0.0, "starting"), (1.0, "working"), (9.0, "quiet")]


def test_a_turn_that_was_over_in_one_write_is_over() -> None:
    job = Begun()
    job.drawn(program("working") + program("done") + b"hello\r\n> ", 1.0)
    assert job.states == ["starting", "idle"]


def test_a_question_on_the_way_is_asked_at_once_and_the_task_still_to_come() -> None:
    job = Begun()
    job.drawn(b"trust?\r\n1. Yes", 1.0)
    assert job.states == ["starting", "waiting"]
    job.drawn(b"\x1b[2J\x1b[H> ", 4.0)
    job.until(5.0)
    assert job.states == ["starting", "waiting", "working"]


def test_who_types_the_task_sees_the_prompt() -> None:
    job = Begun()
    job.drawn(b"> ", 1.0)
    assert (job.observer.peek(1.0).state, job.observer.peek(1.0).seen) == ("starting", "idle")
    job.observer.submitted(2.0)
    assert not job.observer.signals.tasked

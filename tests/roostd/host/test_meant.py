"""What a reply was sent to, by when it was sent."""

from __future__ import annotations

from dataclasses import replace

from roostd.host.meant import KEPT, Askings
from roostd.host.typing import Situation

IDLE = Situation("idle")
RUN = Situation("waiting", waiting_for="approval", question="Run it?", dialog=True)
PUSH = Situation("waiting", waiting_for="approval", question="Push it?", dialog=True)


def test_the_same_question_asked_once_more_is_another_one() -> None:
    askings = Askings()
    first = askings.note(RUN, 1.0)
    assert askings.note(RUN, 2.0) == first
    askings.note(IDLE, 3.0)
    again = askings.note(RUN, 4.0)
    assert again.situation == first.situation
    assert again.number != first.number


def test_the_end_of_a_dialog_is_to_be_noted_and_no_more() -> None:
    askings = Askings()
    opened = []
    for at, situation in enumerate((IDLE, RUN, IDLE)):
        askings.note(situation, at)
        opened.append(askings.open)
    assert opened == [False, True, False]


def test_what_is_first_seen_as_a_reply_comes_is_not_what_that_was_sent_to() -> None:
    askings = Askings()
    assert not askings.of(2.0, RUN, 2.1).situation.dialog
    assert askings.of(None, RUN, 2.1).situation == RUN


def test_what_was_long_on_its_way_means_what_was_asked_when_it_was_sent() -> None:
    askings = Askings()
    for at, situation in ((1.0, IDLE), (2.0, RUN), (3.0, PUSH)):
        askings.note(situation, at)
    meant = [askings.of(sent, PUSH, 10.0).situation for sent in (0.5, 1.5, 2.0, 2.9, 3.0, 5.0)]
    assert [situation.question for situation in meant] == [None, None, "Run it?", "Run it?", "Push it?", "Push it?"]


def test_a_dialog_that_nobody_typed_into_is_the_same_whatever_moves_above_it() -> None:
    askings = Askings()
    first = askings.note(replace(RUN, above=("thinking",), asked_at=1.0, touched=0.5), 1.0)
    assert askings.note(replace(RUN, above=("thinking more",), asked_at=2.0, touched=0.5), 2.0) == first
    assert askings.note(replace(RUN, above=("rm -rf b",), asked_at=3.0, touched=2.5), 3.0) != first


def test_what_was_sent_before_a_dialog_was_answered_finds_it_answered() -> None:
    askings = Askings()
    askings.note(RUN, 1.0)
    sent_before = askings.of(2.0, RUN, 2.1)
    askings.answered(3.0)
    assert askings.note(RUN, 3.1).number != sent_before.number
    assert askings.of(2.5, RUN, 3.2).number == sent_before.number
    assert askings.of(3.5, RUN, 3.6).number == askings.note(RUN, 3.7).number, "who saw it stand there still means it"


def test_what_is_remembered_is_bounded() -> None:
    askings = Askings()
    for at in range(10 * KEPT):
        askings.note(RUN if at % 2 else IDLE, float(at))
    assert askings.of(0.0, RUN, 1000.0 * KEPT).number == 10 * KEPT - KEPT

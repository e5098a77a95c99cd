import pytest

from roostd.host.sequence import Seen, TypingSequence
from roostd.host.typing import Plan


def sequence(rest: bytes = b"", *, while_asked: bool = False, must_show: str | None = None) -> TypingSequence:
    return TypingSequence(Plan(b"text", b"\r", 0.3, rest, while_asked, must_show))


def test_text_then_a_pause_then_submit_then_a_reaction() -> None:
    typing = sequence()
    assert typing.step(10.0, Seen(None)) == b"text"
    assert typing.step(10.1, Seen(9.0)) == b"", "an older change of the screen is none"
    assert typing.stage == "appear"
    assert typing.step(10.2, Seen(10.2)) == b""
    assert typing.deadline == pytest.approx(10.5)
    assert typing.step(10.4, Seen(10.4)) == b""
    assert typing.step(10.5, Seen(10.4)) == b"\r"
    assert typing.step(10.6, Seen(10.4)) == b""
    assert typing.outcome == "pending"
    typing.step(10.65, Seen(10.65))
    assert typing.outcome == "pending", "a change of the screen alone is no reaction"
    typing.step(10.7, Seen(10.7, reacted=True))
    assert (typing.outcome, typing.why, typing.deadline) == ("submitted", None, None)


def test_what_never_shows_is_submitted_all_the_same_and_only_typed() -> None:
    typing = sequence()
    typing.step(10.0, Seen(None))
    assert typing.step(12.0, Seen(None)) == b""
    assert typing.step(12.3, Seen(None)) == b"\r"
    assert typing.step(15.3, Seen(None)) == b""
    assert typing.outcome == "typed"
    assert typing.why is not None
    assert "nothing reacted" in typing.why


def test_a_dialog_that_its_first_key_has_answered_gets_no_more() -> None:
    typing = sequence(b"rest", while_asked=True)
    typing.step(10.0, Seen(None))
    typing.step(10.1, Seen(10.1, asked=False))
    assert typing.step(10.4, Seen(10.1, asked=False)) == b""
    assert (typing.outcome, typing.stage) == ("submitted", "over")


def test_a_dialog_that_is_still_open_gets_the_rest_and_the_submit() -> None:
    typing = sequence(b"rest", while_asked=True)
    typing.step(10.0, Seen(None))
    typing.step(10.1, Seen(10.1))
    assert typing.step(10.4, Seen(10.1)) == b"rest"
    typing.step(10.5, Seen(10.5))
    assert typing.step(10.8, Seen(10.5)) == b"\r"
    typing.step(10.9, Seen(10.9, asked=False, reacted=True))
    assert typing.outcome == "submitted"


def test_what_was_typed_at_a_prompt_is_not_entered_into_a_dialog() -> None:
    typing = sequence()
    typing.step(10.0, Seen(None))
    typing.step(10.1, Seen(10.1))
    assert typing.step(10.4, Seen(10.2, opened=True)) == b""
    assert typing.outcome == "typed"
    assert typing.why is not None
    assert "a dialog has opened" in typing.why


def test_a_text_that_a_question_does_not_show_is_not_entered() -> None:
    typing = sequence(must_show="text")
    typing.step(10.0, Seen(None))
    typing.step(10.1, Seen(10.1, showing=False))
    assert typing.step(10.4, Seen(10.1, showing=False)) == b""
    assert typing.outcome == "typed"
    assert typing.why is not None
    assert "not entered" in typing.why
    typing = sequence(must_show="text")
    typing.step(10.0, Seen(None))
    typing.step(10.1, Seen(10.1, showing=True))
    assert typing.step(10.4, Seen(10.1, showing=True)) == b"\r"


def test_the_end_of_the_job_settles_it() -> None:
    typing = sequence()
    typing.ended()
    assert typing.outcome == "refused"
    typing = sequence()
    typing.step(10.0, Seen(None))
    typing.ended()
    assert typing.outcome == "typed"
    typing.ended()
    assert typing.outcome == "typed"
    typing = sequence()
    typing.step(10.0, Seen(None))
    typing.step(12.0, Seen(None))
    typing.step(12.3, Seen(None))
    typing.ended()
    assert typing.outcome == "submitted", "the end is the reaction"

from dataclasses import replace

import pytest

from roost_protocol.jobs import Choice
from roostd.host.typing import Plan, Situation, begun, overtaken, plan, ready, shows

IDLE = Situation("idle", bracketed_paste=True)
DIALOG = Situation("waiting", waiting_for="approval", dialog=True, bracketed_paste=True)
PLAIN = Situation("quiet", canonical=True)


def text_of(text: str, situation: Situation) -> bytes:
    made = plan(text, "\r", 0.3, situation)
    assert isinstance(made, Plan), made
    return made.text


def test_a_text_is_one_paste_where_the_program_takes_it() -> None:
    assert text_of("one\ntwo\tthree\n", IDLE) == b"\x1b[200~one\ntwo\tthree\x1b[201~"
    assert text_of("one\r\ntwo", IDLE) == b"\x1b[200~one\ntwo\x1b[201~"
    assert text_of("one\n", PLAIN) == b"one"


def test_focus_comes_first_where_it_is_asked_for() -> None:
    assert text_of("x", Situation("idle", focus_events=True)) == b"\x1b[Ix"


def test_a_short_answer_to_a_dialog_is_keys_not_a_paste() -> None:
    assert text_of("y", DIALOG) == b"y"


@pytest.mark.parametrize(
    ("text", "situation", "words"),
    [
        ("a\x1b[201~b", IDLE, "U+001B"),
        ("a\rb", IDLE, "U+000D"),
        ("a\x9bb", IDLE, "U+009B"),
        ("one\ntwo", DIALOG, "dialog"),
        ("nope", DIALOG, "no answer to it"),
        ("", DIALOG, "no answer to it"),
        ("please do something else", DIALOG, "--answer"),
        ("Deploy", Situation("waiting", waiting_for="choice", dialog=True), "no answer to it"),
        ("one\ntwo", PLAIN, "one line"),
        ("x" * 4096, PLAIN, "4095"),
        ("é" * 2048, PLAIN, "4095"),
    ],
)
def test_what_would_do_something_else_is_refused(text: str, situation: Situation, words: str) -> None:
    why = plan(text, "\r", 0.3, situation)
    assert isinstance(why, str)
    assert words in why


def test_a_long_line_is_fine_outside_canonical_mode() -> None:
    assert len(text_of("x" * 4096, Situation("idle"))) == 4096


@pytest.mark.parametrize(
    ("situation", "echoing", "answer"),
    [
        (Situation("idle"), False, True),
        (Situation("quiet"), False, False),
        (Situation("quiet", bracketed_paste=True), False, True),
        (Situation("quiet", canonical=True), True, True),
        (Situation("quiet", canonical=True), False, False),
        (Situation("working", bracketed_paste=True), True, False),
        (Situation("starting", bracketed_paste=True), True, False),
        (Situation("waiting", bracketed_paste=True), True, False),
    ],
)
def test_a_task_waits_for_a_prompt(situation: Situation, echoing: bool, answer: bool) -> None:
    assert ready(situation, echoing) is answer


@pytest.mark.parametrize(
    ("situation", "draws", "answer"),
    [
        (Situation("starting"), False, False),
        (Situation("starting", bracketed_paste=True), True, False),
        (Situation("quiet", canonical=True, shown=False), False, True),
        (Situation("working"), False, True),
        (Situation("quiet", canonical=True, shown=False), True, False),
        (Situation("working"), True, False),
        (Situation("working", bracketed_paste=True), True, True),
        (Situation("quiet"), True, True),
        (Situation("idle"), True, True),
        (Situation("waiting"), True, True),
    ],
)
def test_a_reply_waits_for_an_agent_that_has_not_begun_to_draw(situation: Situation, draws: bool, answer: bool) -> None:
    assert begun(situation, draws) is answer


ASKED = Situation("waiting", waiting_for="approval", dialog=True, told=True, bracketed_paste=True)
QUESTION = Situation("waiting", waiting_for="question", dialog=True, told=True, bracketed_paste=True)
OFFERED = Situation("waiting", waiting_for="choice", dialog=True, told=True, choices=(Choice("b", "Blue one"),))


@pytest.mark.parametrize("text", ["y", "Yes", "no", "3", "12", "x", "é"])
def test_what_is_an_answer_goes_key_by_key_while_the_agent_asks(text: str) -> None:
    made = plan(text, "\r", 0.3, ASKED)
    assert isinstance(made, Plan)
    assert (made.text + made.rest).decode() == text
    assert (made.text.decode(), made.while_asked) == (text[0], True)


def test_an_offered_choice_is_an_answer() -> None:
    for text in ("b", "blue one"):
        made = plan(text, "\r", 0.3, OFFERED)
        assert isinstance(made, Plan)
        assert (made.text + made.rest).decode() == text


NUMBERED = ("Run it?", "› 1. Yes", "  2. No, and say why", "  esc cancels")


@pytest.mark.parametrize(
    ("text", "typed"),
    [("2", "2"), ("y", "1"), ("no", "2"), ("3", None), ("12", None), ("x", None)],
)
def test_an_answer_must_stand_on_the_screen_at_this_moment(text: str, typed: str | None) -> None:
    made = plan(text, "\r", 0.3, Situation("waiting", waiting_for="approval", dialog=True, told=True, rows=NUMBERED))
    assert (made.text.decode() if isinstance(made, Plan) else None) == typed


def test_what_the_agent_itself_reported_is_not_looked_for_on_its_screen() -> None:
    made = plan("2", "\r", 0.3, Situation("waiting", waiting_for="choice", dialog=True, told=True, reported=True, rows=("x",)))
    assert isinstance(made, Plan)


@pytest.mark.parametrize(
    ("then", "now", "words"),
    [
        (DIALOG, DIALOG, None),
        (IDLE, IDLE, None),
        (DIALOG, IDLE, "gone"),
        (IDLE, DIALOG, "a dialog has opened"),
        (DIALOG, Situation("waiting", waiting_for="approval", question="And this?", dialog=True), "another dialog has opened"),
        (QUESTION, IDLE, None),
        (IDLE, QUESTION, None),
    ],
)
def test_what_was_meant_for_something_else_is_not_typed(then: Situation, now: Situation, words: str | None) -> None:
    why = overtaken(then, now, same=then == now)
    assert (why is None) if words is None else (words in (why or ""))


def test_what_a_pattern_finds_may_be_broken_by_typing_and_is_typed_whole_where_lines_are_read() -> None:
    made = plan("yes", "\r", 0.3, replace(DIALOG, canonical=True))
    assert isinstance(made, Plan)
    assert (made.text, made.rest, made.while_asked, made.echo) == (b"yes", b"", True, None)


def test_where_keys_are_read_the_first_goes_alone_and_must_show() -> None:
    made = plan("yes", "\r", 0.3, DIALOG)
    assert isinstance(made, Plan)
    assert (made.text, made.rest, made.while_asked, made.echo) == (b"y", b"es", True, "yes")


def test_a_person_may_say_that_it_is_the_answer() -> None:
    made = plan("something else", "\r", 0.3, ASKED, answer=True)
    assert isinstance(made, Plan)
    assert (made.text, made.rest, made.while_asked) == (b"something else", b"", False)
    made = plan("blue", "\r", 0.3, QUESTION, answer=True)
    assert isinstance(made, Plan)
    assert made.must_show is None


def test_the_answer_to_a_question_must_show() -> None:
    for text, situation, expected in (
        ("take the blue one, if there is one", QUESTION, "take the blue one, i"),
        ("two\nlines", QUESTION, None),
        ("long " * 60, QUESTION, None),
        ("secret", Situation("waiting", waiting_for="login", dialog=True, told=True), None),
        ("blue", Situation("waiting", waiting_for="question", dialog=True, told=True, reported=True), None),
        ("blue", IDLE, None),
    ):
        made = plan(text, "\r", 0.3, situation)
        assert isinstance(made, Plan)
        assert made.must_show == expected


def test_a_text_shows_however_it_is_broken() -> None:
    assert shows(["│ > take the bl", "│ ue one, if   "], "take the blue one, i")
    assert not shows(["→ Yes", "  No"], "nope")
    assert shows([], "…")

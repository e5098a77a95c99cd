import pytest

from roostd.host.typing import Plan, Situation, TypingSequence, begun, plan, ready

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


def sequence() -> TypingSequence:
    return TypingSequence(Plan(b"text", b"\r", 0.3))


def test_text_then_a_pause_then_submit_then_a_reaction() -> None:
    typing = sequence()
    assert typing.step(10.0, None) == b"text"
    assert typing.step(10.1, 9.0) == b"", "an older change of the screen is none"
    assert typing.stage == "appear"
    assert typing.step(10.2, 10.2) == b""
    assert typing.deadline == pytest.approx(10.5)
    assert typing.step(10.4, 10.4) == b""
    assert typing.step(10.5, 10.4) == b"\r"
    assert typing.step(10.6, 10.4) == b""
    assert typing.outcome == "pending"
    typing.step(10.7, 10.7)
    assert (typing.outcome, typing.deadline) == ("submitted", None)


def test_what_never_shows_is_submitted_all_the_same_and_only_typed() -> None:
    typing = sequence()
    typing.step(10.0, None)
    assert typing.step(12.0, None) == b""
    assert typing.step(12.3, None) == b"\r"
    assert typing.step(15.3, None) == b""
    assert typing.outcome == "typed"


def test_the_end_of_the_job_settles_it() -> None:
    typing = sequence()
    typing.ended()
    assert typing.outcome == "refused"
    typing = sequence()
    typing.step(10.0, None)
    typing.ended()
    assert typing.outcome == "typed"
    typing.ended()
    assert typing.outcome == "typed"

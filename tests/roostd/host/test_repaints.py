"""What a resize, or a late echo, must not make of a dialog and of a prompt that are there all the time."""

from roost_protocol.host import Detection
from tests.support.replays import Life

KNOWN = Detection(waiting=[r"^Run it\? \[y/n\] ?$"], working=[r"^[⠋⠙⠹⠸] Working"], idle=[r"^-{4,}\n>.*\Z"])
CLEAR = "\x1b[2J\x1b[H"
DIALOG = "a\r\nb\r\nRun it? [y/n] "
PROMPT = f"{CLEAR}done\r\n----\r\n> "


def asking() -> Life:
    life = Life(KNOWN).write(0.0, DIALOG)
    assert life.state(5.0) == "waiting"
    return life


def test_a_dialog_that_a_resize_draws_anew_was_never_gone() -> None:
    life = asking().resize(6.0, 50, 10).write(6.1, CLEAR).write(6.5, "⠋ Working\r\n").write(6.6, CLEAR + DIALOG)
    assert life.states(20.0)[-1] == "waiting"
    assert life.states(20.0).count("waiting") == 1, "and so is no news"


def test_a_dialog_that_a_resize_does_not_draw_anew_is_gone() -> None:
    life = asking().resize(6.0, 50, 10).write(6.1, PROMPT)
    assert life.state(6.9) == "waiting"
    assert life.state(8.0) == "idle", "although nothing has been written since"


def test_a_dialog_that_comes_by_a_resize_is_seen_at_once() -> None:
    life = Life(KNOWN).write(0.0, PROMPT)
    assert life.state(5.0) == "idle"
    life.resize(6.0, 50, 10).write(6.1, CLEAR + DIALOG)
    assert life.state(6.2) == "waiting"


def test_an_answer_after_a_resize_ends_the_dialog() -> None:
    life = asking().resize(6.0, 50, 10).type(6.2, b"y\r").write(6.3, f"{CLEAR}⠋ Working")
    assert life.state(6.4) == "working"


def test_a_prompt_whose_frame_a_resize_draws_anew_was_never_gone() -> None:
    life = Life(KNOWN).write(0.0, PROMPT)
    assert life.state(5.0) == "idle"
    life.resize(9.0, 50, 10).write(9.1, CLEAR).write(9.6, PROMPT)
    assert life.states(20.0)[-1] == "idle"
    assert "quiet" not in life.states(20.0)


def test_a_task_that_is_echoed_after_its_enter_is_no_new_prompt() -> None:
    life = Life(KNOWN).write(0.0, PROMPT)
    assert life.state(5.0) == "idle"
    life.type(6.0, b"do it").type(6.3, b"\r").write(6.5, "do it")
    assert life.state(12.0) == "working"
    life.write(12.5, f"{CLEAR}⠋ Working")
    life.write(15.0, f"{CLEAR}answer\r\nof two\r\n----\r\n> ")
    assert life.states(20.0)[-2:] == ["working", "idle"]

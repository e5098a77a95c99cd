"""What has fooled others: each with the state that is right."""

import pytest

from roost_protocol.host import Detection, Pattern
from roostd.catalogue.load import catalogue
from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.host.observer import Observer
from roostd.host.signals import Rang
from roostd.profiles import detection
from tests.support.replays import Life

ASKS = r"^Run it\? \[y/n\] ?$"
BUSY = r"^[⠋⠙⠹⠸] Working"
PROMPT = r"^> ?\Z"
KNOWN = Detection(waiting=[ASKS], working=[BUSY], idle=[PROMPT])
CLEAR = "\x1b[2J\x1b[H"


def at_rest(known: Detection | None = None) -> Life:
    """Something was shown, and it has been still for 5 s."""
    life = Life(known).write(0.0, "hello\r\nworld\r\n> ")
    assert life.state(5.0) == ("idle" if known else "quiet")
    return life


def test_a_machine_that_slept_was_not_a_silent_agent() -> None:
    mirror, observer = PyteMirror(40, 5), Observer(Detection(), 0.0)
    observer.hear(mirror.feed(b"begun\r\n").events, 1.0)
    observer.look(mirror, 1.0)
    assert observer.decide(1.0)[0].deadline == 3.0
    assert observer.decide(3600.0)[0].state == "working", "nobody looked for an hour"
    mirror.feed(b"goes on\r\n")
    observer.look(mirror, 3600.1)
    assert observer.decide(3600.1)[0].state == "working"
    assert observer.decide(3602.1)[0].state == "quiet"


def test_a_machine_that_slept_after_a_submit_waits_for_the_answer_as_long_as_ever() -> None:
    observer = Observer(KNOWN, 0.0)
    mirror = PyteMirror(40, 5)
    mirror.feed(b"> ")
    observer.look(mirror, 1.0)
    observer.decide(1.0)
    observer.decide(3.0)
    observer.submitted(10.0)
    observer.decide(10.0)
    assert observer.decide(5000.0)[0].state == "working"


def test_a_storm_of_resizes_is_no_work() -> None:
    life = at_rest()
    for number in range(40):
        life.resize(6.0 + number / 10, 50 + number % 7, 12 + number % 3)
        life.write(6.01 + number / 10, f"{CLEAR}hello\r\nworld {number}\r\nmore\r\nand more\r\n> ")
    assert life.states(20.0)[-1] == "quiet"
    assert life.states(20.0).count("working") == 1


def test_a_storm_of_resizes_does_not_end_work() -> None:
    life = Life(KNOWN)
    for number in range(60):
        life.resize(number / 10, 50 + number % 7, 12)
        life.write(0.01 + number / 10, f"{CLEAR}hello\r\n{'⠋⠙⠹⠸'[number % 4]} Working\r\n")
    assert set(life.states(6.0)) == {"starting", "working"}


def test_who_attaches_and_types_makes_no_work_until_it_is_entered() -> None:
    life = at_rest(KNOWN)
    life.replay.observer.repainted(6.0)
    life.write(6.1, f"{CLEAR}hello\r\nworld\r\n> ")
    for number, key in enumerate(b"fix it"):
        life.type(7.0 + number / 5, bytes([key]))
        life.write(7.01 + number / 5, f"{CLEAR}hello\r\nmenu {number}\r\nof words\r\n> {'fix it'[: number + 1]}")
    assert life.state(8.5) in ("idle", "quiet")
    assert "working" not in life.states(8.5)[2:]
    assert life.type(9.0, b"\r").state(9.0) == "working"


def test_an_enter_at_an_empty_prompt_asks_for_nothing() -> None:
    assert at_rest(KNOWN).type(6.0, b"\r").state(6.5) == "idle"


def test_what_a_terminal_answers_is_no_typing() -> None:
    life = at_rest(KNOWN)
    for answer in (b"\x1b[?62;22c", b"\x1b[12;7R", b"\x1b]11;rgb:1e/1e/1e\x1b\\", b"\x1bP>|XTerm(390)\x1b\\\x1b[?2026;2$y", b"\x1b[I"):
        life.type(6.0, answer)
    assert life.type(6.1, b"\r").state(6.2) == "idle", "nothing was typed before it"
    assert life.type(7.0, b"\x1b[A").type(7.1, b"\r").state(7.2) == "working", "an arrow is typing"


def test_the_bell_that_ends_an_osc_is_none() -> None:
    life = at_rest().write(6.0, "\x1b]0;title\x07\x1b]7501;state=idle\x07\x1b]133;A\x07")
    life.state(7.0)
    assert life.replay.observer.signals.attention is None
    life.write(8.0, "\x07").state(9.0)
    assert life.replay.observer.signals.attention == Rang(8.0, "bell")


def test_a_notification_that_comes_in_pieces_is_one() -> None:
    whole = "\x1b]777;notify;agent;it needs you\x1b\\"
    for cut in range(1, len(whole)):
        life = at_rest().write(6.0, whole[:cut]).write(6.5, whole[cut:])
        life.state(7.0)
        assert life.replay.observer.signals.attention == Rang(6.5, "OSC 777", "agent: it needs you")
        assert life.state(20.0) == "quiet", "a notification alone says no state"


def test_progress_is_work_and_no_notification() -> None:
    life = at_rest().write(6.0, "\x1b]9;4;3\x07")
    assert life.state(60.0) == "working"
    assert life.replay.observer.signals.attention is None
    assert life.write(61.0, "\x1b]9;4;0\x07").state(64.0) == "quiet"


QUOTED = {
    "aider": "Type y at\r\nRun shell command? (Y)es/(N)o/(D)on't ask again [Yes]:\r\nand it runs.\r\n" + "─" * 60 + "\r\ndiff> ",
    "codex": "  >_ OpenAI Codex (v1)\r\n     /repo\r\n\r\n• You will see\r\n\r\n› 1. Yes, proceed (y)\r\n  2. No (esc)\r\n\r\n"
    "  Press enter to confirm or esc to cancel\r\n\r\n  Worked for 3s • 08:15\r\n\r\n› Ask\r\n\r\n  m · /repo",
    "opencode": "  ┃  △ Permission required\r\n  ┃  $ ls\r\n  ┃   Allow   Reject   ⇆ select  enter confirm\r\n  ┃\r\n\r\n"
    "  ┃\r\n  ┃  Build · m\r\n  ╹" + "▀" * 40 + "\r\n   /repo    ctrl+p commands",
    "pi": " → Yes\r\n   No\r\n\r\n ↑↓ navigate  enter select  escape/ctrl+c cancel\r\n"
    + "─" * 60
    + "\r\n\r\nso it looks\r\n"
    + "─" * 60
    + "\r\n\r\n"
    + "─" * 60
    + "\r\n/repo (main)\r\n0.9%/128k (auto)    m",
}


@pytest.mark.parametrize("agent", QUOTED)
def test_a_dialog_quoted_in_an_answer_is_none(agent: str) -> None:
    life = Life(detection(catalogue()[agent]), 60, 24).write(0.0, QUOTED[agent])
    assert life.state(30.0) == "idle"
    assert "waiting" not in life.states(30.0)


def test_a_spinner_in_the_scrollback_is_history() -> None:
    life = Life(KNOWN).every(0.1, 0.0, 2.0, "\r⠋ Working", "\r⠙ Working").write(2.0, "\r\n" * 12 + "done\r\n> ")
    assert life.state(5.0) == "idle"


@pytest.mark.parametrize("known", [None, KNOWN], ids=["unknown", "known"])
@pytest.mark.parametrize("asked", [False, True], ids=["at rest", "after a turn"])
def test_a_clock_in_a_status_bar_is_no_work(known: Detection | None, asked: bool) -> None:
    life = Life(known).write(0.0, "hello\r\nworld\r\n> ")
    if asked:
        life.type(0.5, b"go\r").write(1.0, f"{CLEAR}hello\r\nworld\r\nanswer\r\nmore\r\n> ")
    for second in range(2, 40):
        life.write(float(second), f"\x1b7\x1b[12;40H12:00:{second:02}\x1b8")
    expected = "idle" if known else "quiet"
    assert life.state(40.0) in (expected, "quiet")
    assert life.state(41.0) != "working"
    assert "working" not in [transition.state for transition in life.replay.transitions if transition.at > 12.0]


@pytest.mark.parametrize("period", [0.5, 0.6, 1.0])
def test_a_blinking_cell_is_no_work(period: float) -> None:
    life = at_rest().every(period, 6.0, 40.0, "\x1b7\x1b[1;50H█\x1b8", "\x1b7\x1b[1;50H \x1b8")
    assert "working" not in [transition.state for transition in life.replay.transitions if transition.at > 9.0]
    assert life.state(40.0) == "quiet"


@pytest.mark.parametrize("frames", ["⠋⠙⠹⠸⠼⠴", "◜◝◞◟", "|/-\\", "▁▃▅▇▅▃", "←↖↑↗→↘"])
@pytest.mark.parametrize("period", [0.08, 0.13, 0.25])
def test_a_spinner_is_work_even_when_it_is_all_that_moves(frames: str, period: float) -> None:
    life = at_rest().every(period, 6.0, 40.0, *(f"\x1b7\x1b[10;3H{frame}\x1b8" for frame in frames))
    assert life.state(39.9) == "working"
    assert life.states(39.9).count("working") == 2
    assert life.write(40.0, "\x1b7\x1b[10;3H \x1b8").state(43.0) == "quiet"


def test_colours_that_run_over_a_word_are_work_and_what_is_only_written_anew_is_none() -> None:
    shades = [f"\x1b7\x1b[10;3H\x1b[38;5;{shade}mThinking\x1b[m\x1b8" for shade in range(240, 250)]
    assert at_rest().write(5.9, shades[0]).every(0.1, 6.0, 40.0, *shades).state(39.9) == "working"
    assert at_rest().write(5.9, shades[0]).every(0.1, 6.0, 40.0, shades[0]).state(39.9) == "quiet"
    assert at_rest().write(5.9, shades[0]).every(0.5, 6.0, 40.0, *shades).state(39.9) == "quiet"


def test_a_picture_that_moves_is_no_work_but_a_spinner_beside_it_is() -> None:
    cat = [
        f"\x1b7\x1b[5;1H{ear}\x1b[6;1H {eye}\x1b[7;1H  {paw}\x1b8"
        for ear, eye, paw in (("⠋", "⠙⠙", "⠹"), ("⠙", "⠹⠋", "⠼⠼"), ("⠸", "⠼⠙", "⠋"))
    ]
    life = at_rest().every(0.2, 6.0, 40.0, *cat)
    assert life.state(39.9) == "quiet"
    life.every(0.1, 40.0, 60.0, *(f"{cat[turn % 3]}\x1b7\x1b[10;3H{frame}\x1b8" for turn, frame in enumerate("◜◝◞◟")))
    assert life.state(59.9) == "working"


def test_several_spinners_one_below_the_other_are_work() -> None:
    frames = ["".join(f"\x1b7\x1b[{row};1H{frame} task {row}\x1b8" for row in range(4, 8)) for frame in "⠋⠙⠹⠸"]
    assert at_rest().every(0.1, 6.0, 40.0, *frames).state(39.9) == "working"


def test_a_bar_that_is_full_and_left_behind_is_no_work() -> None:
    life = at_rest().type(6.0, b"go\r").write(6.1, "\r\n")
    for step in range(101):
        life.write(6.2 + step / 10, f"\r{step:3}%|{'█' * (step // 10):10}| {step}/100")
    assert life.state(16.0) == "working"
    assert life.write(16.4, "\r\n> ").state(19.0) == "quiet"


def test_what_turns_beside_a_choice_that_nobody_has_answered_is_no_work_of_an_unknown_agent() -> None:
    spinner = [f"\x1b7\x1b[10;3H{frame} Running\x1b8" for frame in "⠋⠙⠹⠸"]
    life = at_rest().every(0.1, 6.0, 10.0, *spinner)
    assert life.state(9.9) == "working"
    life.write(10.0, "\r\nRun it?\r\n 1. Allow once\r\n 2. Deny\r\n").every(0.1, 10.1, 20.0, *spinner)
    assert life.state(19.9) == "quiet"
    life.type(20.0, b"\r").every(0.1, 20.1, 40.0, *spinner)
    assert life.state(39.9) == "working", "it was answered, though it is still shown"


def test_an_agent_in_a_shell_speaks_for_the_terminal_while_it_runs() -> None:
    life = Life(detection(catalogue()["shell"])).write(0.0, "\x1b]133;A\x07$ \x1b]133;B\x07")
    assert life.state(3.0) == "idle"
    life.write(4.0, "\x1b]133;C\x07").write(5.0, "\x1b]7501;state=blocked:kind=permission\x07")
    assert life.state(6.0) == "waiting"
    life.write(7.0, "\x1b]7501;state=done\x07")
    assert life.state(8.0) == "idle"
    life.write(9.0, "\r\n\x1b]133;D;0\x07\x1b]133;A\x07$ \x1b]133;B\x07")
    assert life.state(10.0) == "idle"
    assert life.write(11.0, "\x1b]133;C\x07make\r\n").state(30.0) == "working", "what the agent said at its end is over"


def test_a_title_that_blinks_for_ever_is_no_work_and_one_that_turns_is() -> None:
    life = at_rest().every(0.5, 6.0, 60.0, "\x1b]0;[ ! ] task\x07", "\x1b]0;[ . ] task\x07")
    assert set(life.states(60.0)[2:]) <= {"quiet"}
    life.every(1.0, 60.0, 80.0, "\x1b]0;◐ task\x07", "\x1b]0;◑ task\x07")
    assert set(life.states(80.0)[2:]) <= {"quiet"}
    life.every(0.1, 80.0, 90.0, "\x1b]0;⠋ task\x07", "\x1b]0;⠙ task\x07")
    assert life.state(89.9) == "working"


@pytest.mark.parametrize("period", [0.1, 1.0])
def test_a_dialog_whose_screen_never_stops_moving_still_waits(period: float) -> None:
    life = Life(Detection(waiting=[ASKS], working=[BUSY, Pattern("^[⠋⠙] ", region="title")])).write(0.0, "hello\r\nRun it? [y/n] \r\n")
    life.every(period, 1.0, 30.0, "\x1b]0;⠋ t\x07\x1b7\x1b[5;1H⠋ Working\x1b8", "\x1b]0;⠙ t\x07\x1b7\x1b[5;1H⠙ Working\x1b8")
    assert life.state(30.0) == "waiting"
    assert life.states(30.0)[1:] == ["waiting"]

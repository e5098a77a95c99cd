import re
import signal
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roost.demo.agent import Agent
from roost.demo.keys import Key, Keys
from roost.demo.screen import Screen
from roost.demo.script import Ask, Work, script
from roostd.catalogue.load import catalogue
from roostd.profile_rules import PATTERN_FLAGS
from tests.support.terminal import Terminal

DEMO = [sys.executable, "-P", "-m", "roost.demo"]


# --- keys


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"ab\r", [Key("text", "ab"), Key("enter")]),
        (b"\x1b[A\x1bOB\x7f\x03\x04\x15", [Key(n) for n in ("up", "down", "backspace", "ctrl+c", "ctrl+d", "ctrl+u")]),
        (b"\x1b[200~two\r\nlines\x03\x1b[201~x", [Key("paste", "two\nlines\x03"), Key("text", "x")]),
        (b"\x1b[I\x1b[?62;22c\x01\x1bx", [Key("other")] * 4),
        ("é€\x1b[D".encode(), [Key("text", "é€"), Key("other")]),
    ],
)
def test_bytes_become_keys(data: bytes, keys: list[Key]) -> None:
    assert Keys().feed(data) == keys


def test_a_lone_escape_is_a_key_once_nothing_follows() -> None:
    keys = Keys()
    assert keys.feed(b"\x1b") == []
    assert keys.pending
    assert keys.flush() == [Key("esc")]
    assert not keys.pending


@given(st.lists(st.sampled_from([b"a", b"\x1b[200~", b"p\xc3", b"\xa9", b"\x1b[201~", b"\x1b[A", b"\r", b"\x1b", b"\x03"])))
def test_chunking_changes_nothing(parts: list[bytes]) -> None:
    whole, split = Keys(), Keys()
    together = whole.feed(b"".join(parts))
    one_by_one = [key for part in parts for byte in part for key in split.feed(bytes([byte]))]
    assert _joined(one_by_one) == _joined(together)


def _joined(keys: list[Key]) -> list[Key]:
    found: list[Key] = []
    for key in keys:
        if found and key.name == found[-1].name == "text":
            found[-1] = Key("text", found[-1].text + key.text)
        else:
            found.append(key)
    return found


# --- agent


def state(agent: Agent) -> str:
    return agent.state


def at_the_question(**options: bool) -> Agent:
    agent = Agent(**options)
    agent.submit("fix it", 100.0)
    assert state(agent) == "working"
    agent.tick(102.5)
    assert state(agent) == "blocked"
    return agent


def test_a_task_takes_about_four_seconds_and_one_approval() -> None:
    agent = at_the_question()
    assert agent.question == "Run `pytest -q`?"
    assert agent.due is None
    agent.press(Key("enter"), 110.0)
    assert state(agent) == "working"
    agent.tick(111.7)
    assert state(agent) == "done"
    assert agent.said[-2:] == ["✔ Ran pytest -q", "• Fixed, and checked. Nothing else was touched."]
    assert agent.exit_code is None


@pytest.mark.parametrize(
    ("keys", "yes"),
    [
        ([Key("text", "y")], True),
        ([Key("text", "1")], True),
        ([Key("text", "2")], False),
        ([Key("text", "n")], False),
        ([Key("esc")], False),
        ([Key("down"), Key("enter")], False),
        ([Key("down"), Key("up"), Key("enter")], True),
        ([Key("paste", "yes"), Key("enter")], True),
        ([Key("paste", "No\n"), Key("enter")], False),
    ],
)
def test_an_approval_is_answered(keys: list[Key], yes: bool) -> None:
    agent = at_the_question()
    for key in keys:
        agent.press(key, 103.0)
    agent.tick(200.0)
    assert agent.state == "done"
    assert any("✔" in line for line in agent.said) == yes


def test_a_dialog_is_not_answered_by_accident() -> None:
    agent = at_the_question()
    for key in (Key("text", "x"), Key("paste", "do something else"), Key("enter"), Key("other"), Key("ctrl+d")):
        agent.press(key, 103.0)
    assert agent.state == "blocked"
    assert agent.exit_code is None


def test_what_is_submitted_meanwhile_is_done_next() -> None:
    agent = Agent(pace=0)
    agent.submit("first", 1.0)
    for key in (Key("paste", "second\ntask"), Key("enter")):
        agent.press(key, 1.0)
    agent.tick(1.0)
    agent.press(Key("text", "y"), 1.0)
    agent.tick(1.0)
    assert (agent.state, agent.task) == ("blocked", "second\ntask")


def test_ctrl_c_stops_and_twice_ends() -> None:
    agent = at_the_question()
    agent.press(Key("ctrl+c"), 103.0)
    assert (agent.state, agent.exit_code, agent.said[-1]) == ("idle", None, "■ Stopped.")
    agent.press(Key("text", "x"), 103.0)
    agent.press(Key("ctrl+c"), 103.0)
    assert (agent.prompt, agent.exit_code) == ("", None)
    agent.press(Key("ctrl+c"), 103.0)
    assert agent.exit_code == 130


@pytest.mark.parametrize("text", ["exit", "quit", "/exit", "/quit"])
def test_a_word_ends_it(text: str) -> None:
    agent = Agent()
    agent.submit(text, 0.0)
    assert agent.exit_code == 0


def test_editing_the_prompt() -> None:
    agent = Agent()
    for key in (Key("text", "ab"), Key("backspace"), Key("paste", "c\nd"), Key("ctrl+d")):
        agent.press(key, 0.0)
    assert (agent.prompt, agent.exit_code) == ("ac\nd", None)
    agent.press(Key("ctrl+u"), 0.0)
    agent.press(Key("enter"), 0.0)
    assert (agent.prompt, agent.state) == ("", "idle")
    agent.press(Key("ctrl+d"), 0.0)
    assert agent.exit_code == 0


def test_once_ends_with_the_task() -> None:
    agent = at_the_question(once=True)
    agent.press(Key("text", "n"), 103.0)
    agent.tick(200.0)
    assert agent.exit_code == 0


def test_a_seed_gives_one_script() -> None:
    assert script(7) == script(7)
    assert len({repr(script(seed)) for seed in range(20)}) > 3
    assert [type(step) for step in script(3)] == [Work, Work, Ask]


# --- screen


def test_status_and_title_are_sent_when_they_change() -> None:
    agent, screen = Agent(), Screen(80, 24)
    first = screen.draw(agent, 0.0)
    assert b"\x1b]2;demo\x1b\\\x1b]7501;state=idle:app=demo\x1b\\" in first
    assert b"\x1b]" not in screen.draw(agent, 1.0)
    agent.submit("a\x1b]0;evil\x07\u202eb", 0.0)
    working = screen.draw(agent, 0.0)
    assert "\x1b]2;⠋ a ]0;evil  b\x1b\\".encode() in working
    assert b"7501;state=working:app=demo" in working


def test_a_blocked_report_names_kind_and_question() -> None:
    sent = Screen(80, 24).draw(at_the_question(), 103.0)
    assert b"\x1b]7501;state=blocked:app=demo:kind=permission:title=UnVuIGBweXRlc3QgLXFgPw==\x1b\\" in sent


def test_no_status_sends_none() -> None:
    screen = Screen(80, 24, reports=False)
    assert b"7501" not in screen.draw(at_the_question(), 103.0) + screen.end()


def test_a_row_never_wraps() -> None:
    agent = Agent()
    agent.press(Key("text", "宽" * 100), 0.0)
    agent.said.append("x" * 300)
    rows = re.sub(rb"\x1b[\[\]][^A-Za-z]*[A-Za-z]", b"", Screen(20, 24).draw(agent, 0.0)).decode().split("\r\n")
    assert max(sum(2 if c == "宽" else 1 for c in row.strip("\r")) for row in rows if "demo" not in row) <= 19


# --- in a real terminal


def seen(terminal: Terminal) -> str:
    profile = catalogue()["demo"]
    text = "\n".join(terminal.screen())
    patterns = {"waiting": profile.waiting, "working": profile.working, "idle": profile.idle}
    return " ".join(state for state, p in patterns.items() if isinstance(p, str) and re.search(p, text, PATTERN_FLAGS))


def test_from_task_to_end_in_a_real_terminal() -> None:
    with Terminal([*DEMO, "--stay", "--pace", "0", "--", "fix the flaky test"]) as terminal:
        terminal.expect(rb"7501;state=working:app=demo")
        terminal.expect(rb"7501;state=blocked:app=demo:kind=permission")
        terminal.expect_screen(r"^› 1\. Yes\n  2\. No\n  enter, 1 or y: yes · 2 or n: no$")
        assert seen(terminal) == "waiting"
        terminal.send("1")
        terminal.expect(rb"7501;state=done")
        terminal.expect_screen("^  enter sends")
        assert seen(terminal) == "idle"
        terminal.send("\x1b[200~more,\nof it\x1b[201~\r")
        terminal.expect_screen(r"^> more,\n> of it$")
        terminal.send("n")
        terminal.expect_screen(r"^✘ Did not run")
        terminal.expect_screen("^  enter sends")
        terminal.send("/quit\r")
        assert terminal.wait() == 0
        assert b"\x1b[?2004h" in terminal.output
        assert terminal.output.endswith(b"\x1b[?2004l\x1b[?25h\x1b]7501;state=clear\x1b\\\x1b]2;\x1b\\\x1b[1A\r\x1b[J")
        assert not any("─" in row for row in terminal.screen())
        assert terminal.restored


def test_working_is_seen_while_it_lasts() -> None:
    with Terminal([*DEMO, "--pace", "1000", "x"]) as terminal:
        terminal.expect_screen(r"Working \(\d+s\)$")
        assert seen(terminal) == "working"
        terminal.send("\x03\x03")
        assert terminal.wait() == 130
        assert terminal.restored


def test_a_resize_draws_all_anew() -> None:
    with Terminal([*DEMO, "--pace", "0", "hello"], cols=80, rows=24) as terminal:
        terminal.expect_screen(r"^› 1\. Yes")
        terminal.resize(40, 10)
        terminal.expect(rb"\x1b\[H\x1b\[2J")
        terminal.expect_screen(r"Run `pytest -q`\?\n\n› 1\. Yes\n  2\. No\n  enter, 1 or y: yes")
        terminal.send("\x04\x03\x03")
        assert terminal.wait() == 130


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_the_terminal_is_restored(number: signal.Signals) -> None:
    with Terminal(DEMO) as terminal:
        terminal.expect_screen("^  enter sends")
        terminal.signal(number)
        assert terminal.wait() == -number
        assert terminal.restored


def test_ctrl_d_and_the_end_of_its_task_end_with_zero() -> None:
    with Terminal(DEMO) as terminal:
        terminal.expect_screen("^  enter sends")
        terminal.send("\x04")
        assert terminal.wait() == 0
    with Terminal([*DEMO, "--pace", "0", "x"]) as terminal:
        terminal.expect_screen(r"^› 1\. Yes")
        terminal.send("\r")
        assert terminal.wait() == 0


def test_without_a_terminal_it_says_so() -> None:
    result = subprocess.run(DEMO, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (2, "the demo needs a terminal: try `roost run demo`\n")

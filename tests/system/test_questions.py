"""What a program asks its terminal is answered once, attached or not, and the person's own terminal has no part in it."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest

from tests.support.agents import asker
from tests.support.commands import roost_argv
from tests.support.needs import needs
from tests.support.oracle.live import Xterm
from tests.support.oracle.xterm import need_oracle
from tests.support.person import Person
from tests.support.terminal import Terminal
from tests.support.waiting import DEADLINE, eventually

ANSWERED = {
    "\x1b[c": "\x1b[?62;22c",
    "\x1b[?2026$p": "\x1b[?2026;2$y",
    "\x1b]7501;?\x1b\\": "\x1b]7501;?\x1b\\",
    "\x1bZ": "\x1b[?62;22c",
}
SILENT = ["\x1b[21t", "\x1b[11t", "\x1b[x", "\x1b[?25n", "\x05", "\x1b]50;?\x1b\\", "\x1b]52;c;?\x1b\\", "\x1b_Gi=1,a=q,s=1,v=1;AAAA\x1b\\"]
COLOURS = ("\x1b]10;?", "\x1b]11;?", "\x1b]12;?", "\x9d11;?")


@pytest.fixture
def answers(person: Person, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What is answered while nobody is attached."""
    monkeypatch.chdir(person.cwd)
    person.roost("run", "-d", "-n", "alone", "--", sys.executable, asker.__file__, "alone.json")
    return told(person.cwd / "alone.json")


def told(path: Path) -> dict[str, str]:
    eventually(path.exists, f"{path.name}", within=60)
    *answers, unasked = json.loads(path.read_text())
    assert unasked == ""
    return dict(answers)


def test_each_question_has_its_answer_and_the_unanswerable_none(answers: dict[str, str]) -> None:
    assert {question: answers[question] for question in ANSWERED} == ANSWERED
    assert {question: answers[question] for question in SILENT} == dict.fromkeys(SILENT, "")
    assert len(answers) == len(asker.QUESTIONS)
    assert sum(bool(answer) for answer in answers.values()) >= 27


def test_attached_in_tmux_they_are_the_same(person: Person, answers: dict[str, str]) -> None:
    needs("tmux")
    with person.shell(120, 40) as pane:
        pane.line(f"roost run -n held -- {sys.executable} {asker.__file__} held.json")
        assert without_colours(told(person.cwd / "held.json")) == without_colours(answers)
        pane.wait_for("^asked$")


def test_attached_in_xterm_they_are_the_same(person: Person, answers: dict[str, str]) -> None:
    """xterm answers what reaches it, and what it answers is typed."""
    need_oracle()
    path = person.cwd / "held.json"
    argv = roost_argv("run", "-n", "held", "--", sys.executable, asker.__file__, "held.json")
    with Terminal(argv, environ=person.environ, cwd=person.cwd, cols=120, rows=40) as terminal, Xterm(120, 40) as xterm:
        deadline = time.monotonic() + DEADLINE
        while not path.exists():
            assert time.monotonic() < deadline, "\n".join(terminal.screen())
            seen = len(terminal.output)
            terminal.read(0.01)
            xterm.show(terminal.output[seen:])
            if answer := xterm.answered():
                terminal.send(answer)
        assert xterm.answers == b"\x1b[?1;2c", "nobody but the attached command asks it anything"
        assert without_colours(told(path)) == without_colours(answers)


def without_colours(answers: dict[str, str]) -> dict[str, str]:
    """Those are the terminal's that came last."""
    return {question: answer for question, answer in answers.items() if not question.startswith(COLOURS)}

"""`roost report --osc`: what it writes is what a job's terminal reads, and where there is no terminal it says so."""

from __future__ import annotations

from typing import Any

import pytest

from roost.failure import Usage
from roost.program_status import sequence
from roostd.host.program_status import ProgramReport, parse
from tests.support.commands import roost, roost_argv
from tests.support.home import Home
from tests.support.terminal import Terminal


def written(state: str, **said: Any) -> ProgramReport | None:
    given: dict[str, Any] = {"waiting_for": None, "title": None, "msg": None, "progress": None}
    ids = {key: said.pop(key, None) for key in ("id", "app")}
    data = sequence(state, **{**given, **said}, ids=ids)
    assert data.startswith(b"\x1b]7501;")
    assert data.endswith(b"\x1b\\")
    return parse(data[len("\x1b]7501;") : -2].decode())


@pytest.mark.parametrize(
    ("state", "said", "report"),
    [
        ("idle", {}, ProgramReport("", "idle")),
        ("done", {"msg": "all well"}, ProgramReport("", "done", msg="all well")),
        ("error", {}, ProgramReport("", "error")),
        ("clear", {"id": "a/b"}, ProgramReport("a/b", "clear")),
        ("working", {"progress": 40, "app": "make", "title": "t"}, ProgramReport("", "working", progress=40, app="make", title="t")),
        ("waiting", {"waiting_for": "approval"}, ProgramReport("", "blocked", "approval")),
        ("waiting", {"waiting_for": "choice"}, ProgramReport("", "blocked", "question")),
        ("waiting", {"waiting_for": "login", "progress": 0}, ProgramReport("", "blocked", "login", progress=0)),
        ("idle", {"msg": "two\nlines\x1b[31m"}, ProgramReport("", "idle", msg="two lines[31m")),
        ("idle", {"title": "é" * 200, "msg": "😀" * 1000}, ProgramReport("", "idle", title="é" * 96, msg="😀" * 512)),
    ],
)
def test_what_is_written_is_what_a_terminal_reads(state: str, said: dict[str, Any], report: ProgramReport) -> None:
    assert written(state, **said) == report


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("working", {"progress": 101}),
        ("idle", {"progress": 4}),
        ("idle", {"id": "a//b"}),
        ("idle", {"id": "/".join("abcdefghi")}),
        ("idle", {"id": "/".join(["x" * 32] * 4)}),
        ("idle", {"app": "a/b"}),
        ("idle", {"app": "two words"}),
    ],
)
def test_what_cannot_be_said_is_refused(state: str, said: dict[str, Any]) -> None:
    with pytest.raises(Usage):
        written(state, **said)


def test_it_goes_to_the_terminal_although_the_output_goes_elsewhere(home: Home) -> None:
    argv = roost_argv("report", "--osc", "--state", "waiting", "--waiting-for", "approval", "--question", "Go?", "--status", "deploy")
    with Terminal(["sh", "-c", '"$@" > /dev/null < /dev/null; echo over', "sh", *argv]) as terminal:
        terminal.expect(rb"\x1b\]7501;state=blocked:kind=permission:title=ZGVwbG95:msg=R28/\x1b\\")
        terminal.expect(b"over")
    assert not home.state.exists()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--state", "clear"], "--state clear can only be told to a terminal: add --osc"),
        (["--state", "idle", "--progress", "3"], "--progress can only be told to a terminal: add --osc"),
        (["--osc", "--state", "waiting", "--choice", "y=Yes"], "--choice cannot be told to a terminal"),
        (["--osc", "--state", "idle", "--session-ref", "s"], "--session-ref cannot be told to a terminal"),
    ],
)
def test_what_goes_the_other_way_only_is_refused(args: list[str], said: str, home: Home) -> None:
    done = roost("report", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert not home.state.exists()

"""A request that no daemon would take is refused before anything happens: in one line that says what is too large."""

from __future__ import annotations

import json
import os

import pytest

from roost.bound import SPARE, check_size
from roost.cli import main
from roost_protocol.errors import RoostError
from roost_protocol.frame import MAX_LINE
from tests.support.commands import roost
from tests.support.home import Home

MIB = 1024 * 1024


def said(size: str, part: str, advice: str) -> str:
    return f"roost: this request has {size} MiB, most of it {part}; the bound is 1 MiB: {advice}\n"


@pytest.mark.parametrize("size", [MIB, 2 * MIB])
def test_a_long_task_and_a_long_reply_from_stdin(size: int, home: Home) -> None:
    shown = "1.1" if size == MIB else "2.1"
    for argv, part, advice in (
        (["run", "-d", "demo", "-"], "the task", "put it in a file, and let the task name the file"),
        (["reply", "j", "-"], "the text", "put it in a file, and let the reply name the file"),
    ):
        done = roost(*argv, stdin="x" * size)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", said(shown, part, advice))
    assert not home.state.exists()


@pytest.mark.parametrize("argv", [["run", "-d", "--", "true", "x" * MIB], ["run", "-d", "demo", "--", *["y" * 1000] * 1100]])
def test_long_arguments(argv: list[str], home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 1
    assert capsys.readouterr() == ("", said("1.1", "the arguments", "put what is long in a file, and name the file"))
    assert not home.state.exists()


@pytest.mark.parametrize("argv", [["run", "-d", "--", "true"], ["again", "j", "-d"], ["resume", "j", "-d"]])
def test_a_large_environment(argv: list[str], home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(12):
        monkeypatch.setitem(os.environ, f"LARGE_{number}", "s3cr3t" * 16_400)
    assert main(argv) == 1
    assert capsys.readouterr() == ("", said("1.2", "the environment", "unset what is large in it (`env -u NAME roost ...`)"))
    assert not home.state.exists()


def test_the_bound_is_that_of_the_line() -> None:
    message = {"id": 0, "verb": "job.reply", "params": {"job": "j", "text": ""}}
    message["params"] = {"job": "j", "text": "x" * (MAX_LINE - SPARE - len(json.dumps(message)))}
    check_size(message)
    message["verb"] = "job.reply2"
    with pytest.raises(RoostError) as refused:
        check_size(message)
    assert refused.value.code == "too_large"

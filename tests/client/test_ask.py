"""`roost ask`, from inside jobs of a real daemon."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tests.support.commands import roost, roost_argv
from tests.support.home import Home
from tests.support.waiting import eventually


def asks(home: Home, *words: str) -> str:
    """A job that asks and then says what it was told, in a file of its own; the job's name."""
    script = 'out=$("$@"); printf "%s %s" "$out" "$?" > "$0"; exec sleep 1000'
    assert roost("run", "-d", "-n", "asks", "--", "sh", "-c", script, str(home.work / "told"), *roost_argv("ask"), *words).returncode == 0
    return "asks"


def told(home: Home) -> str:
    file = home.work / "told"
    return eventually(lambda: file.read_text() if file.exists() and file.read_text() else "", "what was told")


def row(job: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in json.loads(roost("ls", "--json").stdout)["jobs"] if one["name"] == job)
    return found


@pytest.mark.parametrize(
    ("reply", "answer"),
    [(("--choice", "1"), "y 0"), (("--choice", "no"), "n 1"), (("Yes, do it",), "y 0"), (("n",), "n 1"), (("what for?",), "what for? 0")],
)
def test_the_answer_is_printed_and_a_no_is_a_no(lived_in: Home, reply: tuple[str, ...], answer: str) -> None:
    job = asks(lived_in, "Deploy?", "--choice", "y=Yes, do it", "--choice", "n=No")
    assert roost("wait", job, "--until", "waiting").returncode == 0
    shown = row(job)
    assert (shown["question"], shown["waiting_for"], [choice["id"] for choice in shown["choices"]]) == ("Deploy?", "choice", ["y", "n"])
    assert roost("reply", job, *reply).stdout.startswith("delivered")
    assert told(lived_in) == answer
    assert row(job)["question"] is None


def test_it_gives_up_when_the_time_is_over(lived_in: Home) -> None:
    asks(lived_in, "Anybody?", "--timeout", "1s", "--json")
    assert told(lived_in) == '{"answer": null} 124'


def test_outside_a_job_and_beside_an_agent_it_says_so(home: Home) -> None:
    outside = roost("ask", "Go?")
    assert (outside.returncode, outside.stdout) == (1, "")
    assert "this is not a job of roost's" in outside.stderr
    environ = {"ROOST_SOCKET": "/nowhere", "ROOST_JOB_ID": "j", "ROOST_JOB_TOKEN": "t0ken"}
    with subprocess.Popen(["sleep", "1000"]) as agent:
        beside = roost("ask", "Go?", **environ, ROOST_AGENT_PID=str(agent.pid))
        agent.kill()
    assert beside.returncode == 1
    assert f"process {agent.pid} speaks for this job" in beside.stderr
    assert "t0ken" not in beside.stderr


def test_a_wrong_token_is_refused(lived_in: Home) -> None:
    script = 'ROOST_JOB_TOKEN=wrong "$@" 2> "$0"; printf "%s" "$?" >> "$0"; exec sleep 1000'
    roost("run", "-d", "-n", "asks", "--", "sh", "-c", script, str(lived_in.work / "told"), *roost_argv("ask"), "Go?")
    assert eventually(lambda: told(lived_in).endswith("1"))
    assert "wrong" not in told(lived_in)

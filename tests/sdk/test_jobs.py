"""Agents made with the SDK as jobs of a real daemon, which is killed, and seen as a person sees them."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from tests.support.daemon import Daemon, Message, Operator
from tests.support.waiting import eventually

SYNC = """
from roost_agent import Agent
with Agent.from_env(name="test", version="1") as agent:
    tell(agent.speaks)
    agent.report("working", status="building", model="m1", session_ref="s1")
    tell(agent.ask("Deploy?", choices=[("y", "Yes"), ("n", "No")]))
    for reply in agent.replies():
        tell(reply.n, reply.text)
        if reply.text == "end":
            break
    agent.idle("over")
"""
ASYNC = """
import asyncio
from roost_agent import AsyncAgent
async def main():
    async with AsyncAgent.from_env(name="test", version="1") as agent:
        tell(agent.speaks)
        agent.report("working", status="building", model="m1", session_ref="s1")
        tell(await agent.ask("Deploy?", choices=[("y", "Yes"), ("n", "No")]))
        async for reply in agent.replies():
            tell(reply.n, reply.text)
            if reply.text == "end":
                break
        agent.idle("over")
asyncio.run(main())
"""
TELL = """
import os, sys, time
def tell(*words):
    with open(sys.argv[1], "a") as file:
        print(*words, file=file)
"""


class Script:
    """A Python program that runs as a job, and then stays until its job is ended; `told` is what it wrote down."""

    def __init__(self, daemon: Daemon, operator: Operator, code: str, *, around: str = '"$0" "$1" "$2"; exec sleep 600') -> None:
        self.daemon, self.operator = daemon, operator
        self.path = daemon.home.work / "script.py"
        self.path.write_text(TELL + textwrap.dedent(code))
        self.notes = daemon.home.work / "told"
        self.job: str = operator.run("sh", "-c", around, sys.executable, str(self.path), str(self.notes), name="script")["id"]

    @property
    def told(self) -> list[str]:
        return self.notes.read_text().splitlines() if self.notes.exists() else []

    @property
    def row(self) -> Message:
        row: Message = self.operator.ask("job.get", job=self.job)
        return row

    def becomes(self, state: str) -> None:
        eventually(lambda: (self.row["state"], self.row["evidence"]["signal"]) == (state, "report"), state)

    def tells(self, *lines: str) -> None:
        eventually(lambda: self.told == list(lines), f"{lines}")

    def reply(self, text: str) -> str:
        """What became of it."""
        outcome: str = self.operator.ask("job.reply", job=self.job, text=text)["outcome"]
        return outcome

    def restart(self) -> None:
        self.daemon.kill()
        self.daemon.restart()
        self.operator = self.daemon.operator()

    def events(self, kind: str) -> list[Message]:
        return [event["data"] for event in self.operator.items("event.subscribe", since=0) if event["kind"] == kind]

    def reports(self) -> list[Message]:
        return self.events("job.report")


@pytest.mark.parametrize("code", [SYNC, ASYNC], ids=["sync", "async"])
def test_a_question_is_seen_and_answered_across_a_daemon_that_was_killed(daemon: Daemon, operator: Operator, code: str) -> None:
    script = Script(daemon, operator, code)
    script.becomes("waiting")
    row = script.row
    assert (row["question"], row["waiting_for"], row["model"], row["session_ref"]) == ("Deploy?", "choice", "m1", "s1")
    assert row["choices"] == [{"id": "y", "label": "Yes"}, {"id": "n", "label": "No"}]
    script.restart()
    script.becomes("waiting")
    assert script.reply("no") == "delivered"
    script.becomes("working")
    script.tells("True", "n")
    for text in ("more", "end"):
        assert script.reply(text) == "delivered"
    script.becomes("idle")
    script.tells("True", "n", "2 more", "3 end")


@pytest.mark.parametrize("code", [SYNC, ASYNC], ids=["sync", "async"])
def test_each_reply_is_acted_on_once_and_in_order_whatever_dies(daemon: Daemon, operator: Operator, code: str) -> None:
    script = Script(daemon, operator, code)
    script.becomes("waiting")
    assert script.reply("y") == "delivered"
    script.becomes("working")
    sent = []
    for turn in range(3):
        for number in range(5):
            sent.append(f"{turn}.{number}")
            script.operator.begin("job.reply", job=script.job, text=sent[-1], timeout=0.0)
        # The last of them is in the daemon's database, and so those before; whether it came to the agent is left open.
        eventually(lambda: {data["n"] for data in script.events("job.reply")} >= {1 + len(sent)})
        script.restart()
    sent.append("end")
    script.operator.begin("job.reply", job=script.job, text="end")
    script.becomes("idle")
    script.tells("True", "y", *[f"{n} {text}" for n, text in enumerate(sent, 2)])


def test_what_was_said_last_goes_out_though_the_interpreter_ends(daemon: Daemon, operator: Operator) -> None:
    code = "import roost_agent; agent = roost_agent.Agent.from_env(name='t'); agent.working('begun'); agent.idle('over')"
    script = Script(daemon, operator, code)
    script.becomes("idle")
    assert script.reports()[-1]["summary"] == "over"


def test_what_was_said_while_the_daemon_was_away_is_said_to_the_next(daemon: Daemon, operator: Operator) -> None:
    go = daemon.home.work / "go"
    os.mkfifo(go)
    code = f"""
    from roost_agent import Agent
    agent = Agent.from_env(name="t")
    agent.working("before")
    open({str(go)!r}).read()
    for number in range(100):
        agent.working(str(number))
    agent.waiting("login", "Who are you?")
    time.sleep(600)
    """
    script = Script(daemon, operator, code)
    script.becomes("working")
    daemon.kill()
    go.write_text("go")
    daemon.restart()
    script.operator = daemon.operator()
    script.becomes("waiting")
    assert script.row["question"] == "Who are you?"


def test_a_child_and_a_fork_are_silent(daemon: Daemon, operator: Operator) -> None:
    code = """
    import subprocess
    from roost_agent import Agent
    agent = Agent.from_env(name="above", capabilities=["report"])
    agent.working("above")
    code = "import roost_agent; a = roost_agent.Agent.from_env(name='below'); a.idle('below'); print(a.speaks, a.ask('?'))"
    for more in ({}, {"start_new_session": True}):
        tell(subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, **more).stdout.strip())
    child = os.fork()
    if not child:
        agent.idle("forked")
        agent.close()
        tell(agent.speaks, Agent.from_env(name="new in the fork").speaks)
        sys.exit(0)
    os.waitpid(child, 0)
    tell(agent.speaks)
    agent.waiting("question", "Still here?")
    time.sleep(600)
    """
    script = Script(daemon, operator, code)
    script.becomes("waiting")
    script.tells("False None", "False None", "False False", "True")
    assert [report.get("status") or report.get("question") for report in script.reports()] == ["above", "Still here?"]


def test_of_two_processes_that_both_want_to_speak_the_newest_does(daemon: Daemon, operator: Operator) -> None:
    code = """
    import subprocess
    from roost_agent import Agent
    agent = Agent.from_env(name="first")
    agent.working("first")
    second = "import roost_agent as r; a = r.Agent.from_env(name='n', nested=True); a.idle('second'); print(next(a.replies()).text)"
    child = subprocess.Popen([sys.executable, "-c", second], stdout=subprocess.PIPE, text=True)
    tell([reply.text for reply in agent.replies()], agent.speaks)
    agent.working("not said any more")
    tell(child.stdout.readline().strip())
    time.sleep(600)
    """
    script = Script(daemon, operator, code)
    script.tells("[] False")
    eventually(lambda: script.reports()[-1].get("summary") == "second")
    assert script.reply("for the newest") == "delivered"
    script.tells("[] False", "for the newest")
    assert "not said any more" not in [report.get("status") for report in script.reports()]


def test_what_a_shell_with_job_control_runs_is_silent(daemon: Daemon, operator: Operator) -> None:
    code = "import roost_agent; tell(roost_agent.Agent.from_env(name='t').speaks)"
    script = Script(daemon, operator, code, around='set -m; "$0" "$1" "$2"; exec sleep 600')
    script.tells("False")


OUTSIDE = """
import roost_agent
with roost_agent.Agent.from_env(name="x") as agent:
    agent.working("w")
    print(agent.ask("?", default="d"), list(agent.replies()))
"""


@pytest.mark.parametrize("environ", [{}, {"ROOST_SOCKET": "/nowhere", "ROOST_JOB_ID": "j"}])
def test_outside_roost_a_program_runs_as_it_is(environ: dict[str, str]) -> None:
    done = subprocess.run([sys.executable, "-c", OUTSIDE], env={**os.environ, **environ}, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("d []\n", "")


def test_a_job_whose_daemon_is_gone_for_good_ends_as_fast_as_it_can(tmp_path: Path) -> None:
    environ = {"PI_DAEMON_SOCK": str(tmp_path / "s"), "PI_JOB_ID": "j", "PI_JOB_TOKEN": "t", "ROOST_AGENT_NESTED": "1"}
    code = "import roost_agent as r\nwith r.Agent.from_env(name='x') as a:\n a.working('w'); print(a.speaks, a.ask('?', timeout=0.01))\n"
    begun = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **environ}, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("True None\n", "")
    assert time.monotonic() - begun < 10

"""Where there is a terminal and no roost: told in-band, when asked to."""

from __future__ import annotations

import base64
import os
import subprocess
import sys

from tests.support.daemon import Daemon, Operator
from tests.support.home import Home
from tests.support.terminal import Terminal
from tests.support.waiting import eventually

CODE = """
import sys
from roost_agent import Agent
with Agent.from_env(name="deploy", osc={osc}) as agent:
    agent.working("buil\\x1bding")
    print(agent.ask("Deploy?", ["yes", "no"], default="no"), agent.speaks)
    agent.waiting("approval", "Sure?")
    agent.report("dancing", summary="no")
print("over")
"""


def said(text: str) -> bytes:
    return base64.b64encode(text.encode())


def test_the_terminal_is_told_and_ends_clear(home: Home) -> None:
    with Terminal([sys.executable, "-c", CODE.format(osc=True)], cwd=home.work) as terminal:
        terminal.expect("over")
        output = terminal.output
    begun, _, rest = output.partition(b"no False")
    assert begun == b"\x1b]7501;state=working:app=deploy:msg=" + said("buil ding") + b"\x1b\\"
    asked = b"\x1b]7501;state=blocked:app=deploy:kind=permission:msg=" + said("Sure?") + b"\x1b\\"
    assert rest.lstrip().startswith(asked + b"\x1b]7501;state=clear\x1b\\")


def test_unasked_or_without_a_terminal_it_is_not(home: Home) -> None:
    with Terminal([sys.executable, "-c", CODE.format(osc=False)], cwd=home.work) as terminal:
        terminal.expect("over")
        assert b"7501" not in terminal.output
    done = subprocess.run([sys.executable, "-c", CODE.format(osc=True)], env=dict(os.environ), capture_output=True, check=True)
    assert done.stdout == b"no False\nover\n"


def test_roost_understands_what_its_terminal_is_told(daemon: Daemon, operator: Operator) -> None:
    code = "import time, roost_agent as r; r.Agent.from_env(name='t', osc=True).waiting('login', 'Who are you?'); time.sleep(600)"
    job = operator.run("env", "-u", "ROOST_SOCKET", sys.executable, "-c", code)["id"]

    def seen() -> bool:
        row = operator.ask("job.get", job=job)
        return (row["state"], row["evidence"]["signal"], row["waiting_for"]) == ("waiting", "program-status", "login")

    eventually(seen)

"""Replies to a job whose dialogs come one behind the other: each is typed into the one it was sent to, or into none."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from tests.support.daemon import Daemon, Operator

ASKS_TWICE = r"""
import os, sys, tty
tty.setraw(0)
for _ in range(2):
    os.write(1, b"\x1b]7501;state=blocked:kind=permission\x1b\\\x1b[H\x1b[2JDelete it?\r\n1. Yes\r\n2. No\r\n")
    with open(sys.argv[1], "ab") as heard:
        heard.write(os.read(0, 1))
    os.write(1, b"\x1b]7501;state=working\x1b\\")
os.write(1, b"\x1b]7501;state=idle\x1b\\\x1b[2Jprompt")
os.read(0, 1)
"""


def asked_twice(daemon: Daemon, operator: Operator) -> Path:
    """A job `twice` that asks the same twice, and waits; what it hears is in the file."""
    heard = daemon.home.work / "heard"
    operator.run(sys.executable, "-c", ASKS_TWICE, str(heard), name="twice")
    operator.ask("job.wait", jobs=["twice"], until=["waiting"], timeout=20)
    return heard


def test_two_replies_to_one_dialog_do_not_answer_the_next(daemon: Daemon, operator: Operator) -> None:
    heard = asked_twice(daemon, operator)
    replies = [operator.begin("job.reply", job="twice", text=text) for text in ("1", "2")]
    first, second = (operator.answer(number) for number in replies)
    assert (first["outcome"], second["outcome"]) == ("submitted", "refused"), second
    assert "since it was sent" in second["why"] or "is gone" in second["why"]
    assert heard.read_bytes() == b"1"


def test_a_reply_that_was_long_on_its_way_does_not_answer_the_next_dialog(daemon: Daemon, operator: Operator) -> None:
    heard = asked_twice(daemon, operator)
    host = daemon.host(operator.ask("job.get", job="twice")["id"])["pid"]
    os.kill(host, signal.SIGSTOP)
    try:
        assert operator.ask("job.reply", job="twice", text="1", timeout=0.0)["outcome"] == "pending"
        daemon.kill()
        daemon.restart()
        operator = daemon.operator()
        second = operator.ask("job.reply", job="twice", text="2", request_id="second", timeout=1.0)
        assert second["outcome"] == "pending"
    finally:
        os.kill(host, signal.SIGCONT)
    assert operator.ask("job.reply", job="twice", text="2", request_id="second")["outcome"] == "refused"
    assert heard.read_bytes() == b"1"


def test_what_has_run_behind_a_reply_has_started_and_what_only_shows_its_echo_has_not(operator: Operator) -> None:
    operator.run("sh", "-c", "echo ready; while read line; do echo got $line; sleep 0.5; echo more; done", name="runs")
    operator.run("sh", "-c", "echo ready; stty -echo; exec cat >/dev/null", name="silent")
    for name in ("runs", "silent"):
        operator.ask("job.wait", jobs=[name], until=["quiet"], timeout=20)
    ran = operator.ask("job.reply", job="runs", text="on", wait=True)
    silent = operator.ask("job.reply", job="silent", text="on", wait=True)
    assert (ran["outcome"], ran["started"], ran["settled"]) == ("submitted", True, "quiet")
    assert silent["started"] is not True

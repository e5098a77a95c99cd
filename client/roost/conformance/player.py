"""Plays one scenario against one new process of the client."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from secrets import token_hex
from typing import Final

from roost.conformance.broken import Broken, Unsupported
from roost.conformance.daemon import Daemon
from roost.conformance.driver import NAMES, Driver
from roost.conformance.edge import Edge
from roost.conformance.scenario import Environment, Scenario
from roost.conformance.steps import Stage
from roost.conformance.verdict import Outcome, Verdict
from roost.conformance.watch import Watch
from roost_protocol.paths import MAX_SOCKET_PATH

WITHIN: Final = 15.0
"""Seconds that a step waits. A client's back-off may be at some seconds."""


def play(scenario: Scenario, command: Sequence[str], environ: Mapping[str, str], within: float = WITHIN) -> Verdict:
    """Starts the command in a session of its own and takes the steps. Raises `Usage` if it cannot be started."""
    began = time.monotonic()
    folder = _folder()
    try:
        job, token = token_hex(4), token_hex(32)
        watch = Watch(job, token)
        daemon = Daemon(job, watch)
        edge = Edge(daemon, f"{folder}/agent.sock")
        given = environment(scenario.environment, environ, f"{folder}/agent.sock", job, token)
        stage = Stage(daemon, edge, lambda: Driver(command, given, watch), within)
        outcome, reason, step = _go(stage, scenario)
        printed = stage.printed().replace(token, "(token)")
    finally:
        shutil.rmtree(folder)
    reason = reason.replace(token, "(token)") if reason else None
    return Verdict(
        scenario=scenario, outcome=outcome, seconds=time.monotonic() - began, reason=reason, step=step, printed=printed if reason else ""
    )


def _go(stage: Stage, scenario: Scenario) -> tuple[Outcome, str | None, int | None]:
    number = 0
    try:
        stage.begin()
        for step in scenario.steps:
            number += 1
            stage.take(step)
        stage.finish()
    except Unsupported as error:
        return "skipped", f"the client does not do {error}", number
    except Broken as error:
        return "failed", str(error), number
    finally:
        stage.end()
    return "passed", None, None


def environment(kind: Environment, environ: Mapping[str, str], path: str, job: str, token: str) -> dict[str, str]:
    """What the driver is started with: as a job of the daemon, by pi's names, below another client that speaks, or outside of any job."""
    given = {name: value for name, value in environ.items() if name not in NAMES}
    if kind == "pi":
        return {**given, "PI_DAEMON_SOCK": path, "PI_JOB_ID": job, "PI_JOB_TOKEN": token}
    if kind == "outside":
        return given
    given |= {"ROOST_SOCKET": path, "ROOST_JOB_ID": job, "ROOST_JOB_TOKEN": token}
    return {**given, "ROOST_AGENT_PID": str(os.getpid())} if kind == "nested" else given


def _folder() -> str:
    """A new folder of mode 0700, where a socket's path is not too long."""
    folder = tempfile.mkdtemp(prefix="rc-")
    if len(os.fsencode(folder)) + len("/agent.sock") <= MAX_SOCKET_PATH:
        return folder
    os.rmdir(folder)  # noqa: PTH106
    return tempfile.mkdtemp(prefix="rc-", dir="/tmp")

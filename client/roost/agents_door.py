"""One report through the agents' door: hello, the report, its ack, bye."""

from __future__ import annotations

import os
import signal
import time

from roost.failure import Failed, Unreachable
from roost.finding import read_record, runs
from roost.stream import Lost, Stream, connect
from roost.version import VERSION
from roost_protocol.errors import RoostError
from roost_protocol.paths import state_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Json = dict[str, Any]

PROTOCOL = 1
NAMES = (("ROOST_SOCKET", "PI_DAEMON_SOCK"), ("ROOST_JOB_ID", "PI_JOB_ID"), ("ROOST_JOB_TOKEN", "PI_JOB_TOKEN"))
"""Ours first; pi's own names are taken for good."""

ANSWER_WITHIN = 15.0
"""Seconds."""
TRIES = 2
"""A daemon that is restarted in the middle is asked once more: epoch and number are the same, so nothing counts twice."""
DOOR_WITHIN = 5.0
"""Seconds for a daemon to make the agents' door anew."""
PAUSE = 0.02


def send_report(report: Json, environ: Mapping[str, str]) -> None:
    """Sends the fields of an `agent.Report` and returns once it is durable. Raises `Failed` outside a job, RoostError as refused."""
    path, job, token = (environ.get(ours) or environ.get(theirs) for ours, theirs in NAMES)
    if not (path and job and token):
        raise Failed("this is not a job of roost's: ROOST_SOCKET, ROOST_JOB_ID and ROOST_JOB_TOKEN are not all set")
    hello = {"type": "hello", "job": job, "token": token, "epoch": os.urandom(16).hex(), "protocol": PROTOCOL}
    hello |= {"agent": {"name": "roost report", "version": VERSION}, "capabilities": ["report"]}
    for left in reversed(range(TRIES)):
        try:
            _exchange(path, hello, {"type": "report", "seq": 1, **report})
            return
        except (OSError, Lost) as error:
            if not left:
                raise Unreachable(f"the daemon does not answer on {path}: {error}") from error
            _bring_back(path, environ)


def _bring_back(path: str, environ: Mapping[str, str]) -> None:
    """Has the daemon whose door this is make it anew, if it runs and only the door is gone. Who may not signal it (a sandbox) cannot."""
    try:
        record = read_record(state_dir(environ))
        sockets = record.get("sockets")
        if not (isinstance(sockets, dict) and sockets.get("agent") == path and runs(record)) or _is_open(path):
            return
        os.kill(record["pid"], signal.SIGUSR1)
    except (OSError, RoostError):
        return
    deadline = time.monotonic() + DOOR_WITHIN
    # There is nothing to wait on: another process makes it, in a folder that may not exist yet.
    while not _is_open(path) and time.monotonic() < deadline:
        time.sleep(PAUSE)


def _is_open(path: str) -> bool:
    try:
        connect(path).close()
    except OSError:
        return False
    return True


def _exchange(path: str, hello: Json, report: Json) -> None:
    stream = Stream(connect(path))
    try:
        stream.send(hello, report)
        while True:
            answer = stream.receive(ANSWER_WITHIN)
            if answer.get("type") == "error":
                raise RoostError(answer.get("code", "internal"), str(answer.get("message", "the daemon refused and did not say why")))
            if answer.get("type") == "ack" and answer.get("seq") == 1:
                break
        stream.send({"type": "bye"})
    finally:
        stream.close()

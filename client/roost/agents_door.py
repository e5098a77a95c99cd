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
GONE_AFTER = 0.5
"""Seconds without a daemon, after which there is none: an agent is not held up by that."""
COMES_WITHIN = 15.0
"""The same while one is just coming or going, as when it is restarted."""
PAUSE = 0.02


def send_report(report: Json, environ: Mapping[str, str]) -> None:
    """Sends the fields of an `agent.Report` and returns once it is durable. Raises `Failed` outside a job, RoostError as refused.

    A daemon that goes away in the middle is asked once more: epoch and number are the same, so nothing counts twice.
    """
    path, job, token = (environ.get(ours) or environ.get(theirs) for ours, theirs in NAMES)
    if not (path and job and token):
        raise Failed("this is not a job of roost's: ROOST_SOCKET, ROOST_JOB_ID and ROOST_JOB_TOKEN are not all set")
    hello = {"type": "hello", "job": job, "token": token, "epoch": os.urandom(16).hex(), "protocol": PROTOCOL}
    hello |= {"agent": {"name": "roost report", "version": VERSION}, "capabilities": ["report"]}
    first = time.monotonic()
    while True:
        try:
            _exchange(path, hello, {"type": "report", "seq": 1, **report})
            return
        except (OSError, Lost) as error:
            waited = time.monotonic() - first
            if waited > COMES_WITHIN or (waited > GONE_AFTER and not _comes(environ)):
                raise Unreachable(f"the daemon does not answer on {path}: {error}") from error
        _bring_back(path, environ)
        # There is nothing to wait on: another process makes the door, in a folder that may not exist yet.
        time.sleep(PAUSE)


def _comes(environ: Mapping[str, str]) -> bool:
    from roost.starting import one_is_there

    try:
        return one_is_there(environ)
    except RoostError:
        return False


def _bring_back(path: str, environ: Mapping[str, str]) -> None:
    """Has the daemon whose door this is make it anew, if it runs and only the door is gone. Who may not signal it (a sandbox) cannot."""
    try:
        record = read_record(state_dir(environ))
        sockets = record.get("sockets")
        if isinstance(sockets, dict) and sockets.get("agent") == path and not os.path.exists(path) and runs(record):  # noqa: PTH110
            os.kill(record["pid"], signal.SIGUSR1)
    except (OSError, RoostError):
        pass


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

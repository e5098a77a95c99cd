"""One report through the agents' door: hello, the report, its ack, bye."""

from __future__ import annotations

import os

from roost.failure import Failed, Unreachable
from roost.stream import Lost, Stream, connect
from roost.version import VERSION
from roost_protocol.errors import RoostError

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

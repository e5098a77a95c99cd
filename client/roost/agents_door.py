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
from roost_protocol.paths import daemon_lock, start_lock, state_dir

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
ENDS_WITHIN = 3.0
"""The same while one runs, which may be just ending to be started anew, or make its door anew."""
COMES_WITHIN = 15.0
"""The same while somebody starts one."""
PAUSE = 0.02
COMES_BACK = (FileNotFoundError, ConnectionRefusedError, ConnectionResetError, BrokenPipeError, NotADirectoryError, Lost)
"""What a daemon that is away answers with. Anything else (a sandbox) stays as it is."""


def own_job(environ: Mapping[str, str]) -> tuple[str, str, str]:
    """The door, the id and the token of the job that this process is in. Raises `Failed` outside a job."""
    path, job, token = (environ.get(ours) or environ.get(theirs) or "" for ours, theirs in NAMES)
    if not (path and job and token):
        raise Failed("this is not a job of roost's: ROOST_SOCKET, ROOST_JOB_ID and ROOST_JOB_TOKEN are not all set")
    return path, job, token


def send_report(report: Json, environ: Mapping[str, str]) -> None:
    """Sends the fields of an `agent.Report` and returns once it is durable. Raises `Failed` outside a job, RoostError as refused.

    A daemon that goes away is asked again: epoch and number are the same, so nothing counts twice.
    """
    path, job, token = own_job(environ)
    hello = {"type": "hello", "job": job, "token": token, "epoch": os.urandom(16).hex(), "protocol": PROTOCOL}
    hello |= {"agent": {"name": "roost report", "version": VERSION}, "capabilities": ["report"]}
    woken = None
    first = time.monotonic()
    deadline = first + GONE_AFTER
    while True:
        try:
            _exchange(path, hello, {"type": "report", "seq": 1, **report})
            return
        except (OSError, Lost) as error:
            now = time.monotonic()
            deadline = max(deadline, min(now + GONE_AFTER, first + _patience(environ)))
            if not isinstance(error, COMES_BACK) or now > deadline:
                raise Unreachable(f"the daemon does not answer on {path}: {error}") from error
        woken = _wake(path, environ, woken)
        # There is nothing to wait on: another process makes the door, in a folder that may not exist yet.
        time.sleep(PAUSE)


def _patience(environ: Mapping[str, str]) -> float:
    """Seconds to wait, by what can be seen of a daemon now."""
    from roost.starting import is_held

    try:
        state = state_dir(environ)
    except RoostError:
        return GONE_AFTER
    if is_held(start_lock(state)):
        return COMES_WITHIN
    return ENDS_WITHIN if is_held(daemon_lock(state)) else GONE_AFTER


def _wake(path: str, environ: Mapping[str, str], woken: int | None) -> int | None:
    """Has the daemon whose door this is make it anew, once, if it runs and only the door is gone. Returns the pid of who was asked.

    Who may not signal it (a sandbox) cannot.
    """
    try:
        record = read_record(state_dir(environ))
        sockets, pid = record.get("sockets"), record.get("pid")
        ours = isinstance(sockets, dict) and sockets.get("agent") == path
        if not ours or os.path.exists(path) or not runs(record) or pid == woken:  # noqa: PTH110
            return woken
        os.kill(record["pid"], signal.SIGUSR1)
    except (OSError, RoostError):
        return woken
    return int(record["pid"])


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

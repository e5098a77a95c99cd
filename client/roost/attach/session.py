"""One attach from the command's side: asks the daemon for the host, lends it the terminal, and says how it ended."""

from __future__ import annotations

import signal
import time

from roost.attach import keys
from roost.attach.answers import MUTE
from roost.attach.loop import Loop, Outcome
from roost.attach.signals import Signals
from roost.attach.terminal import Terminal
from roost.failure import Failed, Usage
from roost.hosts import greet
from roost.output import is_terminal, print_line
from roost.picture import shown
from roost.stream import connect
from roost.version import VERSION
from roost.wording import exit_by_state, full_label, label, outcome
from roost_protocol.errors import EXIT_OK, RoostError
from roost_protocol.states import ENDED

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket as socket
    from collections.abc import Mapping
    from typing import Any

    from roost.connection import Daemon

    Json = dict[str, Any]

PROTOCOL = 1
"""Of the attach stream (`roost_protocol.host`)."""

PATIENCE = 5.0
"""Seconds for a host that is just ending, or making its socket again."""
PAUSE = 0.05
ENDED_STATES = sorted(ENDED)
HISTORY = 2000
"""Lines before the last screen of a job that has ended."""


class Ended(Exception):
    """There is no host to attach to: the job has ended."""

    def __init__(self, job: Json) -> None:
        self.job = job


def can_attach() -> bool:
    """Whether a person sits at both ends: stdin and stdout are terminals."""
    return is_terminal(0) and is_terminal(1)


def attach(daemon: Daemon, ref: str, environ: Mapping[str, str], *, read_only: bool = False) -> tuple[Json, int]:
    """Shows a job here until the person detaches or the job ends. Returns the job as it then is, and the command's exit code.

    A job that has ended already has its last screen printed. Raises `Failed` when the host is lost or a signal ended us.
    """
    terminal = Terminal()
    try:
        size = terminal.size()
        viewer = {"cols": size[0], "rows": size[1], "read_only": read_only, "lends": terminal.lendable}
        host, borrows, first, target = _reach(daemon, ref, environ, viewer)
    except Ended as ended:
        return _print_last_screen(daemon, ended.job)
    try:
        detach_keys = chosen_keys(environ) or keys.parse(target.get("detach") or keys.DEFAULT)
        ask = environ.get("TERM", "") not in MUTE
        with Signals() as signals, terminal:
            loop = Loop(
                *(terminal, signals, host, detach_keys),
                read_only=read_only,
                size=size,
                first=first,
                lend=borrows,
                ask=ask,
                farewell=f"[detached from {full_label(target['job'])}]",
            )
            how = loop.run()
    finally:
        host.close()
    return _tell(daemon, target["job"], how)


def _reach(daemon: Daemon, ref: str, environ: Mapping[str, str], viewer: Json) -> tuple[socket.socket, bool, bytes, Json]:
    """The job's host, greeted; whether it borrows our terminal; the first bytes of its frames; the daemon's answer. Raises `Ended`."""
    deadline = time.monotonic() + PATIENCE
    while True:
        target = daemon.ask("job.attach", {"job": ref}, timeout=30)
        job = target["job"]
        if job["id"] in (environ.get("ROOST_JOB_ID"), environ.get("PI_JOB_ID")):
            raise Failed(f"{full_label(job)} is the job this command runs in: attached to itself, it would show itself for ever")
        if not target.get("socket"):
            raise Ended(job)
        ref = job["id"]
        try:
            return *_greet(connect(target["socket"]), viewer), target
        except OSError as error:
            if time.monotonic() > deadline:
                raise Failed(f"the host of {full_label(job)} cannot be reached: {error}") from error
            # It is ending, or its runtime directory was swept: the daemon is asked again, and knows more by then.
            time.sleep(PAUSE)


def _greet(host: socket.socket, viewer: Json) -> tuple[socket.socket, bool, bytes]:
    """Says who we are and how large our terminal is (`viewer`). Raises OSError where nobody answers, RoostError for a refusal."""
    hello = {"type": "attach", "protocol": PROTOCOL, "version": VERSION, **viewer}
    answer, first = greet(host, hello)
    return host, answer.get("borrows") is True, first


def chosen_keys(environ: Mapping[str, str]) -> tuple[keys.Key, ...] | None:
    """The detach key that the person chose, if they did. Raises `Usage` for one that is none."""
    chosen = environ.get("ROOST_DETACH_KEYS")
    try:
        return keys.parse(chosen) if chosen else None
    except RoostError as error:
        raise Usage(f"ROOST_DETACH_KEYS: {error.message}") from None


def _tell(daemon: Daemon, job: Json, how: Outcome) -> tuple[Json, int]:
    """One line about how it ended, and what follows from it. Who detached has been told."""
    if how.how == "killed":
        raise Failed(f"ended by {signal.Signals(how.number).name}; {label(job)} runs on", 128 + how.number)
    if how.how == "lost":
        raise Failed(f"the host of {full_label(job)} is gone; see `roost explain {label(job)}`")
    if how.how == "detached":
        return job, EXIT_OK
    ended = daemon.ask("job.wait", {"jobs": [job["id"]], "until": ENDED_STATES}, timeout=30)["jobs"][0]
    print_line(f"[{label(ended)} {outcome(ended)}]")
    return ended, exit_by_state(ended)


def _print_last_screen(daemon: Daemon, job: Json) -> tuple[Json, int]:
    screen = daemon.ask("job.screen", {"job": job["id"], "ansi": True, "lines": HISTORY}, timeout=30)
    for line in shown(screen["lines"], ansi=True):
        print_line(line)
    print_line(f"[{label(job)} {outcome(job)}]")
    return job, exit_by_state(job)

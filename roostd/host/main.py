"""From a fork of the spawner to a running host, in an order in which a SIGKILL between any two lines does no harm.

The lock first, then `host.json`, so that the daemon knows of the host before there is anything to lose; the socket, so that it can be
reached; then the job's process; and only then "up".
"""

from __future__ import annotations

import gc
import os
import time
import traceback
from collections.abc import Callable
from typing import NoReturn

import msgspec

from roost_protocol.host import Detection, HostRecord, HostSpec
from roostd import process
from roostd.host import door, platform, record
from roostd.host.host import Host
from roostd.host.loop import Loop
from roostd.host.mirror.pyte_mirror import PyteMirror, warm_up
from roostd.host.mirror.queries import QueryFilter
from roostd.host.observer import Observer
from roostd.host.statuses import status_of
from roostd.version import VERSION

WARM_UP = 10
SAMPLE = (
    b"\x1b[1;31mroost\x1b[0m\r\n\x1b]0;title\x07\x1b[?25l\x1b[2;3H\x1b[Kwords\x1b[?25h" + 40 * b"\x1b[32mmore words\x1b[m of an agent\r\n"
)

FAULTS = "host.log"
"""Where the host's own faults are told, if there are any."""


def become(spec: HostSpec, report: int) -> NoReturn:
    """Be this job's host, in the fork that was made for it, until the job has ended."""
    code = 70
    try:
        os.setsid()
        _keep_only(report)
        gc.enable()  # It looks at what this host makes; what it shares with others is frozen.
        platform.adopt_orphans()
        platform.set_name(f"roost {spec.job}")
        run_host(spec, lambda said: _say(report, said))
        code = 0
    except BaseException:
        _tell_fault(spec.dir)
    finally:
        os._exit(code)


def run_host(spec: HostSpec, say: Callable[[str], None]) -> None:
    """Returns when the job has ended and its exit record is on disk. `say` is called once, with "up" or "not_up WHY"."""
    try:
        os.umask(0o077)
        lock = record.lock(spec.dir)
        if lock is None or record.taken(spec.dir):
            say("not_up another host has this job")
            return
        record.write_host(spec.dir, _host_record(spec))
        listener = door.listen(spec.socket)
    except OSError as error:
        say(f"not_up its host could not begin in {spec.dir}: {error.strerror}")
        return
    loop = Loop(on_fault=lambda: _tell_fault(spec.dir))
    host = Host(loop, spec, listener)
    host.start()
    say("up")
    loop.run()
    loop.close()


def preload() -> None:
    """Use, in the spawner, what every host will use, often enough for the interpreter to have specialised it: its pages are shared then."""
    warm_up()
    for _ in range(WARM_UP):
        mirror, observer, queries = PyteMirror(80, 24), Observer(Detection(), 0.0), QueryFilter()
        queries.feed(SAMPLE)
        observer.hear(mirror.feed(SAMPLE).events, 0.0)
        for now in (0.0, 1.0, 9.0):
            observer.look(mirror, now)
            observer.decide(now)
        msgspec.json.encode(status_of(observer.peek(9.0), n=1, since=0.0, wall=float, knows_idle=False, ref=None))


def _host_record(spec: HostSpec) -> HostRecord:
    pid = os.getpid()
    return HostRecord(
        job=spec.job,
        pid=pid,
        start=process.start_time(pid) or 0,
        boot=process.boot_id(),
        socket=spec.socket,
        token_hash=spec.token_hash,
        version=VERSION,
        argv=spec.argv,
        cwd=spec.cwd,
    )


def _keep_only(report: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd, inheritable=True)
    if nothing > 2:
        os.close(nothing)
    os.set_inheritable(report, False)


def _say(report: int, said: str) -> None:
    try:
        os.write(report, said.encode() + b"\n")
        os.close(report)
    except OSError:
        return  # The spawner is gone; the daemon finds this host by its record.


def _tell_fault(directory: str) -> None:
    """The traceback of a fault of ours: lines of code and an error's message, no values."""
    try:
        with open(f"{directory}/{FAULTS}", "a", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(f"{time.time():.3f}\n{traceback.format_exc()}\n")
    except OSError:
        return

"""`roost daemon`: the daemon itself. It starts on demand; jobs live on when it stops."""

from __future__ import annotations

import os
import time

from roost.connection import Daemon
from roost.durations import age
from roost.failure import Unreachable, Usage
from roost.finding import find
from roost.output import print_json, print_line
from roost.starting import wake
from roost_protocol.errors import EXIT_OK
from roost_protocol.paths import daemon_log, state_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

HELP = "Start, stop or restart the daemon (jobs run on), see how it is, read its log."
EXAMPLES = ("roost daemon status", "roost daemon restart", "roost daemon stop --jobs", "roost daemon logs -f")
ACTIONS = ("start", "stop", "restart", "status", "logs")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=ACTIONS, metavar="ACTION", help="start, stop, restart, status or logs")
    parser.add_argument("--jobs", action="store_true", help="stop: end all jobs too")
    parser.add_argument("--json", action="store_true", help='status: print {"pid", "version", "started", "jobs", "last_event", "sockets"}')
    parser.add_argument("-f", "--follow", action="store_true", help="logs: stay, and print what is written from now on")
    parser.add_argument("-n", "--lines", metavar="N", type=int, default=50, help="logs: so many of the last lines (default 50)")


def run(args: argparse.Namespace) -> int:
    for option, action in (("jobs", "stop"), ("json", "status"), ("follow", "logs")):
        if getattr(args, option) and args.action != action:
            raise Usage(f"--{option} goes with `roost daemon {action}`, not with {args.action}")
    actions = {"start": _start, "stop": _stop, "restart": _restart, "status": _status, "logs": _logs}
    return actions[args.action](args)


def _start(_args: argparse.Namespace) -> int:
    with Daemon(os.environ) as daemon:
        print_line(f"roostd runs (pid {daemon.ask('daemon.status')['pid']})")
    return EXIT_OK


def _stop(args: argparse.Namespace) -> int:
    print_line("roostd has stopped" if _ended(args.jobs) else "roostd was not running")
    return EXIT_OK


def _restart(args: argparse.Namespace) -> int:
    _ended(jobs=False)
    return _start(args)


def _ended(jobs: bool) -> bool:
    """Ends the daemon and waits until its process is gone. Returns whether there was one."""
    sock = find(os.environ) or wake(os.environ)
    if sock is not None:
        sock.close()
    elif not (jobs and _may_have_jobs()):
        return False
    # Jobs run on without a daemon: to end them one is started, which finds them.
    with Daemon(os.environ, start=jobs) as daemon:
        process = _Process(daemon.ask("daemon.status")["pid"])
        daemon.ask("daemon.stop", {"jobs": jobs})
        daemon.wait_for_end()
        process.wait()
    return True


def _may_have_jobs() -> bool:
    try:
        with os.scandir(os.path.join(state_dir(os.environ), "jobs")) as jobs:  # noqa: PTH118
            return any(True for _ in jobs)
    except OSError:
        return False


class _Process:
    """Another process, whose end can be waited for where the system has pidfd_open (Linux 5.3)."""

    def __init__(self, pid: int) -> None:
        try:
            self._fd = os.pidfd_open(pid)
        except (AttributeError, OSError):
            self._fd = -1

    def wait(self, within: float = 10.0) -> None:
        import select

        if self._fd >= 0:
            select.select([self._fd], [], [], within)
            os.close(self._fd)


def _status(args: argparse.Namespace) -> int:
    with Daemon(os.environ, start=False) as daemon:
        status = daemon.ask("daemon.status", timeout=30)
    if args.json:
        print_json(status)
    else:
        for line in _lines(status):
            print_line(line)
    return EXIT_OK


def _lines(status: dict[str, Any]) -> list[str]:
    jobs = status["jobs"]
    return [
        f"roostd {status['version']} runs (pid {status['pid']}), started {age(time.time() - status['started'])} ago",
        f"{jobs} live job{'' if jobs == 1 else 's'}",
        f"operator socket {status['sockets']['operator']}",
        f"agents' socket  {status['sockets']['agent']}",
    ]


def _logs(args: argparse.Namespace) -> int:
    path = daemon_log(state_dir(os.environ))
    if args.lines < 0:
        raise Usage(f"--lines: {args.lines} is below 0")
    if not os.path.exists(path):  # noqa: PTH110
        raise Unreachable(f"there is no log at {path}: no daemon has run here")
    if args.follow:
        import signal

        # Python ignores it, and tail would inherit that: an error of tail's own instead of the end by a signal.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        # tail knows how to wait for a file to grow, and to go on when the log is rotated.
        os.execvp("tail", ["tail", "-n", str(args.lines), "-F", "--", path])
    from collections import deque

    with open(path, encoding="utf-8", errors="replace") as file:
        for line in deque(file, args.lines):
            print_line(line.rstrip("\n"))
    return EXIT_OK

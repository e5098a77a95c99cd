"""The daemon's entry point: `roostd`, or `python -P -m roostd`."""

from __future__ import annotations

import argparse
import errno
import fcntl
import os
import resource
import sys
from pathlib import Path

from roost_protocol import paths
from roost_protocol.errors import RoostError
from roostd import detach, process
from roostd.environment import inherit
from roostd.version import VERSION

ALREADY = "roostd runs already"

LIMITS = ("RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_DATA", "RLIMIT_AS", "RLIMIT_NPROC")
"""What is raised as far as it goes, for the daemon, the spawner and the hosts."""

FILES = 8192
"""Descriptors, where allowed: more would cost each job's start the closing of them, where a kernel cannot close a range."""


def main() -> int:
    """Exit code 0 once the daemon serves (with `--foreground`: once it has ended), 1 with one line of why otherwise."""
    options = _options()
    _shed_job_identity()
    if options.foreground:
        tell = _say if options.ready_fd is None else detach.teller(options.ready_fd)
        return _daemon(tell)
    line = detach.detached(_daemon)
    if options.ready_fd is None:
        _say(line or "ended before it could serve; its log may say why")
    elif line:
        detach.teller(options.ready_fd)(line)
    return 0 if line == detach.READY else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="roostd", description="Runs terminal coding agents and keeps them running. `roost` starts it when it is needed."
    )
    parser.add_argument("--foreground", action="store_true", help="stay in this terminal instead of detaching from it")
    parser.add_argument("--ready-fd", type=int, metavar="N", help='write "ready", or one line of why not, to this descriptor')
    parser.add_argument("--version", action="version", version=f"roostd {VERSION}")
    return parser.parse_args()


def _shed_job_identity() -> None:
    """Starts anew without what a job's environment says, and with the mark of a daemon: it would be taken for a process of that job, and
    ended with it."""
    clean = {**inherit(os.environ), process.DAEMON_VARIABLE: "1"}
    if clean != os.environ:
        os.execve(sys.executable, [sys.executable, "-P", "-m", "roostd", *sys.argv[1:]], clean)


def _daemon(tell: detach.Tell) -> int:
    """Takes the lock and serves."""
    _raise_limits()
    os.umask(0o077)
    os.chdir("/")
    try:
        # Only now: what is imported before a fork is there twice.
        from roostd import app, directories

        state = Path(paths.state_dir(os.environ))
        directories.make_state(state)
        lock = _take_lock(state)
        try:
            app.run(state, lambda: tell(detach.READY))
        finally:
            os.close(lock)
    except RoostError as error:
        tell(error.message)
        return 1
    except OSError as error:
        tell(_cannot_start(error))
        return 1
    except Exception as error:
        tell(f"roostd failed: {type(error).__name__}: {error}")
        return 1
    return 0


def _cannot_start(error: OSError) -> str:
    where = f" ({error.filename})" if error.filename else ""
    remedy = f": make room in {paths.state_dir(os.environ)}" if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
    return f"the daemon cannot start: {error.strerror or error}{where}{remedy}"


def _raise_limits() -> None:
    """Whoever started the daemon may have limited what their own commands may use; jobs get their own caller's limits."""
    for name in LIMITS:
        number = getattr(resource, name, None)
        if number is not None:
            hard = resource.getrlimit(number)[1]
            resource.setrlimit(number, (hard, hard))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _take_lock(state: Path) -> int:
    fd = os.open(paths.daemon_lock(str(state)), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.read(fd, 32).decode("ascii", "replace").strip()
        os.close(fd)
        raise RoostError("conflict", f"{ALREADY} (pid {holder})") from None
    os.ftruncate(fd, 0)
    os.pwrite(fd, f"{os.getpid()}\n".encode("ascii"), 0)
    return fd


def _say(line: str) -> None:
    if line != detach.READY:
        sys.stderr.write(f"roostd: {line}\n")


if __name__ == "__main__":
    raise SystemExit(main())

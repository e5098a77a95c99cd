"""Starting the daemon when a command needs it and none runs.

Whoever starts one holds `start.lock`, so that two commands at once start one daemon. The daemon gets nothing of ours: no
descriptor, no terminal, no folder, and of the environment only what it needs to find its own places, and the desktop to notify on.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import sys
import time

from roost.failure import Unreachable
from roost.finding import find, read_record, runs
from roost_protocol.paths import daemon_lock, start_lock, state_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket as socket
    from collections.abc import Mapping

PATIENCE = 5.0
"""Seconds for a daemon that runs but has no socket (swept away, or it is just coming or going)."""

START_PATIENCE = 30.0
"""Seconds for a new daemon to say that it is ready."""

PAUSE = 0.02

ALLOWED = frozenset(("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "ROOST_RUNTIME_DIR", "ROOST_STATE_DIR"))
DESKTOP = frozenset(("DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"))
"""Where a notification is shown, by whatever program."""
ALLOWED_PREFIXES = ("LC_", "XDG_", "ROOST_TEST", "PYTHON")


def daemon_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What the daemon is started with: an allow-list, since it outlives its starter and is no part of the job it may be started from;
    and the mark of a daemon, by which that job's end passes it over (`roostd.process`)."""
    allowed = {name: value for name, value in environ.items() if name in ALLOWED | DESKTOP or name.startswith(ALLOWED_PREFIXES)}
    return {**allowed, "ROOST_DAEMON": "1"}


def start(environ: Mapping[str, str]) -> socket.socket:
    """A connection to a daemon that is started now, unless another command has done so. Raises `Unreachable` with what the daemon said."""
    lock = _open_lock(state_dir(environ))
    try:
        return _take(lock, environ) or wake(environ) or _start(environ)
    finally:
        os.close(lock)


def _take(lock: int, environ: Mapping[str, str]) -> socket.socket | None:
    """Takes the lock, unless a daemon is there before that. Whoever has it may have been stopped with control-z: it is not waited for."""
    deadline = time.monotonic() + START_PATIENCE
    while not (taken := _try(lock)) and time.monotonic() < deadline:
        if sock := find(environ):
            return sock
        time.sleep(PAUSE)
    if not taken:
        path = start_lock(state_dir(environ))
        raise Unreachable(f"another command has been starting the daemon for {START_PATIENCE:g} s: let it go on, or end it (it has {path})")
    return find(environ)


def _try(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _open_lock(state: str) -> int:
    path = start_lock(state)
    try:
        os.makedirs(state, 0o700, exist_ok=True)  # noqa: PTH103
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        why = error.strerror or error
        raise Unreachable(f"cannot use the state directory {state}: {why}; set ROOST_STATE_DIR to one of your own") from error


def wake(environ: Mapping[str, str]) -> socket.socket | None:
    """Asks a daemon that runs without its sockets to make them again; none if there is no such daemon."""
    state = state_dir(environ)
    deadline = time.monotonic() + PATIENCE
    asked = None
    while runs(record := read_record(state)):
        if asked != record["pid"]:
            asked = record["pid"]
            _ask_for_sockets(asked)
        if sock := find(environ):
            return sock
        if time.monotonic() > deadline:
            raise Unreachable(f"the daemon (pid {asked}) runs but cannot be reached; see `roost daemon logs`")
        # There is nothing to wait on: the socket is made by another process, in a folder that may not exist yet.
        time.sleep(PAUSE)
    return None


def _ask_for_sockets(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGUSR1)
    except ProcessLookupError:
        pass  # It has ended since: that is found out in the next round.


def _start(environ: Mapping[str, str]) -> socket.socket:
    deadline = time.monotonic() + PATIENCE
    while True:
        trouble = _launch(environ)
        if sock := find(environ):
            return sock
        # It was killed before it could be asked; or somebody else has the daemon's lock: one started by hand, which will serve at
        # once, or one that is just ending. A daemon that says what is wrong would say it again.
        if time.monotonic() > deadline or (trouble and not is_held(daemon_lock(state_dir(environ)))):
            raise Unreachable(trouble or "the daemon ends as soon as it has started; run `roostd --foreground` to see why")
        time.sleep(PAUSE)


def _launch(environ: Mapping[str, str]) -> str:
    """Starts a daemon and waits until it serves. Returns what it complained about; nothing where it serves, or died without a word."""
    if not sys.executable:
        raise Unreachable("the daemon cannot be started: Python does not know its own path")
    ready, child_end = os.pipe()
    try:
        pid = _spawn(child_end, daemon_environment(environ))
    except OSError as error:
        os.close(ready)
        raise Unreachable(f"the daemon cannot be started: {error}") from error
    finally:
        os.close(child_end)
    try:
        line = _first_line(ready)
    finally:
        os.close(ready)
    os.waitpid(pid, os.WNOHANG)
    return "" if line == "ready" else line


def _spawn(child_end: int, environ: dict[str, str]) -> int:
    _keep_descriptors_to_ourselves()
    os.set_inheritable(child_end, True)
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    argv = [sys.executable, "-P", "-m", "roostd", "--ready-fd", str(child_end)]
    defaults = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}
    return os.posix_spawn(sys.executable, argv, environ, file_actions=null, setsid=True, setsigmask=(), setsigdef=defaults)


def _keep_descriptors_to_ourselves() -> None:
    """`x=$(roost run -d -- true)` waits until nobody holds the pipe any more: what we were lent goes no further."""
    for name in os.listdir("/dev/fd"):  # noqa: PTH208
        try:
            if int(name) > 2:
                os.set_inheritable(int(name), False)
        except OSError:
            continue


def _first_line(ready: int) -> str:
    deadline = time.monotonic() + START_PATIENCE
    data = b""
    while b"\n" not in data:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([ready], [], [], left)[0]:
            return f"the daemon was not ready within {START_PATIENCE:g} s; see `roost daemon logs`"
        chunk = os.read(ready, 4096)
        if not chunk:
            break
        data += chunk
    return data.split(b"\n")[0].decode("utf-8", "replace")


def is_held(lock: str) -> bool:
    """Whether somebody has this lock."""
    try:
        fd = os.open(lock, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False
    except BlockingIOError:
        return True
    finally:
        os.close(fd)

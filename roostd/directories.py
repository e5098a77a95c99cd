"""The daemon's folders: made if they are missing, refused if somebody else could have a hand in them."""

from __future__ import annotations

import fcntl
import hashlib
import os
import stat
from pathlib import Path
from typing import Final

import msgspec

from roost_protocol import paths
from roost_protocol.decoding import MALFORMED
from roost_protocol.errors import RoostError
from roost_protocol.host import HostRecord
from roost_protocol.operator import DaemonRecord
from roostd.jobs.probe import look
from roostd.peer import answers

_WRITABLE_BY_OTHERS: Final = 0o022
_OPEN_TO_OTHERS: Final = 0o077


def make_state(path: Path) -> None:
    """The state folder and the jobs' folder in it. RoostError `refused` names what is wrong, and the remedy."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RoostError("refused", f"state directory {path}: cannot be made: {error.strerror}") from None
    _make(path, "state directory", "ROOST_STATE_DIR", _WRITABLE_BY_OTHERS)
    _make(path / "jobs", "state directory", "ROOST_STATE_DIR", _WRITABLE_BY_OTHERS)


def make_runtime(path: Path) -> None:
    """The sockets' folder and those in it; the folder above it must be there. RoostError `refused`."""
    longest = paths.host_socket(str(path), "0" * 8)
    if len(os.fsencode(longest)) > paths.MAX_SOCKET_PATH:
        raise RoostError(
            "refused",
            f"runtime directory {path}: sockets in it would have paths longer than {paths.MAX_SOCKET_PATH} bytes; "
            "set ROOST_RUNTIME_DIR to a shorter path",
        )
    for folder in (path, path / "hosts", path / "agent"):
        _make(folder, "runtime directory", "ROOST_RUNTIME_DIR", _OPEN_TO_OTHERS)


class KeptFolder:
    """A shared lock on the runtime folder, which systemd-tmpfiles honours."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd = _keep_from_sweepers(path)

    def retake(self) -> None:
        """Keeps the folder that is there now: it may have been made again."""
        before, self._fd = self._fd, _keep_from_sweepers(self._path)
        os.close(before)

    def close(self) -> None:
        os.close(self._fd)


def _keep_from_sweepers(path: Path) -> int:
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        pass  # Somebody sweeps it at this moment: SIGUSR1 brings the sockets back.
    return fd


def choose_runtime(environ: dict[str, str], uid: int, state: Path) -> Path:
    """What the person says; else where live hosts are, since the agents in them know that path; else the default.

    The default is shared by all state directories of one user (another HOME, a container's): where another one's daemon serves, ours
    has a directory beside it. The daemon's lock must be held, so that whoever answers is not of our own state directory.
    """
    default = Path(paths.runtime_dir(environ, uid))
    if environ.get("ROOST_RUNTIME_DIR"):
        return default
    previous = _previous(state)
    if previous is not None and previous != default and _has_hosts(state, previous) and _is_free(previous):
        try:
            make_runtime(previous)
        except RoostError:
            pass
        else:
            return previous
    if _is_free(default):
        return default
    return default.with_name(f"{default.name}-{hashlib.sha256(os.fsencode(state)).hexdigest()[:8]}")


def _is_free(runtime: Path) -> bool:
    return not answers(paths.operator_socket(str(runtime)))


def _previous(state: Path) -> Path | None:
    try:
        raw = Path(paths.daemon_record(str(state))).read_bytes()
        return Path(msgspec.json.decode(raw, type=DaemonRecord).runtime)
    except (OSError, *MALFORMED):
        return None


def _has_hosts(state: Path, runtime: Path) -> bool:
    founds = (look(folder, None) for folder in (state / "jobs").iterdir())
    return any(found.locked and _lies_in(found.host, runtime) for found in founds)


def _lies_in(host: HostRecord | None, runtime: Path) -> bool:
    return host is not None and Path(host.socket).is_relative_to(runtime)


def _make(path: Path, what: str, variable: str, forbidden: int) -> None:
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        pass
    except OSError as error:
        raise RoostError("refused", f"{what} {path}: cannot be made: {error.strerror}; set {variable} to a path that can") from None
    _check(path, what, variable, forbidden)


def _check(path: Path, what: str, variable: str, forbidden: int) -> None:
    found = path.lstat()
    remedy = f"set {variable} to another path, or remove it"
    if stat.S_ISLNK(found.st_mode):
        raise RoostError("refused", f"{what} {path}: is a symbolic link; {remedy}")
    if not stat.S_ISDIR(found.st_mode):
        raise RoostError("refused", f"{what} {path}: is no directory; {remedy}")
    if found.st_uid != os.getuid():
        raise RoostError("refused", f"{what} {path}: belongs to uid {found.st_uid}, not to you; {remedy}")
    mode = stat.S_IMODE(found.st_mode)
    if mode & forbidden:
        can = "write to" if forbidden == _WRITABLE_BY_OTHERS else "reach into"
        raise RoostError("refused", f"{what} {path}: has mode {mode:04o}, others can {can} it; chmod 700 {path}")

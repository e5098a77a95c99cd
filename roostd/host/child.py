"""The job's first process: how it is started on a PTY, and what of its host it must not inherit.

It gets default signal dispositions and an empty mask, IUTF8, no descriptor above 2, and the umask, folder, soft limits and environment
of whoever ran it.
"""

from __future__ import annotations

import base64
import errno
import os
import resource
import signal
import stat
import termios

from ptyprocess import PtyProcess

from roost_protocol.host import HostSpec

NOT_FOUND = 127
NOT_EXECUTABLE = 126
"""The exit codes of a shell for the same failures (POSIX, Shell Command Language, 2.8.2)."""

_IUTF8 = getattr(termios, "IUTF8", 0o40000)


class NotStarted(Exception):
    """The process could not be started: `message` is a line for a person, `exit_code` what a shell would have given."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code


def start(spec: HostSpec) -> PtyProcess:
    """The process, running its program. Keep the object for as long as the job lives, and never close or terminate it.

    Raises NotStarted.
    """
    environ = environment(spec)
    if not os.path.isdir(spec.cwd):  # noqa: PTH112 (never leave a forked copy of the host to find out)
        raise NotStarted(f"cannot run {spec.argv[0]}: its folder {spec.cwd} is not there", NOT_EXECUTABLE)
    program = find(spec.argv[0], environ.get(b"PATH", os.defpath.encode()), os.fsencode(spec.cwd))
    argv = [program, *(os.fsencode(argument) for argument in spec.argv[1:])]
    try:
        return PtyProcess.spawn(
            argv,
            cwd=os.fsencode(spec.cwd),
            env=environ,
            preexec_fn=lambda: _become(spec.umask, spec.limits),
            dimensions=(spec.rows, spec.cols),
        )
    except OSError as error:
        raise _not_started(spec.argv[0], error) from error


def environment(spec: HostSpec) -> dict[bytes, bytes]:
    """The job's variables as bytes; `environ_raw` has both sides in base64."""
    raw = {base64.b64decode(name): base64.b64decode(value) for name, value in spec.environ_raw.items()}
    return raw | {name.encode(): value.encode() for name, value in spec.environ.items()}


def find(command: str, path: bytes, cwd: bytes) -> bytes:
    """The absolute path of a program, sought in the job's own PATH and from its own folder. Raises NotStarted."""
    name = command.encode()
    folders = [b""] if b"/" in name else path.split(b":")
    candidates = [os.path.join(cwd, folder, name) for folder in folders]  # noqa: PTH118 (a path is bytes)
    for candidate in candidates:
        if _is_executable(candidate):
            return candidate
    if any(os.path.exists(candidate) for candidate in candidates):  # noqa: PTH110
        raise NotStarted(f"cannot run {command}: it is not an executable file", NOT_EXECUTABLE)
    raise NotStarted(f"command not found: {command}", NOT_FOUND)


def _is_executable(path: bytes) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode) and os.access(path, os.X_OK)  # noqa: PTH116
    except OSError:
        return False


def _not_started(command: str, error: OSError) -> NotStarted:
    why = os.strerror(error.errno) if error.errno else str(error)
    missing = error.errno == errno.ENOENT
    return NotStarted(f"cannot run {command}: {why}", NOT_FOUND if missing else NOT_EXECUTABLE)


def _become(umask: int, limits: dict[str, int]) -> None:
    """Runs in the new process, just before its program does."""
    for number in signal.valid_signals():
        try:
            signal.signal(number, signal.SIG_DFL)
        except (OSError, ValueError):
            continue
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.umask(umask)
    attributes = termios.tcgetattr(0)
    attributes[0] |= _IUTF8
    termios.tcsetattr(0, termios.TCSANOW, attributes)
    for name, value in limits.items():
        _limit(name, value)


def _limit(name: str, value: int) -> None:
    number = getattr(resource, name, None)
    if not isinstance(number, int):
        return
    hard = resource.getrlimit(number)[1]
    within = value if hard == resource.RLIM_INFINITY or 0 <= value <= hard else hard
    try:
        resource.setrlimit(number, (within, hard))
    except (OSError, ValueError):
        return

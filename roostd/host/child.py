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
import termios

from ptyprocess import PtyProcess

from roost_protocol.errors import RoostError
from roost_protocol.host import HostSpec
from roostd.commands import DEFAULT_PATH, find_command

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
    argv = [_program(spec.argv[0], environ, spec.cwd), *(os.fsencode(argument) for argument in spec.argv[1:])]
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


def _program(command: str, environ: dict[bytes, bytes], cwd: str) -> bytes:
    try:
        return os.fsencode(find_command(command, os.fsdecode(environ.get(b"PATH", b"")) or DEFAULT_PATH, cwd))
    except RoostError as error:
        raise NotStarted(error.message, NOT_FOUND if error.code == "not_found" else NOT_EXECUTABLE) from None


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

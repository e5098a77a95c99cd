"""What exactly is to be started: a launch as asked, the caller's environment and the profile make a `Start`. Pure but for the file
system's answer whether a command and a folder exist."""

from __future__ import annotations

import base64
import os
import stat
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from roost_protocol.errors import RoostError
from roost_protocol.frame import MAX_LINE
from roost_protocol.host import HostSpec
from roost_protocol.operator import Caller
from roostd import config, profiles
from roostd.environment import job_environment, parse_env_options
from roostd.jobs.record import LaunchSpec

DEFAULT_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
"""Where a command is looked for when the caller has no PATH."""

_IDENTITY: Final = 4096


@dataclass(frozen=True, slots=True)
class Start:
    """Everything but the job's identity. `environ` may hold what is not UTF-8 as surrogates, as `os.environ` does."""

    profile: profiles.Profile
    launch: profiles.Launch
    caller: Caller
    environ: Mapping[str, str]
    extra: Mapping[str, str]
    cwd: str
    mirror: str
    tasked: bool

    def spec(self, *, job: str, directory: str, socket: str, agents_door: str, token: str, token_hash: str) -> HostSpec:
        """What the host is given. Holds the token."""
        environ = job_environment(
            self.environ,
            self.profile.env,
            self.extra,
            job=job,
            token=token,
            socket=agents_door,
            pi_names=self.profile.pi,
        )
        plain = {name: value for name, value in environ.items() if _is_utf8(name) and _is_utf8(value)}
        return HostSpec(
            job=job,
            dir=directory,
            socket=socket,
            argv=self.launch.argv,
            environ=plain,
            environ_raw={_pack(name): _pack(environ[name]) for name in environ.keys() - plain.keys()},
            cwd=self.cwd,
            umask=self.caller.umask,
            limits=self.caller.limits,
            cols=self.caller.cols,
            rows=self.caller.rows,
            token_hash=token_hash,
            detection=profiles.detection(self.profile),
            typing=profiles.typing(self.profile),
            task=self.launch.typed_task,
            tasked=self.tasked,
            stop_signal=self.profile.stop,
            mirror=self.mirror,
        )


def prepare(asked: LaunchSpec, caller: Caller, cwd: str, env: list[str] | None = None, resume: str | None = None) -> Start:
    """Resolves what was asked. RoostError says which part of it cannot be: nothing has been started or kept yet.

    `resume` is a session of the agent's to open again.
    """
    environ = caller_environ(caller)
    shell = environ.get("SHELL", "")
    shell = shell if shell.startswith("/") else "/bin/sh"
    if asked.agent is None:
        profile, mirror = profiles.generic(asked.args), _mirror(environ)
        if asked.task is not None or asked.model is not None or asked.thinking is not None:
            raise RoostError("bad_request", "a bare command takes no task, model or thinking: they are a profile's")
    else:
        found = config.load(environ)
        profile, mirror = config.resolve(asked.agent, found), found.mirror
    if resume is not None:
        launch = profiles.build_resume(profile, resume, shell=shell)
    else:
        launch = profiles.build(
            profile,
            session=str(uuid.uuid4()),
            task=asked.task,
            model=asked.model,
            thinking=asked.thinking,
            extra_args=() if asked.agent is None else asked.args,
            shell=shell,
        )
    extra = parse_env_options(env or [], environ)
    _check_folder(cwd)
    path = extra.get("PATH") or profile.env.get("PATH") or environ.get("PATH") or DEFAULT_PATH
    find_command(launch.argv[0], path, cwd)
    start = Start(profile, launch, caller, environ, extra, cwd, mirror, tasked=asked.task is not None and resume is None)
    _check_size(start)
    return start


def _mirror(environ: Mapping[str, str]) -> str:
    """A bare command needs nothing of the configuration: a file that cannot be read does not stand in its way."""
    try:
        return config.load(environ).mirror
    except RoostError:
        return config.MIRRORS[0]


def caller_environ(caller: Caller) -> dict[str, str]:
    """The caller's environment as `os.environ` has it: what is not UTF-8 is there as surrogates."""
    try:
        raw = {_unpack(name): _unpack(value) for name, value in caller.environ_raw.items()}
    except ValueError as error:
        raise RoostError("bad_request", "caller.environ_raw: names and values must be base64") from error
    environ = {**caller.environ, **raw}
    for name, value in environ.items():
        if not name or "=" in name or "\0" in name or "\0" in value:
            raise RoostError("bad_request", f"caller.environ: {name!r} is no variable that a program can be given")
    return environ


def find_command(command: str, path: str, cwd: str) -> str:
    """Where the command is, as a shell in `cwd` would find it. RoostError `not_found`, or `refused` for a file that cannot be run."""
    is_path = "/" in command
    for folder in [""] if is_path else path.split(":"):
        full = os.path.join(cwd, folder, command)  # noqa: PTH118 (an empty folder means the current one)
        try:
            hindrance = _hindrance(full)
        except (OSError, ValueError):
            continue
        if hindrance is None:
            return full
        if is_path:
            raise RoostError("refused", f"cannot run {command}: it is {hindrance}")
    raise RoostError("not_found", f"command not found: {command}")


def _hindrance(path: str) -> str | None:
    """What a file is that keeps it from being run; None for a program. Raises OSError or ValueError where there is no file."""
    mode = os.stat(path).st_mode  # noqa: PTH116
    if stat.S_ISDIR(mode):
        return "a folder"
    if not stat.S_ISREG(mode):
        return "not a file"
    return None if os.access(path, os.X_OK) else "not executable"


def _check_size(start: Start) -> None:
    """A spec is one line to the spawner. What the job's identity adds to it is given room for."""
    spec = start.spec(job="", directory="", socket="", agents_door="", token="", token_hash="")
    size = len(msgspec.json.encode(spec))
    if size > MAX_LINE - _IDENTITY:
        raise RoostError("too_large", f"its arguments and environment are {size} bytes; {MAX_LINE - _IDENTITY} are the most")


def _check_folder(cwd: str) -> None:
    try:
        found = os.stat(cwd)  # noqa: PTH116
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise RoostError("bad_request", f"cannot run in {cwd}: {why}") from None
    if not stat.S_ISDIR(found.st_mode):
        raise RoostError("bad_request", f"cannot run in {cwd}: it is not a folder")
    if not os.access(cwd, os.X_OK):
        raise RoostError("bad_request", f"cannot run in {cwd}: permission denied")


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _pack(text: str) -> str:
    return base64.b64encode(os.fsencode(text)).decode("ascii")


def _unpack(text: str) -> str:
    return os.fsdecode(base64.b64decode(text, validate=True))

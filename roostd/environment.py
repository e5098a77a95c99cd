"""What a job finds in its environment. Pure: the caller's environment comes in, the job's goes out; nothing is stored.

A name is *stripped* when it speaks of the terminal or the job that roost itself was called from: passed on, it would let one
job speak for another, make an agent refuse to start inside another one, or draw for a terminal that it is not in. A name is
*forbidden* when setting it would load foreign code into the agent; one that the caller has anyway is the caller's own.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from roost_protocol.errors import RoostError

STRIPPED: Final = frozenset(
    {
        "ROOST_JOB_ID",
        "ROOST_JOB_TOKEN",
        "ROOST_SOCKET",
        "ROOST_DAEMON",
        "PI_JOB_ID",
        "PI_JOB_TOKEN",
        "PI_DAEMON_SOCK",
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CODEX_THREAD_ID",
        "TMUX",
        "TMUX_PANE",
        "STY",
        "LINES",
        "COLUMNS",
    }
)
STRIPPED_FAMILIES: Final = ("TERM_PROGRAM", "KITTY_", "VTE_")
FORBIDDEN: Final = frozenset({"LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"})
TERMINAL: Final = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
"""What roost's terminal is, whatever it is shown in."""


def is_stripped(name: str) -> bool:
    """Whether a job never inherits this variable."""
    return name in STRIPPED or name.startswith(STRIPPED_FAMILIES)


def refusal(name: str) -> str | None:
    """Why a profile or `--env` may not set this variable; None when it may."""
    if not name or "=" in name or "\0" in name:
        return f"{name!r} is no name of an environment variable"
    if is_stripped(name):
        return f"{name} belongs to the terminal or job that roost runs in; a job never gets it"
    if name in FORBIDDEN:
        return f"{name} would load other code into the agent; it may not be set"
    if name in TERMINAL:
        return f"{name} is always {TERMINAL[name]}, since roost is the job's terminal"
    return None


def inherit(environ: Mapping[str, str]) -> dict[str, str]:
    """The caller's environment without what is stripped. Everything else stays, ROOST_STATE_DIR as much as LD_PRELOAD."""
    return {name: value for name, value in environ.items() if not is_stripped(name)}


def parse_env_option(option: str, caller: Mapping[str, str]) -> tuple[str, str]:
    """`NAME=VALUE`, or `NAME` for the value that the caller has; the pair. RoostError `bad_request` says what is wrong."""
    name, equals, value = option.partition("=")
    if why := refusal(name):
        raise RoostError("bad_request", f"--env: {why}")
    if "\0" in value:
        raise RoostError("bad_request", f"--env: the value of {name} has a NUL in it")
    if equals:
        return name, value
    if name not in caller:
        raise RoostError("bad_request", f"--env: {name} is not set here; write {name}=VALUE")
    return name, caller[name]


def parse_env_options(options: Iterable[str], caller: Mapping[str, str]) -> dict[str, str]:
    """All `--env` options; a later one of the same name wins."""
    return dict(parse_env_option(option, caller) for option in options)


def job_environment(
    caller: Mapping[str, str],
    profile_env: Mapping[str, str],
    extra_env: Mapping[str, str],
    *,
    job: str,
    token: str,
    socket: str,
    pi_names: bool,
) -> dict[str, str]:
    """A job's whole environment: the caller's, then the profile's, then `--env`, then what roost decides.

    `socket` is the agents' door. `pi_names` gives the job's identity under its older names as well. The result holds the
    token: it goes to the host and nowhere else. RoostError `bad_request` names a variable that may not be set.
    """
    for name in (*profile_env, *extra_env):
        if why := refusal(name):
            raise RoostError("bad_request", f"environment: {why}")
    identity = {"ROOST_JOB_ID": job, "ROOST_JOB_TOKEN": token, "ROOST_SOCKET": socket}
    if pi_names:
        identity |= {"PI_JOB_ID": job, "PI_JOB_TOKEN": token, "PI_DAEMON_SOCK": socket}
    return {**inherit(caller), **profile_env, **extra_env, **TERMINAL, **identity}

"""Where things lie: pure functions of an environment. Standard library only.

State (durable) is `$ROOST_STATE_DIR`, else `$XDG_STATE_HOME/roost`, else `~/.local/state/roost`. Sockets (swept at logout) are in
`$ROOST_RUNTIME_DIR`, else `$XDG_RUNTIME_DIR/roost`, else `/tmp/roost-<uid>`. The XDG base directory specification has relative
values ignored; a relative `ROOST_*` value is an error, since somebody meant it.
"""

from __future__ import annotations

from collections.abc import Mapping

from roost_protocol.errors import RoostError

MAX_SOCKET_PATH = 100
"""Bytes. The kernel takes 107 on Linux and 103 elsewhere."""


def state_dir(environ: Mapping[str, str]) -> str:
    """The state directory; not made, not checked."""
    own = _own(environ, "ROOST_STATE_DIR")
    base = environ.get("XDG_STATE_HOME", "")
    return _utf8(own or f"{base if base.startswith('/') else _home(environ) + '/.local/state'}/roost", "ROOST_STATE_DIR")


def runtime_dir(environ: Mapping[str, str], uid: int) -> str:
    """The directory of the sockets; not made, not checked."""
    own = _own(environ, "ROOST_RUNTIME_DIR")
    base = environ.get("XDG_RUNTIME_DIR", "")
    return _utf8(own or (f"{base}/roost" if base.startswith("/") else f"/tmp/roost-{uid}"), "ROOST_RUNTIME_DIR")


def operator_socket(runtime: str) -> str:
    """The person's door."""
    return f"{runtime}/roostd.sock"


def agent_socket(runtime: str) -> str:
    """The agents' door, in a folder of its own that a container can mount."""
    return f"{runtime}/agent/agent.sock"


def host_socket(runtime: str, job: str) -> str:
    """One PTY host's socket."""
    return f"{runtime}/hosts/{job}.sock"


def daemon_record(state: str) -> str:
    """What a running daemon says of itself (`operator.DaemonRecord`)."""
    return f"{state}/roostd.json"


def daemon_lock(state: str) -> str:
    """Held (flock) by the daemon for its whole life."""
    return f"{state}/roostd.lock"


def start_lock(state: str) -> str:
    """Held (flock) by a client while it starts a daemon, so that two commands at once start one."""
    return f"{state}/start.lock"


def daemon_log(state: str) -> str:
    """JSON, one object a line."""
    return f"{state}/roostd.log"


def _own(environ: Mapping[str, str], name: str) -> str:
    value = environ.get(name, "")
    if value and not value.startswith("/"):
        raise RoostError("bad_request", f"{name} is {value!r}: it must be an absolute path")
    return value.rstrip("/") or value


def _utf8(path: str, name: str) -> str:
    """The same path: both sides tell each other where they are, in UTF-8."""
    try:
        path.encode()
    except UnicodeEncodeError:
        raise RoostError("bad_request", f"the directory {path!r} is not UTF-8: set {name} to one that is") from None
    return path


def _home(environ: Mapping[str, str]) -> str:
    home = environ.get("HOME", "")
    if not home.startswith("/"):
        raise RoostError("bad_request", "HOME is not set: set HOME or ROOST_STATE_DIR to an absolute path")
    return home.rstrip("/")

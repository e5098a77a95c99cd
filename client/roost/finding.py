"""Where the daemon is: where its record says, else where the person says.

The record comes first because a daemon's runtime directory is the one of whoever started it: cron, su and a second login
have another one, and must find the same daemon. The default runtime directory says nothing: all state directories of a user share it.
"""

from __future__ import annotations

import json
import os

from roost.failure import Unreachable
from roost.stream import connect
from roost_protocol.paths import MAX_SOCKET_PATH, daemon_record, operator_socket, runtime_dir, state_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket as socket
    from collections.abc import Mapping
    from typing import Any


def read_record(state: str) -> dict[str, Any]:
    """What the daemon wrote of itself (`operator.DaemonRecord` as a dict); empty where there is nothing to be believed."""
    try:
        with open(daemon_record(state), "rb") as file:
            record = json.loads(file.read())
    except (OSError, ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def places(environ: Mapping[str, str]) -> list[str]:
    """The operator sockets to try, in order, each once.

    A record whose process has ended is not followed: another state directory's daemon may listen at the same path by now.
    """
    record = read_record(state_dir(environ))
    sockets = record.get("sockets")
    recorded = sockets.get("operator") if isinstance(sockets, dict) else None
    told = operator_socket(runtime_dir(environ, os.getuid())) if environ.get("ROOST_RUNTIME_DIR") else None
    believed = [recorded] if isinstance(recorded, str) and _is_socket_path(recorded) and (record.get("start") == 0 or runs(record)) else []
    return [*believed, *([told] if told is not None and told not in believed else [])]


def _is_socket_path(path: str) -> bool:
    """Whether a daemon can have written this as its socket's path: absolute, UTF-8, and one that the kernel takes."""
    try:
        return path.startswith("/") and "\0" not in path and len(path.encode()) <= MAX_SOCKET_PATH
    except UnicodeEncodeError:
        return False


def find(environ: Mapping[str, str]) -> socket.socket | None:
    """A connection to the running daemon, or none where nobody listens. Raises `Unreachable` for a foreign or forbidden socket."""
    for path in places(environ):
        try:
            return connect(path)
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            continue
        except OSError as error:
            raise Unreachable(f"cannot connect to {path}: {error.strerror or error}") from error
    return None


def runs(record: dict[str, Any]) -> bool:
    """Whether the process that wrote this record still runs. A pid alone proves nothing: it must have the start time and the boot."""
    pid, start, boot = record.get("pid"), record.get("start"), record.get("boot")
    if not (isinstance(pid, int) and pid > 0 and isinstance(start, int) and start > 0):
        return False
    return boot == boot_id() and start == start_time(pid)


def boot_id() -> str | None:
    """This boot of the machine, on Linux."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return None


def start_time(pid: int) -> int | None:
    """Clock ticks after boot at which a live process started (proc_pid_stat(5), field 22); none for a zombie or where there is no /proc."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            stat = file.read()
    except OSError:
        return None
    # The name in field 2 may hold spaces and parentheses: the fields count from behind the last one.
    fields = stat[stat.rindex(b")") + 2 :].split()
    return None if fields[0] in (b"Z", b"X") else int(fields[19])

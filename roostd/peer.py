"""Who is on the other end of a unix socket."""

from __future__ import annotations

import os
import socket
import sys

_PEERCRED: int | None = getattr(socket, "SO_PEERCRED", None)
_LOCAL_PEERCRED = 1  # of level 0 (SOL_LOCAL): macOS and the BSDs, <sys/un.h>


def peer_uid(connection: socket.socket) -> int | None:
    """The user the peer had when it connected (struct ucred: pid, uid, gid; xucred: version, uid, ...); None where it cannot be told."""
    try:
        if _PEERCRED is not None:
            data = connection.getsockopt(socket.SOL_SOCKET, _PEERCRED, 12)
        else:
            data = connection.getsockopt(0, _LOCAL_PEERCRED, 76)
    except OSError:
        return None
    return int.from_bytes(data[4:8], sys.byteorder)


def is_ours(connection: socket.socket) -> bool:
    """Whether the peer is this user: root is another one."""
    return peer_uid(connection) == os.getuid()


def answers(path: str) -> bool:
    """Whether somebody listens at a unix socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        try:
            probe.connect(path)
        except BlockingIOError:  # a queue that is full is somebody's
            return True
        except OSError:
            return False
        return True

"""Who is on the other end of a unix socket."""

from __future__ import annotations

import os
import socket
import struct
import sys

_XUCRED = struct.Struct("IIh16I")
_LOCAL_PEERCRED = 1


def peer_uid(connection: socket.socket) -> int | None:
    """The user the peer had when it connected; None where the system does not tell."""
    try:
        if sys.platform == "linux":
            raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
            return int(struct.unpack("3i", raw)[1])
        raw = connection.getsockopt(0, _LOCAL_PEERCRED, _XUCRED.size)
        return int(_XUCRED.unpack(raw.ljust(_XUCRED.size, b"\0"))[1])
    except OSError:
        return None


def is_ours(connection: socket.socket) -> bool:
    """Whether the peer is this user: root is another one."""
    return peer_uid(connection) == os.getuid()

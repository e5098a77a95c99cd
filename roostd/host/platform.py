"""What Linux offers and other systems may not: adopting orphans, naming a process, and who is at the other end of a socket."""

from __future__ import annotations

import ctypes
import os
import socket
import struct
import sys

_SET_NAME, _SET_CHILD_SUBREAPER = 15, 36  # linux/prctl.h
_UCRED = struct.Struct("3i")  # struct ucred: pid, uid, gid
_XUCRED = struct.Struct("2I")  # struct xucred begins with version and uid
_LOCAL_PEERCRED = 1

_prctl = getattr(ctypes.CDLL(None, use_errno=True), "prctl", None) if sys.platform == "linux" else None


def adopt_orphans() -> bool:
    """Make this process the parent of whatever its descendants leave behind; False where the system has no such thing."""
    return _prctl is not None and _prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def set_name(name: str) -> None:
    """The name that `ps` and `top` show, at most 15 bytes."""
    if _prctl is not None:
        _prctl(_SET_NAME, name.encode()[:15], 0, 0, 0)


def is_ours(peer: socket.socket) -> bool:
    """Whether the process that made this unix connection has our user id. False where the system cannot tell."""
    try:
        if hasattr(socket, "SO_PEERCRED"):
            raw = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
            return bool(_UCRED.unpack(raw)[1] == os.geteuid())
        raw = peer.getsockopt(0, _LOCAL_PEERCRED, 76)
        return bool(_XUCRED.unpack_from(raw)[1] == os.geteuid())
    except OSError:
        return False

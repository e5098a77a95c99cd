"""The host's socket: made, and made again when its folder was swept."""

from __future__ import annotations

import os
import socket

BACKLOG = 64


def listen(path: str) -> socket.socket:
    """A listening socket at `path`, 0600, in place of a stale one; its folder is made, 0700, if it was swept. Raises OSError."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)  # noqa: PTH103, PTH120 (pathlib would cost each host pages of its own)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.setblocking(False)
    before = os.umask(0o177)
    try:
        remove(path)
        listener.bind(path)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    finally:
        os.umask(before)
    return listener


def remove(path: str) -> None:
    """Take the socket file away, if it is there."""
    try:
        os.unlink(path)  # noqa: PTH108
    except OSError:
        return

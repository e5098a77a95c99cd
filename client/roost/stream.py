"""A unix socket that carries one JSON object a line, and the check of who listens on it.

Dicts, not structs: a hot verb may not pay for importing the schema. A test holds what is sent here against it.
"""

from __future__ import annotations

# The C part of `socket` is all that is used; the rest of it (enums, selectors) takes as long to import as `roost ls` may add.
import _socket as socket
import json
import os
import sys

from roost.failure import Unreachable
from roost_protocol.frame import LineReader, TooLong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST_ANSWER = 64 * 1024 * 1024
"""Bytes. An answer with much history in it is long; a peer that never ends a line still ends somewhere."""

_PEER_CREDENTIALS = getattr(socket, "SO_PEERCRED", None)
_LOCAL_PEERCRED = 1  # of level 0 (SOL_LOCAL): macOS and the BSDs, <sys/un.h>


class Lost(Exception):
    """The other side closed the stream, or went away."""


class Stream:
    """One connection. `receive` gives objects in order."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self._reader = LineReader(LONGEST_ANSWER)
        self._lines: list[bytes] = []

    def send(self, *messages: dict[str, Any]) -> None:
        """Sends the messages in one write. Raises `Lost`."""
        data = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
        try:
            self.sock.sendall(data)
        except OSError as error:
            raise Lost(str(error)) from error

    def receive(self, within: float | None = None, output: int | None = None) -> dict[str, Any]:
        """The next object. Raises `Lost` at the end of the stream, TimeoutError after `within` seconds of silence.

        Who waits without an end, to write to the descriptor `output` what comes, names it: BrokenPipeError is raised as
        soon as nobody reads there any more, and not when the next object comes.
        """
        while not self._lines:
            if output is not None:
                _wait_while_read(self.sock, output)
            self.sock.settimeout(within)
            self._lines = self._more()
        line = self._lines.pop(0)
        try:
            value = json.loads(line)
        except ValueError as error:
            raise Unreachable(f"the other side sent what is not JSON, {line[:60]!r}: roost and roostd do not fit") from error
        if not isinstance(value, dict):
            raise Unreachable("the other side sent a line that is no object: roost and roostd do not fit")
        return value

    def close(self) -> None:
        self.sock.close()

    def _more(self) -> list[bytes]:
        try:
            data = self.sock.recv(262_144)
        except (TimeoutError, BlockingIOError):
            raise TimeoutError from None
        except OSError as error:
            raise Lost(str(error)) from error
        if not data:
            raise Lost("the stream ended")
        try:
            return self._reader.feed(data)
        except TooLong as error:
            raise Unreachable(f"the daemon's answer is too long: {error}") from error


def _wait_while_read(sock: socket.socket, output: int) -> None:
    """Returns when there is something to receive. Raises BrokenPipeError when the other end of `output` is closed."""
    import select

    poll = select.poll()
    poll.register(sock, select.POLLIN)
    poll.register(output, 0)  # POLLERR and POLLHUP come unasked: poll(2).
    while True:
        ready = dict(poll.poll())
        if ready.get(output, 0) & (select.POLLERR | select.POLLHUP):
            raise BrokenPipeError
        if sock.fileno() in ready:
            return
        # What else is said of it is that it cannot be polled, as macOS does of devices: then it is written to and seen.
        poll.unregister(output)


def connect(path: str) -> socket.socket:
    """Connects to the unix socket at `path`, close-on-exec, and checks that our own user listens there.

    Raises OSError where nobody listens, `Unreachable` where somebody else does.
    """
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        sock.connect(path)
        owner = peer_uid(sock)
        if owner != os.getuid():
            raise Unreachable(f"the socket {path} belongs to user {owner}, not to you: refused; remove it or set ROOST_RUNTIME_DIR")
    except BaseException:
        sock.close()
        raise
    return sock


def peer_uid(sock: socket.socket) -> int:
    """The user who listens at the other end (SO_PEERCRED `pid, uid, gid`; LOCAL_PEERCRED `version, uid, ...`)."""
    if _PEER_CREDENTIALS is not None:
        data = sock.getsockopt(socket.SOL_SOCKET, _PEER_CREDENTIALS, 12)
    else:
        data = sock.getsockopt(0, _LOCAL_PEERCRED, 76)
    return int.from_bytes(data[4:8], sys.byteorder)

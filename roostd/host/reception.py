"""Who comes to the host's socket: only our own user, who says in the first line whether it is the daemon or a terminal."""

from __future__ import annotations

import socket
from collections.abc import Callable

import msgspec

from roost_protocol.decoding import MALFORMED
from roost_protocol.host import PROTOCOL, AttachHello, FirstLine, HostRefusal, Link
from roostd.host import door
from roostd.host.connection import Connection
from roostd.host.loop import Loop
from roostd.peer import is_ours

FIRST_LINE = 64 * 1024
"""Bytes of a first line at most."""

WAITING = 64
"""Peers that have not said who they are; over it the oldest is closed."""

_DECODER = msgspec.json.Decoder(FirstLine)  # built before the fork, and so shared


class Reception:
    """Accepts, checks, reads the first line, and gives the connection to `on_link` or `on_terminal`."""

    def __init__(
        self,
        loop: Loop,
        listener: socket.socket,
        path: str,
        on_link: Callable[[Connection, bytes], None],
        on_terminal: Callable[[Connection, AttachHello, bytes], None],
    ) -> None:
        self._loop = loop
        self._path = path
        self._on_link = on_link
        self._on_terminal = on_terminal
        self._waiting: list[Connection] = []
        self._listener = listener
        loop.watch(listener.fileno(), self._accept)

    def make_again(self) -> None:
        """The socket's folder was swept: listen anew under the same path."""
        try:
            listener = door.listen(self._path)
        except OSError:
            return  # Whoever asked sees that nothing is there, and may ask again.
        self._loop.watch(self._listener.fileno(), None)
        self._listener.close()
        self._listener = listener
        self._loop.watch(listener.fileno(), self._accept)

    def close(self) -> None:
        self._loop.watch(self._listener.fileno(), None)
        self._listener.close()
        for connection in self._waiting:
            connection.close()
        door.remove(self._path)

    def _accept(self) -> None:
        try:
            peer, _ = self._listener.accept()
        except OSError:
            return
        connection = Connection(self._loop, peer)
        if not is_ours(peer):
            _refuse(connection, HostRefusal("unauthorized", "this job belongs to another user"))
            return
        said = bytearray()
        connection.on_data = lambda data: self._listen(connection, said, data)
        connection.on_end = lambda: self._waiting.remove(connection)
        self._waiting.append(connection)
        if len(self._waiting) > WAITING:
            self._waiting.pop(0).close()

    def _listen(self, connection: Connection, said: bytearray, data: bytes) -> None:
        said += data
        line, newline, rest = said.partition(b"\n")
        if newline or len(said) > FIRST_LINE:
            self._waiting.remove(connection)
            self._introduce(connection, bytes(line), bytes(rest))

    def _introduce(self, connection: Connection, line: bytes, rest: bytes) -> None:
        connection.on_end = connection.close
        if len(line) > FIRST_LINE:
            _refuse(connection, HostRefusal("too_large", f"the first line is longer than {FIRST_LINE} bytes"))
            return
        try:
            who = _DECODER.decode(line)
        except MALFORMED as error:
            _refuse(connection, HostRefusal("bad_request", f"the first line must be a link or an attach: {error}"))
            return
        if who.protocol < 1:
            _refuse(connection, HostRefusal("unsupported", f"this host speaks protocol 1 to {PROTOCOL}, not {who.protocol}"))
        elif isinstance(who, Link):
            self._on_link(connection, rest)
        else:
            self._on_terminal(connection, who, rest)


def _refuse(connection: Connection, refusal: HostRefusal) -> None:
    connection.send(msgspec.json.encode(refusal) + b"\n")
    connection.close_when_sent()

"""One accepted connection: non-blocking both ways, with a queue for what the peer has not read yet."""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Callable

from roostd.host.loop import Loop

CHUNK = 65536


class Connection:
    """`on_data` gets what came, `on_end` is called once when the peer is gone, `on_drained` when all that was queued is sent.

    `queued` is bytes. Nothing here blocks or raises for what a peer does.
    """

    __slots__ = ("_chunks", "_closing", "_deaf", "_loop", "_paused", "_socket", "on_data", "on_drained", "on_end", "open", "queued")

    def __init__(self, loop: Loop, peer: socket.socket) -> None:
        peer.setblocking(False)
        self._loop = loop
        self._socket = peer
        self._chunks: deque[memoryview] = deque()
        self._paused = False
        self._closing = False
        self._deaf = False
        self.open = True
        self.queued = 0
        self.on_data: Callable[[bytes], None] = _ignore
        self.on_end: Callable[[], None] = _nothing
        self.on_drained: Callable[[], None] = _nothing
        self._watch()

    def send(self, data: bytes) -> None:
        """At once as far as the peer takes it; the rest is queued."""
        if not self.open or self._deaf:
            return
        sent = 0
        if not self._chunks:
            try:
                sent = self._socket.send(data)
            except BlockingIOError:
                pass
            except OSError:
                self._give_up_sending()
                return
        if sent < len(data):
            self._chunks.append(memoryview(data)[sent:])
            self.queued += len(data) - sent
            if len(self._chunks) == 1:
                self._watch()

    def drop_queue(self) -> None:
        """Forget what is queued, but for the rest of what the peer has begun to read."""
        while len(self._chunks) > 1:
            self.queued -= len(self._chunks.pop())

    def pause(self, paused: bool) -> None:
        """Stop reading, so that the peer is slowed down; or go on."""
        if paused != self._paused and self.open:
            self._paused = paused
            self._watch()

    def close(self) -> None:
        """Close at once; `on_end` is not called."""
        if self.open:
            self.open = False
            self._loop.watch(self._socket.fileno(), None)
            self._socket.close()
            self._chunks.clear()
            # Whoever listened holds this connection too: without this every terminal that ever attached would stay in memory.
            self.on_data, self.on_end, self.on_drained = _ignore, _nothing, _nothing

    def close_when_sent(self) -> None:
        """Take nothing more, send what is queued, then close."""
        self._closing = True
        self._paused = True
        if self._chunks:
            self._watch()
        else:
            self.close()

    def _watch(self) -> None:
        read = None if self._paused else self._read
        self._loop.watch(self._socket.fileno(), read, self._write if self._chunks else None)

    def _read(self) -> None:
        try:
            data = self._socket.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self.on_data(data)
        else:
            self._end()

    def _write(self) -> None:
        while self._chunks:
            chunk = self._chunks[0]
            try:
                sent = self._socket.send(chunk)
            except BlockingIOError:
                return
            except OSError:
                self._give_up_sending()
                return
            self.queued -= sent
            if sent < len(chunk):
                self._chunks[0] = chunk[sent:]
                return
            self._chunks.popleft()
        self._watch()
        if self._closing:
            self.close()
        else:
            self.on_drained()

    def _give_up_sending(self) -> None:
        """The peer reads no more, but what it said before may still wait to be read; its end comes behind that."""
        self._deaf = True
        self._chunks.clear()
        self.queued = 0
        if self._closing:
            self.close()
        else:
            self._paused = False
            self._watch()

    def _end(self) -> None:
        if self.open:
            on_end = self.on_end
            self.close()
            on_end()


def _ignore(data: bytes) -> None:
    """Nobody listens yet."""


def _nothing() -> None:
    """Nobody listens yet."""

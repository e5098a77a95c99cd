"""One accepted connection: non-blocking both ways, with a queue for what the peer has not read yet."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from select import poll

from roostd.host.loop import Loop
from roostd.host.outbox import Outbox

CHUNK = 65536


class Connection:
    """`on_data` gets what came, `on_end` is called once when the peer is gone, `on_drained` when all that was queued is sent.

    `queued` is bytes. Nothing here blocks or raises for what a peer does.
    """

    __slots__ = (
        "_closing",
        "_deaf",
        "_descriptor",
        "_loop",
        "_outbox",
        "_paused",
        "_receive",
        "_socket",
        "on_data",
        "on_drained",
        "on_end",
        "open",
    )

    def __init__(self, loop: Loop, peer: socket.socket) -> None:
        peer.setblocking(False)
        self._loop = loop
        self._socket = peer
        self._outbox = Outbox()
        self._receive: Callable[[int], bytes] = peer.recv
        self._descriptor: int | None = None
        self._paused = False
        self._closing = False
        self._deaf = False
        self.open = True
        self.on_data: Callable[[bytes], None] = _ignore
        self.on_end: Callable[[], None] = _nothing
        self.on_drained: Callable[[], None] = _nothing
        self._watch()

    @property
    def queued(self) -> int:
        return self._outbox.queued

    def send(self, data: bytes) -> None:
        """At once as far as the peer takes it; the rest is queued."""
        if not self.open or self._deaf:
            return
        sent = 0
        if not self._outbox.queued:
            try:
                sent = self._socket.send(data)
            except BlockingIOError:
                pass
            except OSError:
                self._give_up_sending()
                return
        if sent < len(data):
            first = not self._outbox.queued
            self._outbox.add(memoryview(data)[sent:])
            if first:
                self._watch()

    @property
    def hung_up(self) -> bool:
        """Whether the peer has gone, though what it said before may still wait to be read."""
        hung_up = poll()
        hung_up.register(self._socket.fileno(), 0)
        return bool(hung_up.poll(0))

    @property
    def gone(self) -> int:
        """Bytes that were queued and are no more."""
        return self._outbox.gone

    def drop_queue(self) -> None:
        """Forget what is queued, but for the rest of what the peer has begun to read."""
        self._outbox.drop()

    def expect_descriptor(self) -> None:
        """One descriptor may come with the data; `take_descriptor` then has it."""
        self._receive = self._receive_with_descriptor

    def take_descriptor(self) -> int | None:
        """The descriptor that came last, which the caller now owns."""
        descriptor, self._descriptor = self._descriptor, None
        return descriptor

    def pause(self, paused: bool) -> None:
        """Stop reading, so that the peer is slowed down, until it has gone; or go on."""
        if paused != self._paused and self.open:
            self._paused = paused
            self._watch()

    def close(self) -> None:
        """Close at once; `on_end` is not called."""
        if self.open:
            self.open = False
            self._loop.watch(self._socket.fileno(), None)
            self._socket.close()
            self._outbox.clear()
            self._drop_descriptor()
            # Whoever listened holds this connection too: without this every terminal that ever attached would stay in memory.
            self.on_data, self.on_end, self.on_drained, self._receive = _ignore, _nothing, _nothing, self._socket.recv

    def close_when_sent(self) -> None:
        """Take nothing more, send what is queued, then close."""
        self._closing = True
        self._paused = True
        if self._outbox.queued:
            self._watch()
        else:
            self.close()

    def _watch(self) -> None:
        self._loop.watch(self._socket.fileno(), self._read, self._write if self._outbox.queued else None, paused=self._paused)

    def _read(self) -> None:
        try:
            data = self._receive(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self.on_data(data)
        else:
            self._end()

    def _receive_with_descriptor(self, size: int) -> bytes:
        data, descriptors, _, _ = socket.recv_fds(self._socket, size, 1)
        for descriptor in descriptors:
            os.set_inheritable(descriptor, False)
            self._drop_descriptor()
            self._descriptor = descriptor
            self._receive = self._socket.recv
        return data

    def _drop_descriptor(self) -> None:
        descriptor = self.take_descriptor()
        if descriptor is not None:
            os.close(descriptor)

    def _write(self) -> None:
        try:
            self._outbox.pour(self._socket.send)
        except OSError:
            self._give_up_sending()
            return
        if self._outbox.queued:
            return
        self._watch()
        if self._closing:
            self.close()
        else:
            self.on_drained()

    def _give_up_sending(self) -> None:
        """The peer reads no more, but what it said before may still wait to be read; its end comes behind that."""
        self._deaf = True
        self._outbox.clear()
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

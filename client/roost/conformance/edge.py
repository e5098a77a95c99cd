"""All sockets and pipes of one scenario, in one loop. What is read goes to the daemon and the driver, what they want sent is written."""

from __future__ import annotations

import os
import selectors
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from roost.conformance.broken import Broken
from roost.conformance.daemon import Connection, Daemon
from roost.conformance.driver import Driver

CHUNK: Final = 65536


class Edge:
    """The daemon's socket at `path`, its connections, and the driver's pipes."""

    def __init__(self, daemon: Daemon, path: str) -> None:
        self._daemon = daemon
        self._path = path
        self._listener: socket.socket | None = None
        self._open: dict[Connection, socket.socket] = {}
        self._newest: Connection | None = None
        self.driver: Driver | None = None
        self.reading = True
        self.connected: list[float] = []
        """When each connection was made, by `time.monotonic`."""

    @property
    def connection(self) -> Connection | None:
        """The newest connection, while it is open."""
        return self._newest if self._newest in self._open else None

    def listen(self) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self._path)
        self._listener.listen(128)
        self._listener.setblocking(False)

    def close(self) -> None:
        """No daemon is there any more."""
        for connection in list(self._open):
            self.cut(connection)
        if self._listener is not None:
            self._listener.close()
            self._listener = None
            os.unlink(self._path)  # noqa: PTH108

    def cut(self, connection: Connection) -> None:
        if connection in self._open:
            self._open.pop(connection).close()

    def pump(self, until: Callable[[], bool], within: float) -> bool:
        """Reads and writes until something is so, for at most so many seconds. Whether it is. Raises `Broken`."""
        deadline = time.monotonic() + within
        while not until():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            self._once(left)
        return True

    def _once(self, within: float) -> None:
        with selectors.DefaultSelector() as selector:
            if self._listener is not None:
                selector.register(self._listener, selectors.EVENT_READ, self._accept)
            for connection, sock in self._open.items():
                events = (selectors.EVENT_READ if self.reading else 0) | (selectors.EVENT_WRITE if connection.out else 0)
                if events:
                    selector.register(sock, events, connection)
            self._register_driver(selector)
            if not selector.get_map():
                time.sleep(within)
                return
            # Connections before the listener: who cuts one and makes another has done it in this order.
            ready = sorted(selector.select(within), key=lambda event: event[0].fileobj is self._listener)
        for key, events in ready:
            if isinstance(key.data, Connection):
                self._serve(key.data, events)
            else:
                key.data()

    def _register_driver(self, selector: selectors.BaseSelector) -> None:
        driver = self.driver
        if driver is None:
            return
        if not driver.ended:
            selector.register(driver.stdout, selectors.EVENT_READ, lambda: driver.feed(_read(driver.stdout.fileno())))
            if not driver.silent:
                selector.register(driver.stderr, selectors.EVENT_READ, lambda: driver.complain(_read(driver.stderr.fileno())))
        if driver.out and not driver.ended:
            selector.register(driver.stdin, selectors.EVENT_WRITE, self._tell)

    def _tell(self) -> None:
        assert self.driver is not None
        try:
            del self.driver.out[: os.write(self.driver.stdin.fileno(), self.driver.out[:CHUNK])]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self.driver.out.clear()

    def _accept(self) -> None:
        assert self._listener is not None
        try:
            sock, _ = self._listener.accept()
        except BlockingIOError:
            return
        self.connected.append(time.monotonic())
        if self._daemon.refusing == "connection":
            sock.close()
            return
        sock.setblocking(False)
        for before in list(self._open):
            if self.reading:
                self._read_all(before)
        if self._open and self.reading:
            sock.close()
            raise Broken("a second connection was made beside the first: a client has one at a time")
        self._newest = connection = Connection()
        self._open[connection] = sock

    def _read_all(self, connection: Connection) -> None:
        """What came before another connection did, its end too."""
        while connection in self._open and self._receive(connection):
            pass

    def _serve(self, connection: Connection, events: int) -> None:
        if events & selectors.EVENT_WRITE and connection.out and connection in self._open:
            self._write(connection)
        if events & selectors.EVENT_READ and connection in self._open:
            self._receive(connection)
        if connection.ending and not connection.out:
            self.cut(connection)

    def _write(self, connection: Connection) -> None:
        piece = connection.out.popleft()
        try:
            sent = self._open[connection].send(piece)
        except BlockingIOError:
            sent = 0
        except OSError:
            connection.out.clear()
            self._receive(connection)
            self.cut(connection)
            return
        if sent < len(piece):
            connection.out.appendleft(piece[sent:])

    def _receive(self, connection: Connection) -> bool:
        """Whether there may be more to read."""
        try:
            data = self._open[connection].recv(CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if data:
            self._daemon.feed(connection, data)
        else:
            self.cut(connection)
        return bool(data)


def _read(fd: int) -> bytes:
    with suppress(OSError):
        return os.read(fd, CHUNK)
    return b""

"""An agents' door that does what a test tells it: each connection is the test's own to answer, or to leave alone."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.daemon import Wire
from tests.support.waiting import DEADLINE

TOKEN = "s3cret-t0ken"
GRANTED = ["report", "replies"]


class Taken(Wire):
    """One agent's connection, seen from the door."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.socket.settimeout(DEADLINE)
        self._file = connection.makefile("rb")

    def greet(self, last_seq: int = 0, granted: list[str] = GRANTED) -> dict[str, Any]:
        hello = self.expect(type="hello")
        daemon = {"name": "roostd", "version": "9"}
        self.send(
            {"type": "hello", "protocol": 1, "daemon": daemon, "job": {}, "granted": granted, "capabilities": granted, "last_seq": last_seq}
        )
        return hello

    def acked(self, **fields: object) -> dict[str, Any]:
        """The next message, a report, which is acked."""
        report = self.expect(type="report", **fields)
        self.send({"type": "ack", "seq": report["seq"]})
        return report

    def reply(self, n: int, text: str, **more: object) -> None:
        self.send({"type": "reply", "n": n, "kind": "reply", "text": text, "from": "operator", **more})


class Door:
    def __init__(self, path: Path, job: str) -> None:
        self.path = path
        self.environ = {"ROOST_SOCKET": str(path), "ROOST_JOB_ID": job, "ROOST_JOB_TOKEN": TOKEN}
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._taken: list[Taken] = []

    def take(self, within: float = DEADLINE) -> Taken:
        """The next connection. Raises TimeoutError."""
        self._listener.settimeout(within)
        made = Taken(self._listener.accept()[0])
        self._taken.append(made)
        return made

    def shut(self) -> None:
        """As a daemon that was killed: its socket stays and nobody is behind it."""
        for taken in self._taken:
            taken.close()
        self._listener.close()


@contextmanager
def opened(path: Path, job: str = "0a1b2c3d") -> Iterator[Door]:
    door = Door(path, job)
    try:
        yield door
    finally:
        door.shut()

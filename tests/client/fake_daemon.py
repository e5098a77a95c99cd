"""A daemon that answers as a test tells it to, on a real socket."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

Json = dict[str, Any]
CLOSE = object()
"""An answer that ends the connection instead."""

HELLO: Json = {"type": "hello", "protocol": 1, "peer": {"name": "roostd", "version": "9.9"}}

JOB: Json = {
    "id": "0a1b2c3d",
    "name": "fix-login",
    "agent": "claude",
    "command": ["claude"],
    "cwd": "/src",
    "state": "working",
    "since": 1000.0,
    "created": 900.0,
}


class FakeDaemon:
    """Serves until the `with` block ends. `answers[verb]` makes the reply lines of a request; every line received is in `lines`."""

    def __init__(self, path: Path, hello: Json | None = None) -> None:
        self.path = path
        self.hello = HELLO if hello is None else hello
        self.lines: list[bytes] = []
        self.requests: list[Json] = []
        self.answers: dict[str, Callable[[Json], object]] = {"daemon.status": lambda _: {"last_event": 7}}
        self.cut_after_answer = False
        self._connections: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()

    def __enter__(self) -> FakeDaemon:
        self._start(self._accept)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._connections:
            with _ignoring_errors():
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        os.unlink(self.path)  # noqa: PTH108

    def verbs(self) -> list[str]:
        return [request["verb"] for request in self.requests]

    def _start(self, target: Callable[[], None]) -> None:
        thread = threading.Thread(target=target)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._connections.append(connection)
            self._start(lambda connection=connection: self._serve(connection))  # type: ignore[misc]

    def _serve(self, connection: socket.socket) -> None:
        with connection, _ignoring_errors(), connection.makefile("rb") as lines:
            self.lines.append(next(lines, b""))
            connection.sendall(json.dumps(self.hello).encode() + b"\n")
            for line in lines:
                self.lines.append(line)
                request = json.loads(line)
                self.requests.append(request)
                answer = self.answers[request["verb"]](request)
                if answer is CLOSE:
                    return
                replies = answer if isinstance(answer, list) else [{"ok": answer}]
                connection.sendall(b"".join(json.dumps({"id": request["id"], **reply}).encode() + b"\n" for reply in replies))
                if self.cut_after_answer:
                    self.cut_after_answer = False
                    return


@contextmanager
def _ignoring_errors() -> Iterator[None]:
    try:
        yield
    except OSError:
        pass

"""A real daemon in a test's private home, and the rawest clients of its two doors: JSON lines over a socket, nothing of roost's."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.support import processes
from tests.support.home import Home
from tests.support.waiting import DEADLINE, eventually

Message = dict[str, Any]


class Wire:
    """JSON objects, one a line, both ways. `receive` gives None once the peer has closed."""

    def __init__(self, path: str | Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(DEADLINE)
        self.socket.connect(str(path))
        self._file = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()
        self.socket.close()

    def send(self, message: Message) -> None:
        self.send_raw(json.dumps(message).encode() + b"\n")

    def send_raw(self, data: bytes) -> None:
        self.socket.sendall(data)

    def receive(self) -> Message | None:
        try:
            line = self._file.readline()
        except ConnectionResetError:
            return None
        return json.loads(line) if line else None

    def expect(self, **fields: object) -> Message:
        """The next message; it must have these fields."""
        message = self.receive()
        assert message is not None, f"the connection was closed instead of {fields}"
        for name, value in fields.items():
            assert message.get(name) == value, message
        return message


class Refused(Exception):
    """The daemon answered with an error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class Operator(Wire):
    """A person's tool, reduced to what it says."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        self.send({"type": "hello", "protocol": 1, "peer": {"name": "test"}})
        self.hello = self.expect(type="hello")
        self._last = 0

    def begin(self, verb: str, request_id: str | None = None, timeout: float | None = None, **params: Any) -> int:
        """Sends a request; its id."""
        self._last += 1
        request: Message = {"id": self._last, "verb": verb, "params": params}
        request |= {"request_id": request_id} if request_id else {}
        request |= {"timeout": timeout} if timeout is not None else {}
        self.send(request)
        return self._last

    def answer(self, number: int) -> Any:
        """The answer of a request, items of others passed over. Raises `Refused`, or ConnectionResetError if the daemon is gone."""
        while (message := self.receive()) is not None:
            if message["id"] == number and "item" not in message:
                if "error" in message:
                    raise Refused(**message["error"])
                return message["ok"]
        raise ConnectionResetError("the daemon is gone")

    def ask(self, verb: str, request_id: str | None = None, timeout: float | None = None, **params: Any) -> Any:
        return self.answer(self.begin(verb, request_id, timeout, **params))

    def items(self, verb: str, **params: Any) -> Iterator[Any]:
        """What a subscription sends, until it ends."""
        number = self.begin(verb, **params)
        while (message := self.receive()) is not None:
            if message["id"] == number:
                if "item" not in message:
                    return
                yield message["item"]

    def run(self, *argv: str, request_id: str | None = None, **params: Any) -> Message:
        """`job.run` of a bare command in the caller's own environment."""
        answer: Message = self.ask("job.run", request_id, args=list(argv), **{**caller(), **params})
        return answer


def caller() -> Message:
    """Who asks, and where: what a tool sends of its own process."""
    return {"caller": {"environ": dict(os.environ)}, "cwd": os.environ.get("HOME", "/")}


def enter_through(path: str) -> None:
    """Types Enter into a job through its host's socket, as an attached terminal would."""
    with Wire(path) as wire:
        wire.send({"type": "attach", "protocol": 1, "version": "test", "cols": 80, "rows": 24})
        wire.expect(type="attached")
        wire.send_raw(b"I\x00\x00\x00\x01\r")
        wire.socket.recv(1)


class Daemon:
    """`with Daemon(home) as daemon:` starts one in the foreground, and kills whatever still runs in the home at the end."""

    def __init__(self, home: Home, python: str = sys.executable, **environ: str) -> None:
        self.home = home
        self._python = python
        self._environ = environ
        self._operators: list[Wire] = []
        self.process = self._start()

    def __enter__(self) -> Daemon:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for operator in self._operators:
            operator.close()
        self.home.end_all()
        self.process.wait()

    def operator(self) -> Operator:
        """A new connection to the person's door."""
        made = Operator(self.home.runtime / "roostd.sock")
        self._operators.append(made)
        return made

    def agent(self) -> Wire:
        """A new connection to the agents' door; nothing has been said."""
        made = Wire(self.home.runtime / "agent" / "agent.sock")
        self._operators.append(made)
        return made

    def kill(self) -> None:
        """SIGKILL, as at any moment of its life."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def wait(self) -> int:
        return self.process.wait(DEADLINE)

    def restart(self, **environ: str) -> None:
        """Another one in its place; the old one must have ended."""
        self._environ = environ
        self.process = self._start()

    @property
    def spawner(self) -> int:
        """The spawner's pid."""

        def found() -> list[int]:
            below = processes.descendants(self.process.pid)
            forked = {pid for pid in below if "roostd.host.spawner" in processes.command_of(pid)}
            # Its hosts are forked from it and look the same; it is the one above them all.
            return [pid for pid in forked if forked <= processes.descendants(pid) | {pid}]

        return eventually(found, "the spawner")[0]

    @property
    def log(self) -> list[Message]:
        return [json.loads(line) for line in (self.home.state / "roostd.log").read_text().splitlines()]

    def host(self, job: str) -> Message:
        """A job's host record."""
        record: Message = json.loads((self.home.state / "jobs" / job / "host.json").read_bytes())
        return record

    def _start(self) -> subprocess.Popen[bytes]:
        reading, writing = os.pipe()
        process = subprocess.Popen(
            [self._python, "-P", "-m", "roostd", "--foreground", "--ready-fd", str(writing)],
            pass_fds=[writing],
            env={**os.environ, **self._environ},
            stdin=subprocess.DEVNULL,
        )
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            line = pipe.readline().decode().strip()
        if line != "ready" and (process.wait() != -signal.SIGKILL or "ROOST_TEST_CRASH" not in self._environ):
            raise AssertionError(f"the daemon did not start: {line or 'it died without a word'}")
        return process

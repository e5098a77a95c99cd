"""The fake daemon without its sockets: bytes in, bytes out. It does by itself what a daemon does, unless a scenario holds it back."""

from __future__ import annotations

import json
from collections import deque
from typing import Any

from roost.conformance.broken import Broken
from roost.conformance.watch import Said, Watch
from roost_protocol.frame import LineReader, TooLong

Json = dict[str, Any]


class Connection:
    """One connection of the client's. `out` is what is to be sent, a piece for each write."""

    def __init__(self) -> None:
        self.said = Said()
        self.out: deque[bytes] = deque()
        self.greeted = False
        self.ending = False
        """To be closed once `out` is empty."""
        self.reader = LineReader()

    def send(self, *messages: Json) -> None:
        self.out.append(b"".join(encode(message) for message in messages))


class Daemon:
    """`lines` is all that the client has said, in order, over all connections. `held` names what it does not do by itself."""

    def __init__(self, job: str, watch: Watch) -> None:
        self.job = job
        self.watch = watch
        self.held: set[str] = set()
        self.lines: list[Json] = []
        self.last_seq: dict[str, int] = {}
        self.next_reply = 1
        self.sent = 0
        """The highest reply sent."""
        self.asking = False
        """Whether the client may act on a reply before it has told the driver."""
        self.refusing = ""
        self.refusal: list[Json] = []
        self._replies: dict[int, Json] = {}

    def feed(self, connection: Connection, data: bytes) -> None:
        """What the client said. Raises `Broken`."""
        try:
            lines = connection.reader.feed(data)
        except TooLong as error:
            raise Broken(f"{error}: none may be") from None
        for raw in lines:
            if self.asking:
                self.watch.finished = max(self.watch.finished, self.sent)
            message = self.watch.take(connection.said, raw)
            self.lines.append(message)
            if not connection.ending:
                self._react(connection, message)

    def reply(self, connection: Connection | None, kind: str, text: str, re: int | None = None) -> None:
        """A new reply, kept until it is acked."""
        n, self.next_reply = self.next_reply, self.next_reply + 1
        about = self.last_seq.get(self.watch.epoch, 0) if re is None else re
        known = {"from": "operator", "request_id": f"r{n}", "re": about}
        self._replies[n] = {"type": "reply", "n": n, "kind": kind, "text": text, **known}
        if connection is not None and connection.greeted:
            self._push(connection, n)

    def remember(self, last_seq: int) -> None:
        self.last_seq[self.watch.epoch] = last_seq

    def greet(self, connection: Connection) -> None:
        """Answers hello, and sends what is not acked yet."""
        hello = connection.said.hello
        if hello is None or connection.greeted:
            return
        connection.greeted = True
        granted = [name for name in ("report", "replies") if name in hello.capabilities]
        answer = {"type": "hello", "protocol": 1, "daemon": {"name": "roostd", "version": "conformance"}}
        may = {"capabilities": ["report", "replies"], "granted": granted}
        job = {"id": self.job, "name": "conformance", "agent": "generic"}
        connection.send({**answer, **may, "job": job, "last_seq": self.last_seq.get(hello.epoch, 0)})
        for n in list(self._replies):
            self._push(connection, n)

    def _push(self, connection: Connection, n: int) -> None:
        if connection.said.hello is not None and "replies" in connection.said.hello.capabilities:
            self.sent = max(self.sent, n)
            connection.send(self._replies[n])

    def _react(self, connection: Connection, message: Json) -> None:
        kind = message["type"]
        if kind == "hello" and "hello" not in self.held:
            self.greet(connection)
            connection.ending = self.refusing == "hello"
        elif kind == "report" and self.refusing == "report":
            connection.send(*({**line, "re": message["seq"]} for line in self.refusal))
            connection.ending = True
        elif kind == "report" and "acks" not in self.held:
            self.remember(max(message["seq"], self.last_seq.get(self.watch.epoch, 0)))
            connection.send({"type": "ack", "seq": message["seq"]})
        elif kind == "ack":
            for n in [n for n in self._replies if n <= message["reply"]]:
                del self._replies[n]
        elif kind == "bye":
            connection.ending = True


def encode(message: Json) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"

"""The rules that hold in every scenario, watched on every line of the client's. No I/O."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from roost.conformance.broken import Broken
from roost_protocol import agent as wire
from roost_protocol.decoding import MALFORMED

DEEPEST: Final = 32
"""How deep usage, context and ext may be nested."""

_decoder = msgspec.json.Decoder(wire.AgentMessage)
_KINDS: Final[tuple[type[msgspec.Struct], ...]] = (wire.AgentHello, wire.Report, wire.ReplyAck, wire.Bye)
FIELDS: Final = {
    str(kind.__struct_config__.tag): frozenset(kind.__struct_encode_fields__) | {kind.__struct_config__.tag_field} for kind in _KINDS
}


class Said:
    """What one connection has said so far."""

    def __init__(self) -> None:
        self.hello: wire.AgentHello | None = None
        self.bye = False
        self.seq = 0
        self.acked = 0


class Watch:
    """Raises `Broken` for a line that no client may send, in whatever scenario.

    `handed` is the highest reply that the agent's code has been given, `finished` the highest that it may be done with.
    """

    def __init__(self, job: str, token: str) -> None:
        self._job, self._token = job, token
        self._others: set[str] = set()
        self.epoch = ""
        self.finished = 0
        self.new_process()

    def new_process(self) -> None:
        """Another process of the client speaks from now on."""
        if self.epoch:
            self._others.add(self.epoch)
        self.epoch = ""
        self.capabilities: list[str] = []
        self.handed = 0
        self._reports: dict[int, wire.Report] = {}

    def take(self, said: Said, raw: bytes) -> dict[str, Any]:
        """One line of a connection's; returns it decoded."""
        message = self._decode(raw)
        if said.bye:
            raise Broken(f"{_kind(message)} came behind bye: bye is the last line")
        if isinstance(message, wire.AgentHello):
            self._hello(said, message, raw)
        elif self._token.encode() in raw:
            raise Broken(f"the token stands in {_kind(message)}: it belongs into hello and nowhere else")
        elif said.hello is None:
            raise Broken(f"{_kind(message)} came before hello: hello is the first line of a connection")
        elif isinstance(message, wire.Report):
            self._report(said, message)
        elif isinstance(message, wire.ReplyAck):
            self._ack(said, message.reply)
        else:
            said.bye = True
        line: dict[str, Any] = json.loads(raw)
        if unknown := set(line) - FIELDS[line["type"]]:
            names = ", ".join(sorted(unknown))
            raise Broken(f"{_kind(message)} has fields that are not in version 1: {names}; what is the agent's own goes under ext")
        return line

    def _decode(self, raw: bytes) -> wire.AgentMessage:
        try:
            return _decoder.decode(raw)
        except MALFORMED as error:
            raise Broken(f"a line is no message of version 1: {error}") from None

    def _hello(self, said: Said, hello: wire.AgentHello, raw: bytes) -> None:
        if said.hello is not None:
            raise Broken("hello was said twice on one connection")
        if hello.job != self._job or hello.token != self._token:
            raise Broken("hello names another job or token than the environment does")
        if raw.count(self._token.encode()) != 1:
            raise Broken("the token stands in hello more than once")
        if hello.protocol != wire.PROTOCOL:
            raise Broken(f"hello says protocol {hello.protocol}: this kit is about version {wire.PROTOCOL}")
        if hello.epoch in self._others:
            raise Broken("another process has the same epoch: a new process makes a new random one")
        if self.epoch and hello.epoch != self.epoch:
            raise Broken("the epoch changed on a new connection of the same process: it stays for the process's life")
        if sorted(hello.capabilities) != sorted(self.capabilities):
            raise Broken(f"hello announces {hello.capabilities}, the driver was told {self.capabilities}")
        self.epoch, said.hello = hello.epoch, hello

    def _report(self, said: Said, report: wire.Report) -> None:
        if said.hello is not None and "report" not in said.hello.capabilities:
            raise Broken("a report was sent, and hello did not announce `report`")
        if report.seq <= said.seq:
            raise Broken(f"seq {report.seq} came behind {said.seq} on one connection: it rises with every report")
        before = self._reports.get(report.seq)
        if before is not None and before != report:
            raise Broken(f"seq {report.seq} came again with other contents: a number is never used for another report")
        if before is None and report.seq <= max(self._reports, default=0):
            raise Broken(f"a new report has seq {report.seq}, and {max(self._reports)} was sent already: seq never goes back")
        if any(_deeper_than(DEEPEST, value) for value in (report.usage, report.context, report.ext)):
            raise Broken(f"usage, context or ext of seq {report.seq} is nested deeper than {DEEPEST}")
        said.seq = report.seq
        self._reports[report.seq] = report

    def _ack(self, said: Said, n: int) -> None:
        if said.hello is not None and "replies" not in said.hello.capabilities:
            raise Broken("a reply was acked, and hello did not announce `replies`")
        if n > self.finished:
            raise Broken(f"reply {n} was acked, and the agent has acted on {self.finished or 'none'} so far: ack what has been acted on")
        if n < said.acked:
            raise Broken(f"reply {n} was acked behind {said.acked} on one connection: acks never go down")
        said.acked = n

    def given(self, n: int) -> None:
        """The agent's code has been handed this reply."""
        if n <= self.handed:
            raise Broken(f"reply {n} was handed to the agent behind {self.handed}: each one once, in order")
        self.handed = n

    def sees(self, text: bytes, where: str) -> None:
        """What the driver prints."""
        if self._token.encode() in text:
            raise Broken(f"the token was printed on the driver's {where}")


def _kind(message: wire.AgentMessage) -> str:
    return str(message.__struct_config__.tag)


def _deeper_than(most: int, value: Any) -> bool:
    level = [value]
    for _ in range(most + 1):
        level = [inner for outer in level for inner in _inside(outer)]
    return bool(level)


def _inside(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()

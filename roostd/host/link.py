"""The link to the daemon: statuses and facts go out, reports, replies and questions come in. A newer link replaces an older one."""

from __future__ import annotations

from typing import Protocol

import msgspec

from roost_protocol.decoding import MALFORMED
from roost_protocol.frame import LineReader, TooLong
from roost_protocol.host import (
    Announce,
    Answer,
    AskEvidence,
    AskScreen,
    FactsNow,
    ForgetAttention,
    Heard,
    HostRefusal,
    HostReport,
    HostToLink,
    Linked,
    LinkToHost,
    PartsNow,
    Status,
    StatusAck,
    StopJob,
    Typed,
    TypeKeys,
    TypeText,
)
from roostd.host.connection import Connection

QUEUE = 16 * 1024 * 1024
"""Bytes that may wait for the daemon."""

# Built before the fork: a decoder of so many types is most of a megabyte, which all hosts share.
_DECODER = msgspec.json.Decoder(LinkToHost)
_ENCODER = msgspec.json.Encoder()


class Job(Protocol):
    """What the daemon may ask of a job; the host implements it."""

    def linked(self) -> Linked: ...
    def unacked(self) -> list[Status]: ...
    def facts(self) -> FactsNow: ...
    def parts(self) -> PartsNow | None: ...
    def ack(self, n: int) -> None: ...
    def report(self, report: HostReport) -> None: ...
    def type_text(self, request: TypeText) -> Typed: ...
    def type_keys(self, request: TypeKeys) -> Typed: ...
    def stop(self, force: bool) -> None: ...
    def forget_attention(self) -> None: ...
    def announce(self, text: str) -> None: ...
    def screen(self, request: AskScreen) -> Answer: ...
    def evidence(self, request: AskEvidence) -> Answer: ...


class Link:
    """At most one connection at a time. Without one, what is sent is dropped: statuses are kept by the job until they are acked."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._connection: Connection | None = None
        self._lines = LineReader()

    def take(self, connection: Connection, rest: bytes) -> None:
        """The daemon is here: say who we are, and all it has not acked."""
        if self._connection:
            self._connection.close()
        self._connection = connection
        self._lines = LineReader()
        connection.on_data = self._received
        connection.on_end = lambda: self._lost(connection)
        self.send(self._job.linked())
        for status in self._job.unacked():
            self.send(status)
        self.send(self._job.facts())
        if (parts := self._job.parts()) is not None:
            self.send(parts)
        if rest:
            self._received(rest)

    def send(self, message: HostToLink) -> None:
        """To the daemon, if it is there. One that has not read for long is cut off: what it must know it gets on its next link."""
        if self._connection:
            self._connection.send(_ENCODER.encode(message) + b"\n")
            if self._connection.queued > QUEUE:
                self._connection.close()
                self._connection = None

    def close(self) -> None:
        if self._connection:
            self._connection.close_when_sent()
            self._connection = None

    def _received(self, data: bytes) -> None:
        try:
            lines = self._lines.feed(data)
        except TooLong as error:
            self._refuse(str(error))
            self.close()
            return
        for line in lines:
            self._take_line(line)

    def _take_line(self, line: bytes) -> None:
        try:
            message = _DECODER.decode(line)
        except MALFORMED as error:
            self._refuse(f"a line from the daemon cannot be read: {error}")
            return
        answer = self._answer(message)
        if answer is not None:
            self.send(answer)

    def _answer(self, message: LinkToHost) -> HostToLink | None:
        job = self._job
        match message:
            case StatusAck(n):
                job.ack(n)
            case HostReport():
                job.report(message)
                return Heard(message.id)
            case TypeText():
                return job.type_text(message)
            case TypeKeys():
                return job.type_keys(message)
            case StopJob(force):
                job.stop(force)
            case ForgetAttention():
                job.forget_attention()
            case Announce(text):
                job.announce(text)
            case AskScreen():
                return job.screen(message)
            case AskEvidence():
                return job.evidence(message)
        return None

    def _refuse(self, why: str) -> None:
        if self._connection:
            self._connection.send(_ENCODER.encode(HostRefusal("bad_request", why)) + b"\n")

    def _lost(self, connection: Connection) -> None:
        if self._connection is connection:
            self._connection = None

"""The daemon's end of one host link: lines both ways, questions with their answers."""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import AsyncIterator
from itertools import count
from typing import Any, Final

import anyio
import msgspec

from roost_protocol import host as wire
from roost_protocol.errors import RoostError
from roost_protocol.frame import LineReader
from roostd.peer import is_ours
from roostd.version import VERSION

PATIENCE: Final = 5.0
"""Seconds for a host to answer: it never does anything long before it answers."""

LONGEST: Final = 64 * 1024 * 1024
"""Bytes of a host's line: a wide screen with all its history and colours is a long answer, and a host is one of ours."""

_CHUNK = 65536
_decoder = msgspec.json.Decoder(wire.HostToLink | wire.HostRefusal)
_encode = msgspec.json.encode


class HostLink:
    """One connection; `messages` must be read by one task, all else is for anybody."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._lines = LineReader(LONGEST)
        self._unread: deque[bytes] = deque()
        self._ids = count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}

    @classmethod
    async def open(cls, path: str) -> tuple[HostLink, wire.Linked]:
        """Connects and introduces itself. Raises OSError, TimeoutError or RoostError where no host of ours answers."""
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            # A unix socket connects at once or not at all: a full backlog says so, and is tried again like a missing host.
            connection.setblocking(False)
            connection.connect(path)
            if not is_ours(connection):
                raise RoostError("unauthorized", f"{path} belongs to another user")
            reader, writer = await asyncio.open_unix_connection(sock=connection)
        except BaseException:
            connection.close()
            raise
        link = cls(reader, writer)
        try:
            link.send(wire.Link(wire.PROTOCOL, VERSION))
            with anyio.fail_after(PATIENCE):
                return link, await link._linked()
        except BaseException:
            link.close()
            raise

    def send(self, message: wire.Link | wire.LinkToHost) -> None:
        """Queues one line; to a host that is gone it goes nowhere."""
        if not self._writer.is_closing():
            self._writer.write(_encode(message) + b"\n")

    async def messages(self) -> AsyncIterator[wire.HostToLink]:
        """What the host says, until it is gone; answers go to who asked."""
        async for message in self._decoded():
            if isinstance(message, wire.Answer):
                self._answered(message.id, message.data)
            elif isinstance(message, wire.Heard):
                self._answered(message.id, {})
            elif not isinstance(message, wire.HostRefusal):
                yield message

    async def ask_screen(self, ansi: bool, lines: int, cells: bool = False) -> dict[str, Any]:
        number = next(self._ids)
        return await self._ask(number, wire.AskScreen(number, ansi, lines, cells))

    async def ask_evidence(self) -> dict[str, Any]:
        number = next(self._ids)
        return await self._ask(number, wire.AskEvidence(number))

    async def report(self, report: wire.HostReport) -> None:
        """Returns once it is part of the evidence, and any status that follows from it is durable."""
        number = next(self._ids)
        await self._ask(number, msgspec.structs.replace(report, id=number))

    def close(self) -> None:
        self._writer.close()
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(_gone())
        self._waiting.clear()

    async def _linked(self) -> wire.Linked:
        async for message in self._decoded():
            if isinstance(message, wire.Linked):
                return message
            raise RoostError("internal", "a host did not answer as one")
        raise ConnectionResetError("the host closed the connection")

    async def _decoded(self) -> AsyncIterator[wire.HostToLink | wire.HostRefusal]:
        while True:
            while self._unread:
                yield _decoder.decode(self._unread.popleft())
            try:
                data = await self._reader.read(_CHUNK)
            except ConnectionError:
                return
            if not data:
                return
            self._unread.extend(self._lines.feed(data))

    async def _ask(self, number: int, message: wire.LinkToHost) -> dict[str, Any]:
        if self._writer.is_closing():
            raise _gone()
        waiting: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = waiting
        self.send(message)
        try:
            return await waiting
        finally:
            self._waiting.pop(number, None)

    def _answered(self, number: int, data: dict[str, Any]) -> None:
        waiting = self._waiting.get(number)
        if waiting is not None and not waiting.done():
            waiting.set_result(data)


def _gone() -> RoostError:
    return RoostError("ended", "the job's host is gone")

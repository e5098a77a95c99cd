"""Lines to and from one peer, bounded both ways."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

import msgspec

from roost_protocol.frame import LineReader

MAX_OUTBOUND: Final = 8 * 1024 * 1024
"""Bytes that wait for a peer that does not read, before it is cut off. It loses nothing durable."""

LAST_CHANCE: Final = 30.0
"""Seconds in which a peer that is cut off may still read what is queued, and why."""

_CHUNK: Final = 65536
_encode = msgspec.json.encode


class Lines:
    """`send` never waits; `drained` does, for what may be sent slowly."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, full: Any) -> None:
        self._reader = reader
        self._writer = writer
        self._full = full

    def send(self, message: Any) -> None:
        """Queues one line. A peer that has not read for too long gets `full` as its last one, and is not listened to any more."""
        if self._writer.is_closing():
            return
        self._writer.write(_encode(message) + b"\n")
        if self._writer.transport.get_write_buffer_size() > MAX_OUTBOUND:
            self._writer.write(_encode(self._full) + b"\n")
            self._writer.close()
            asyncio.get_running_loop().call_later(LAST_CHANCE, self._give_up)

    def _give_up(self) -> None:
        if self._writer.transport.get_write_buffer_size():
            self._writer.transport.abort()

    async def drained(self) -> None:
        """Waits while much is queued. Raises ConnectionError once the peer is gone."""
        await self._writer.drain()

    async def read(self) -> AsyncIterator[bytes]:
        """The peer's lines until it is gone. Raises `TooLong`."""
        lines = LineReader()
        while data := await self._reader.read(_CHUNK):
            for line in lines.feed(data):
                yield line

    def close(self) -> None:
        """What is queued is still sent."""
        self._writer.close()

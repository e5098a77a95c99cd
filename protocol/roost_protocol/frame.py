"""Framing: one JSON object a line, and counted frames for a terminal's bytes. Sans-IO: bytes in, frames out."""

from __future__ import annotations

import struct

MAX_LINE = 1024 * 1024
"""The longest line in bytes, its newline left out."""

MAX_FRAME = 16 * 1024 * 1024
"""The longest payload of a counted frame: a repaint of a large screen with its history fits."""

_HEADER = struct.Struct(">cI")


class TooLong(Exception):
    """The peer sent a line or a frame over the bound; what follows it cannot be told apart, so the connection ends."""


class LineReader:
    """Cuts a stream into lines.

    `feed` takes bytes in any chunking and gives the complete lines, without their newline; empty lines are passed over.
    Raises `TooLong` once a line, complete or not, is over the bound; memory stays under the bound plus one chunk.
    """

    __slots__ = ("_buffer", "_limit")

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._buffer = bytearray()
        self._limit = limit

    def feed(self, data: bytes) -> list[bytes]:
        self._buffer += data
        if b"\n" not in data:
            if len(self._buffer) > self._limit:
                raise TooLong(f"a line is longer than {self._limit} bytes")
            return []
        *lines, rest = self._buffer.split(b"\n")
        self._buffer = rest
        if len(rest) > self._limit or any(len(line) > self._limit for line in lines):
            raise TooLong(f"a line is longer than {self._limit} bytes")
        return [bytes(line) for line in lines if line.strip()]


def pack_frame(kind: bytes, payload: bytes) -> bytes:
    """One counted frame: a kind of one byte, the payload's length as 32 bits big endian, the payload."""
    return _HEADER.pack(kind, len(payload)) + payload


class FrameReader:
    """Cuts a stream into counted frames, `(kind, payload)`. Raises `TooLong` on a length over the bound."""

    __slots__ = ("_buffer", "_limit")

    def __init__(self, limit: int = MAX_FRAME) -> None:
        self._buffer = bytearray()
        self._limit = limit

    def feed(self, data: bytes) -> list[tuple[bytes, bytes]]:
        if not self._buffer and len(data) >= _HEADER.size:
            kind, length = _HEADER.unpack_from(data)
            if length == len(data) - _HEADER.size <= self._limit:  # one whole frame, as a key and its echo are
                return [(kind, data[_HEADER.size :])]
        self._buffer += data
        buffer = self._buffer
        frames: list[tuple[bytes, bytes]] = []
        at = 0
        while len(buffer) - at >= _HEADER.size:
            kind, length = _HEADER.unpack_from(buffer, at)
            if length > self._limit:
                raise TooLong(f"a frame of {length} bytes is longer than {self._limit}")
            end = at + _HEADER.size + length
            if len(buffer) < end:
                break
            frames.append((kind, bytes(buffer[at + _HEADER.size : end])))
            at = end
        del buffer[:at]
        return frames

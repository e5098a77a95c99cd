"""Lines to a peer that does not read."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest

from roostd.server import lines
from roostd.server.lines import Lines

LINE = "x" * 1000


@pytest.fixture
async def peers(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Lines, socket.socket]]:
    """Lines of which ten thousand bytes may wait, and the peer's end."""
    monkeypatch.setattr(lines, "MAX_OUTBOUND", 10_000)
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_unix_connection(sock=ours)
    yield Lines(reader, writer, "full"), theirs
    writer.close()
    theirs.close()


async def read_all(peer: socket.socket) -> list[bytes]:
    reader, writer = await asyncio.open_unix_connection(sock=peer)
    try:
        return (await reader.read()).splitlines()
    finally:
        writer.close()


async def test_full_is_the_last_that_a_peer_gets_which_reads_too_late(peers: tuple[Lines, socket.socket]) -> None:
    ours, theirs = peers
    for _ in range(10_000):
        ours.send(LINE)
    had = await read_all(theirs)
    assert len(had) < 10_000
    assert had[-1] == b'"full"'
    assert set(had[:-1]) == {f'"{LINE}"'.encode()}


async def test_one_that_never_reads_is_not_waited_for(peers: tuple[Lines, socket.socket], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LAST_CHANCE", 0.0)
    ours, _ = peers
    for _ in range(10_000):
        ours.send(LINE)
    assert [line async for line in ours.read()] == []

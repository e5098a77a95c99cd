"""The daemon's end of a host link, against a host that says exactly what a test wants."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from roost_protocol.errors import RoostError
from roost_protocol.host import FactsNow, HostReport, HostToLink
from roostd.jobs.hostlink import HostLink

LINKED = {
    "type": "linked",
    "protocol": 1,
    "version": "1",
    "job": "a1b2c3d4",
    "pid": 1,
    "child": 2,
    "token_hash": "h",
    "cols": 80,
    "rows": 24,
}


class FakeHost:
    """Listens where a host would. `lines` are what it hears; `say` sends."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self.lines: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.greeting: list[dict[str, Any]] = [LINKED]
        self._writer: asyncio.StreamWriter | None = None

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.say(*self.greeting)
        while line := await reader.readline():
            self.lines.put_nowait(json.loads(line))
        writer.close()

    def say(self, *messages: dict[str, Any]) -> None:
        assert self._writer is not None
        self._writer.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def hang_up(self) -> None:
        assert self._writer is not None
        self._writer.close()


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[FakeHost]:
    fake = FakeHost(tmp_path / "h.sock")
    server = await asyncio.start_unix_server(fake.meet, fake.path)
    yield fake
    server.close()
    await server.wait_closed()


async def reading(link: HostLink, until: Callable[[], Awaitable[Any]]) -> tuple[Any, list[HostToLink]]:
    """What `until` gives while the link is read, and what was read meanwhile."""
    heard: list[HostToLink] = []

    async def read() -> None:
        async for message in link.messages():
            heard.append(message)

    task = asyncio.create_task(read())
    try:
        return await until(), heard
    finally:
        task.cancel()


async def test_it_introduces_itself_and_knows_its_host(host: FakeHost) -> None:
    link, linked = await HostLink.open(host.path)
    assert (linked.job, linked.token_hash) == ("a1b2c3d4", "h")
    said = await host.lines.get()
    assert (said["type"], said["protocol"]) == ("link", 1)
    link.close()


async def test_what_comes_with_the_greeting_is_not_lost(host: FakeHost) -> None:
    host.greeting = [LINKED, {"type": "facts", "facts": {"title": "early"}}, {"type": "facts", "facts": {"title": "late"}}]
    link, _ = await HostLink.open(host.path)
    messages = link.messages()
    titles = []
    for _ in range(2):
        message = await anext(messages)
        assert isinstance(message, FactsNow)
        titles.append(message.facts.title)
    assert titles == ["early", "late"]
    link.close()


async def test_answers_reach_who_asked_in_any_order(host: FakeHost) -> None:
    link, _ = await HostLink.open(host.path)
    await host.lines.get()

    async def ask() -> list[dict[str, Any]]:
        both = asyncio.gather(link.ask_screen(False, 0), link.ask_evidence())
        first, second = await host.lines.get(), await host.lines.get()
        assert (first["type"], second["type"]) == ("ask_screen", "ask_evidence")
        host.say({"type": "answer", "id": second["id"], "data": {"evidence": []}})
        host.say({"type": "answer", "id": 999, "data": {}})
        host.say({"type": "error", "code": "bad_request", "message": "no"})
        host.say({"type": "answer", "id": first["id"], "data": {"lines": ["x"]}})
        return list(await both)

    answers, heard = await reading(link, ask)
    assert (answers, heard) == ([{"lines": ["x"]}, {"evidence": []}], [])
    link.close()


async def test_a_report_is_heard_after_what_follows_from_it(host: FakeHost) -> None:
    link, _ = await HostLink.open(host.path)
    await host.lines.get()

    async def report() -> None:
        waiting = asyncio.create_task(link.report(HostReport(id=0, at=1.0, state="working")))
        said = await host.lines.get()
        host.say({"type": "facts", "facts": {}}, {"type": "heard", "id": said["id"]})
        await waiting

    _, heard = await reading(link, report)
    assert len(heard) == 1
    link.close()


async def test_who_waits_is_told_when_the_host_goes(host: FakeHost) -> None:
    link, _ = await HostLink.open(host.path)
    asked = asyncio.create_task(link.ask_evidence())
    await host.lines.get()
    await host.lines.get()
    host.hang_up()
    assert [message async for message in link.messages()] == []
    link.close()
    with pytest.raises(RoostError) as caught:
        await asked
    assert caught.value.code == "ended"
    with pytest.raises(RoostError):
        await link.ask_evidence()


async def test_nobody_and_a_stranger_are_no_host(host: FakeHost, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        await HostLink.open(str(tmp_path / "none.sock"))
    host.greeting = [{"type": "heard", "id": 1}]
    with pytest.raises(RoostError, match="did not answer as one"):
        await HostLink.open(host.path)

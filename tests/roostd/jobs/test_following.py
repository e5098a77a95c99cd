"""What is remembered of the statuses of a live job beside its record."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import anyio
import pytest

from roost_protocol.jobs import ReplyResult
from roostd.jobs import replies
from roostd.jobs.board import Board, Entry
from roostd.jobs.following import Follower
from roostd.jobs.hostlink import HostLink
from roostd.jobs.record import StoredReply
from roostd.jobs.store import Store
from roostd.jobs.writes import PutReply
from tests.roostd.jobs.made import record, status


class Link:
    """A host that is only ever sent something."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send(self, message: object) -> None:
        self.sent.append(message)


@pytest.fixture
async def board(tmp_path: Path) -> AsyncIterator[Board]:
    store = Store(tmp_path / "roostd.db")
    yield Board(store, tmp_path / "jobs", lambda: 4e9)
    store.close()


async def heard(board: Board, *states: str) -> Entry:
    """A job that has told these states, one after the other; its statuses count from 1."""
    entry = board.put(record())
    async with anyio.create_task_group() as tasks:
        follower = Follower(board, tasks)
        for n, state in enumerate(states, 1):
            said = status(n, cast(Any, state), question=f"question {n}", knows_idle=True)
            await follower._hear(entry, cast(HostLink, Link()), said)
    return entry


async def test_a_state_that_is_said_anew_has_not_come_again(board: Board) -> None:
    entry = await heard(board, "working", "waiting", "waiting", "waiting", "working")
    assert entry.rested == (2, "waiting")


@pytest.mark.parametrize(("after", "settled"), [(2, "idle"), (1, "idle")])
async def test_a_reply_is_settled_by_what_came_behind_it_though_it_works_again(board: Board, after: int, settled: str) -> None:
    entry = await heard(board, "waiting", "waiting", "working", "idle", "working")
    reply = StoredReply(job=entry.id, n=1, text="y", route="typed", outcome="submitted", after=after, at=12.0)
    await board.store.commit([PutReply(reply)])
    result = await replies.settled_after(board, entry, ReplyResult(entry.id, 1, "submitted"))
    assert (result.settled, result.started) == (settled, True)


async def test_a_reply_is_not_settled_by_the_question_that_it_answers(board: Board) -> None:
    """It is said once more while its answer is typed: it rang no longer, or has an echo in it."""
    entry = await heard(board, "working", "waiting", "waiting", "working")
    await board.store.commit([PutReply(StoredReply(job=entry.id, n=1, text="y", route="typed", outcome="submitted", after=2, at=12.0))])
    with anyio.move_on_after(0.2) as waited:
        await replies.settled_after(board, entry, ReplyResult(entry.id, 1, "submitted"))
    assert waited.cancelled_caught

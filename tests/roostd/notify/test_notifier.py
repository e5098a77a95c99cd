"""What a daemon tells of jobs that it has found."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from roost_protocol.jobs import Job
from roostd.jobs.board import Board
from roostd.jobs.changes import heard
from roostd.jobs.store import Store
from roostd.notify.notices import Notice
from roostd.notify.notifier import Notifier
from roostd.notify.settings import Settings
from roostd.notify.tellers import Tellers
from tests.roostd.jobs.made import record, status
from tests.support.waiting import eventually_async


async def test_what_is_new_is_told_on_a_clock_that_was_set_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wall, told = [10_000.0], []

    async def tell(_: Tellers, _notice: Notice, row: Job, _settings: Settings) -> None:
        told.append(row.question)

    monkeypatch.setattr(Tellers, "tell", tell)
    store = Store(tmp_path / "roostd.db")
    board = Board(store, tmp_path, lambda: wall[0])
    entry = board.put(record(state="working", since=9000.0))
    try:
        async with anyio.create_task_group() as tasks:
            notifier = Notifier(board, tasks, {"HOME": str(tmp_path)}, lambda: 100.0)
            tasks.start_soon(notifier.run)
            wall[0] = 6_400.0
            await board.change(entry, lambda record: heard(record, status(1, "waiting", question="new", since=6_400.0), 0))
            await eventually_async(lambda: told)
            tasks.cancel_scope.cancel()
    finally:
        store.close()
    assert told == ["new"]

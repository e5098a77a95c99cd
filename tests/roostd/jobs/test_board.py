from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from roost_protocol.errors import RoostError
from roost_protocol.host import Facts
from roostd.jobs.board import Board
from roostd.jobs.changes import Change
from roostd.jobs.news import News
from roostd.jobs.record import Record, changed
from roostd.jobs.store import Store
from tests.roostd.jobs.made import record

TOLD = News("job.renamed", {})


@pytest.fixture
async def board(tmp_path: Path) -> AsyncIterator[Board]:
    store = Store(tmp_path / "roostd.db")
    yield Board(store, tmp_path / "jobs", lambda: 4e9)
    store.close()


async def test_changes_of_one_job_build_on_each_other(board: Board) -> None:
    entry = board.put(record())

    def one_more(before: Record) -> Change:
        return Change(msgspec.structs.replace(before, replies=before.replies + 1), [TOLD])

    await asyncio.gather(*(board.change(entry, one_more) for _ in range(50)))
    assert entry.record.replies == 50
    assert board.store.jobs() == [entry.record]
    assert len(board.store.events(0, 100)) == 50


async def test_a_change_that_raises_leaves_all_as_it_was(board: Board) -> None:
    entry = board.put(record())
    changed_event = board.changed

    def refuse(before: Record) -> Change:
        raise RoostError("conflict", "no")

    with pytest.raises(RoostError):
        await board.change(entry, refuse)
    await board.change(entry, Change)
    assert entry.record == record()
    assert board.store.events(0, 10) == []
    assert not changed_event.is_set()


async def test_who_waits_sees_it_when_it_is_durable(board: Board) -> None:
    entry = board.put(record())
    seen: list[int] = []
    changed_event = board.changed

    async def watch() -> None:
        await changed_event.wait()
        seen.append(len(board.store.jobs()))

    watching = asyncio.create_task(watch())
    await board.change(entry, lambda before: Change(changed(before, model="m")))
    await watching
    assert seen == [1]
    assert entry.row.model == "m"


async def test_an_end_is_told_and_the_facts_stop(board: Board) -> None:
    entry = board.put(record(state="working"))
    board.facts(entry, Facts(text="alive", attached=2))
    assert (entry.row.text, entry.row.attached) == ("alive", 2)
    await board.change(entry, lambda before: Change(changed(before, state="done")))
    assert entry.ended.is_set()
    assert (entry.row.text, entry.row.attached) == (None, 0)


async def test_a_removed_job_does_not_come_back(board: Board) -> None:
    entry = board.put(record(state="done"))
    await board.change(entry, lambda before: Change(changed(before, seen=True)))
    await board.drop(entry, [])
    with pytest.raises(RoostError, match="has been removed"):
        await board.change(entry, lambda before: Change(changed(before, seen=False)))
    assert board.store.jobs() == []
    with pytest.raises(RoostError, match="no job"):
        board.find(entry.id)


async def test_a_name_is_kept_while_its_job_is_being_made(board: Board) -> None:
    board.put(record(name="taken"))
    with board.reserve("coming"), pytest.raises(RoostError, match="is taken"), board.reserve("coming"):
        pass
    with pytest.raises(RoostError, match="'taken' is taken"), board.reserve("taken"):
        pass
    assert board.names == {"taken"}


async def test_a_name_is_no_jobs_id(board: Board) -> None:
    board.put(record(id="deadbeef", name="cat"))
    with pytest.raises(RoostError, match="'deadbeef' is the id of a job") as caught, board.reserve("deadbeef"):
        pass
    assert caught.value.code == "conflict"
    assert board.taken == {"deadbeef", "cat"}


async def test_superseded_jobs_are_shown_only_with_all(board: Board) -> None:
    board.put(msgspec.structs.replace(record(name=None), superseded=True))
    board.put(record(id="bbbbbbbb"))
    assert [row.id for row in board.rows()] == ["bbbbbbbb"]
    assert [row.id for row in board.rows(everything=True)] == ["a1b2c3d4", "bbbbbbbb"]


@pytest.mark.parametrize(("change", "stalled"), [(4e9 - 200, True), (4e9 - 100, False), (None, False)])
async def test_work_without_a_change_for_minutes_is_stalled_in_its_row(board: Board, change: float | None, stalled: bool) -> None:
    entry = board.put(record(state="working", since=4e9 - 500))
    board.facts(entry, Facts(last_change=change))
    assert [row.stalled for row in board.rows()] == [stalled]


async def test_work_that_has_just_begun_is_not_stalled_by_an_old_screen(board: Board) -> None:
    entry = board.put(record(state="working", since=4e9 - 5))
    board.facts(entry, Facts(last_change=4e9 - 5000))
    assert not entry.row.stalled

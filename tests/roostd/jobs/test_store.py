from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from roost_protocol.delivery import Ledger
from roost_protocol.errors import RoostError
from roostd.jobs.news import News
from roostd.jobs.record import StoredReply
from roostd.jobs.retention import Retention
from roostd.jobs.store import VERSION, Store
from roostd.jobs.writes import Append, DropJob, PutJob, PutLedger, PutReply, StoredRequest
from tests.roostd.jobs.made import record
from tests.support.waiting import DEADLINE, eventually

ID = "a1b2c3d4"


def told(n: int, at: float = 4e9) -> Append:
    return Append(ID, at, News("job.report", {"n": n}))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = Store(tmp_path / "roostd.db")
    yield opened
    opened.close()


async def test_what_is_committed_is_there_for_the_next_one(store: Store, tmp_path: Path) -> None:
    reply = StoredReply(job=ID, n=1, text="yes", route="typed", request_id="r2")
    request = StoredRequest("r1", "job.run", 4e9, ID)
    ledger = Ledger({"epoch": 7})
    await store.commit([PutJob(record()), told(1), request, PutReply(reply), PutLedger(ID, ledger)])
    other = Store(tmp_path / "roostd.db")
    try:
        assert other.jobs() == [record()]
        assert [event.data for event in other.events(0, 10)] == [{"n": 1}]
        assert other.last_seq == 1
        assert other.request("r1") == request
        assert other.request("r9") is None
        assert other.unresolved() == [reply]
        assert other.reply(ID, 1) == reply
        assert other.ledgers() == {ID: ledger}
    finally:
        other.close()


async def test_a_dropped_job_leaves_its_events(store: Store) -> None:
    reply = StoredReply(job=ID, n=1, text="yes", route="typed")
    await store.commit([PutJob(record()), told(1), PutReply(reply), PutLedger(ID, Ledger())])
    await store.commit([DropJob(ID)])
    assert (store.jobs(), store.unresolved(), store.ledgers()) == ([], [], {})
    assert len(store.events(0, 10)) == 1


async def test_many_at_once_are_numbered_without_a_gap(store: Store) -> None:
    await asyncio.gather(*(store.commit([told(n)]) for n in range(200)))
    events = store.events(0, 1000)
    assert [event.seq for event in events] == list(range(1, 201))
    assert [event.data["n"] for event in events] == list(range(200))
    assert store.last_seq == 200


async def test_it_is_applied_before_anybody_hears_of_it(store: Store) -> None:
    heard: list[str] = []
    appended = store.next_append()

    async def listen() -> None:
        await appended.wait()
        heard.append("appended")

    listening = asyncio.create_task(listen())
    await asyncio.sleep(0)
    await store.commit([told(1)], lambda: heard.append("applied"))
    await listening
    assert heard == ["applied", "appended"]


async def test_what_is_on_disk_is_not_told_before_it_is_applied(store: Store, tmp_path: Path) -> None:
    applied: list[int] = []
    committing = asyncio.create_task(store.commit([told(1)], lambda: applied.append(1)))
    await asyncio.sleep(0)
    other = sqlite3.connect(tmp_path / "roostd.db")
    # The loop is kept busy: the writer's thread alone goes on.
    eventually(lambda: other.execute("SELECT count(*) FROM events").fetchone() == (1,))
    other.close()
    assert (store.events(0, 10), applied) == ([], [])
    await committing
    assert ([event.seq for event in store.events(0, 10)], applied) == ([1], [1])


async def test_a_commit_that_cannot_be_is_refused_alone(store: Store, tmp_path: Path) -> None:
    blocker = sqlite3.connect(tmp_path / "roostd.db", isolation_level=None)
    blocker.execute("CREATE TRIGGER no BEFORE INSERT ON requests BEGIN SELECT raise(ABORT, 'disk full'); END")
    blocker.close()
    applied: list[int] = []
    results = await asyncio.gather(
        store.commit([told(1)], lambda: applied.append(1)),
        store.commit([told(2), StoredRequest("r", "job.run", 1.0)], lambda: applied.append(2)),
        store.commit([told(3)], lambda: applied.append(3)),
        return_exceptions=True,
    )
    assert results[0] is None
    assert results[2] is None
    assert isinstance(results[1], RoostError)
    assert results[1].code == "full"
    assert str(tmp_path) in results[1].message
    assert applied == [1, 3]
    assert [(event.seq, event.data["n"]) for event in store.events(0, 10)] == [(1, 1), (2, 3)]


async def test_what_cannot_be_applied_is_one_caller_s_trouble(store: Store) -> None:
    def fail() -> None:
        raise ValueError("not this one")

    async with asyncio.timeout(DEADLINE):
        results = await asyncio.gather(store.commit([told(1)], fail), store.commit([told(2)]), return_exceptions=True)
    assert isinstance(results[0], ValueError)
    assert results[1] is None
    assert store.last_seq == 2
    await store.commit([told(3)])
    assert [event.seq for event in store.events(0, 10)] == [1, 2, 3]


async def test_a_caller_that_leaves_does_not_take_it_back(store: Store) -> None:
    applied = asyncio.Event()
    task = asyncio.create_task(store.commit([told(1)], applied.set))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await applied.wait()
    assert store.last_seq == 1


async def test_old_and_many_events_go_and_say_so(tmp_path: Path) -> None:
    store = Store(tmp_path / "roostd.db", Retention(max_bytes=70 * 10, every=5))
    try:
        await store.commit([told(0, at=1.0)])
        await store.commit([told(n) for n in range(1, 20)])
        kept = store.events(store.first_kept(), 100)
        assert 0 < len(kept) < 12
        assert kept[-1].seq == 20
        with pytest.raises(RoostError, match=f"the first there is has seq {kept[0].seq}") as caught:
            store.events(0, 100)
        assert caught.value.code == "gone"
        assert store.events(20, 100) == []
        with pytest.raises(RoostError, match="the last there is has seq 20") as caught:
            store.events(21, 100)
        assert caught.value.code == "gone"
    finally:
        store.close()


async def test_a_few_large_events_do_not_pass_the_bound(tmp_path: Path) -> None:
    store = Store(tmp_path / "roostd.db", Retention(max_bytes=80_000))
    try:
        for n in range(40):
            await store.commit([Append(ID, 4e9, News("job.report", {"n": n, "status": "x" * 10_000}))])
        kept = [event.data["n"] for event in store.events(store.first_kept(), 100)]
        assert kept == list(range(40 - len(kept), 40))
        assert 5 < len(kept) < 10
    finally:
        store.close()


async def test_numbers_go_on_when_every_event_is_gone(tmp_path: Path) -> None:
    first = Store(tmp_path / "roostd.db")
    await first.commit([told(1, at=1.0), told(2, at=1.0), StoredRequest("r", "job.run", 1.0)])
    first.close()
    second = Store(tmp_path / "roostd.db")
    try:
        assert second.first_kept() == second.last_seq == 2
        assert second.request("r") is None
        await second.commit([told(3)])
        assert [event.seq for event in second.events(2, 10)] == [3]
    finally:
        second.close()


async def test_a_newer_store_is_refused_with_the_way_back(tmp_path: Path) -> None:
    path = tmp_path / "roostd.db"
    Store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = ?", (str(VERSION + 1),))
    connection.close()
    with pytest.raises(RoostError, match=r"written by a newer roost .* install that version again") as caught:
        Store(path)
    assert caught.value.code == "unsupported"


WRITER = """
import asyncio, sys
from pathlib import Path
from roostd.jobs.store import Store
from tests.roostd.jobs.test_store import told

async def main():
    store = Store(Path(sys.argv[1]))
    async def write(start):
        for n in range(start, 10**9, 8):
            await store.commit([told(n)])
            print(n, flush=True)
    await asyncio.gather(*(write(start) for start in range(8)))

asyncio.run(main())
"""


def killed_while_it_writes(path: Path) -> set[int]:
    """What a writer was told to be durable before it was killed."""
    root = str(Path(__file__).parents[3])
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": root})
    assert process.stdout is not None
    acknowledged = [int(process.stdout.readline()) for _ in range(200)]
    process.send_signal(signal.SIGKILL)
    acknowledged += [int(line) for line in process.stdout.read().split(b"\n")[:-1]]
    process.stdout.close()
    process.wait()
    return set(acknowledged)


async def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "roostd.db"
    acknowledged = killed_while_it_writes(path)
    store = Store(path)
    try:
        events = store.events(0, 10**6)
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert acknowledged <= {event.data["n"] for event in events}
    finally:
        store.close()

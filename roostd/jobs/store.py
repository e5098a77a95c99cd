"""Where records, events and answers are durable: SQLite, one writer, group commit.

Whatever is queued while one fsync runs goes into the next transaction together. A commit's `apply` runs in the event loop once it
is durable and before anybody hears of it, so that memory never says what the disk does not.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Final

import anyio
import msgspec
import structlog

from roost_protocol.delivery import Ledger
from roost_protocol.errors import RoostError
from roost_protocol.operator import Event
from roostd.jobs.record import Record, StoredReply
from roostd.jobs.retention import Retention
from roostd.jobs.writes import Append, Statement, StoredRequest, Write

log = structlog.get_logger()

VERSION: Final = 1
"""Of the schema. A store of a later one is refused; an earlier one would be brought forward here."""

MAX_GROUP: Final = 500
"""Commits that go into one transaction."""

_SCHEMA = resources.files("roostd.jobs").joinpath("schema.sql").read_text()


def _nothing() -> None:
    return None


@dataclass(slots=True, eq=False)
class _Commit:
    statements: list[Statement]
    appends: int
    size: int
    """Bytes of the events that are appended."""
    apply: Callable[[], None]
    durable: asyncio.Future[None]
    error: Exception | None = field(default=None)


class Store:
    """The open store. `commit` is for the event loop; reads are short and run where they are called."""

    def __init__(self, path: Path, keep: Retention | None = None) -> None:
        self._path = path
        self._keep = keep or Retention()
        self._queue: queue.SimpleQueue[_Commit | None] = queue.SimpleQueue()
        try:
            self._reader = _open(path)
            _prepare(self._reader, path)
            self._keep.begin(self._reader, time.time())
        except sqlite3.Error as error:
            raise RoostError("full", f"{path} cannot be opened ({error}): make room, or move it away and lose the list of jobs") from None
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._write_all, name="store", daemon=True)
        self._appended = anyio.Event()
        self.last_seq = self._last_seq()
        """The number of the newest durable event."""
        self._thread.start()

    async def commit(self, writes: Sequence[Write], apply: Callable[[], None] = _nothing) -> None:
        """Returns once all of it is durable and applied; none of it is otherwise. Raises RoostError `full`.

        A caller that is cancelled does not take it back.
        """
        made = [(write, write.statements()) for write in writes]
        appended = [statement for write, statements in made if isinstance(write, Append) for statement in statements]
        size = sum(len(value) for _, values in appended for value in values if isinstance(value, bytes))
        statements = [statement for _, statements in made for statement in statements]
        commit = _Commit(statements, len(appended), size, apply, self._loop.create_future())
        self._queue.put(commit)
        with anyio.CancelScope(shield=True):
            await commit.durable

    def close(self) -> None:
        """Writes what is queued, then closes. Nothing may be committed afterwards."""
        self._queue.put(None)
        self._thread.join()
        self._reader.close()

    def next_append(self) -> anyio.Event:
        """Set once another event is durable: take it before you look."""
        return self._appended

    def jobs(self) -> list[Record]:
        """Every record, oldest first."""
        rows = self._reader.execute("SELECT record FROM jobs ORDER BY created, id")
        return [msgspec.json.decode(row[0], type=Record) for row in rows]

    def ledgers(self) -> dict[str, Ledger]:
        """Of every job that has reported."""
        rows = self._reader.execute("SELECT job, ledger FROM ledgers")
        return {job: msgspec.json.decode(ledger, type=Ledger) for job, ledger in rows}

    def unresolved(self) -> list[StoredReply]:
        """Every reply whose outcome is not known yet, in order."""
        rows = self._reader.execute("SELECT reply FROM replies WHERE NOT resolved ORDER BY job, n")
        return [msgspec.json.decode(row[0], type=StoredReply) for row in rows]

    def reply(self, job: str, n: int) -> StoredReply | None:
        row = self._reader.execute("SELECT reply FROM replies WHERE job = ? AND n = ?", (job, n)).fetchone()
        return None if row is None else msgspec.json.decode(row[0], type=StoredReply)

    def request(self, request_id: str) -> StoredRequest | None:
        """What a request was answered, if it was accepted within the last 24 hours."""
        row = self._reader.execute("SELECT * FROM requests WHERE id = ?", (request_id,)).fetchone()
        return None if row is None else StoredRequest(*row)

    def mark(self, name: str) -> int | None:
        """How far something had come in the events (`writes.PutMark`)."""
        row = self._reader.execute("SELECT value FROM meta WHERE key = ?", (name,)).fetchone()
        return None if row is None else int(row[0])

    def events(self, since: int, limit: int) -> list[Event]:
        """The first `limit` events after `since` that are applied too. RoostError `gone` when some of them are no longer kept, or when
        `since` is a number that none has had yet: it is another store's."""
        if since > self.last_seq:
            raise RoostError("gone", f"there is no event {since}; the last there is has seq {self.last_seq}")
        first = self._reader.execute("SELECT min(seq) FROM events").fetchone()[0] or self.last_seq + 1
        if since < first - 1:
            raise RoostError("gone", f"events after {since} are no longer all kept; the first there is has seq {first}")
        rows = self._reader.execute("SELECT * FROM events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?", (since, self.last_seq, limit))
        return [Event(seq, at, kind, job, msgspec.json.decode(data)) for seq, at, kind, job, data in rows]

    def first_kept(self) -> int:
        """A `since` that gives everything there is."""
        first = self._reader.execute("SELECT min(seq) FROM events").fetchone()[0]
        return self.last_seq if first is None else int(first) - 1

    def _last_seq(self) -> int:
        row = self._reader.execute("SELECT seq FROM sqlite_sequence WHERE name = 'events'").fetchone()
        return 0 if row is None else int(row[0])

    # --- the writer's thread

    def _write_all(self) -> None:
        connection = _open(self._path)
        while (first := self._queue.get()) is not None:
            group, last = self._gather(first)
            if not self._try(connection, group) and len(group) > 1:
                for commit in group:
                    self._try(connection, [commit])
            self._tell(group)
            if last:
                break
        connection.close()

    def _gather(self, first: _Commit) -> tuple[list[_Commit], bool]:
        group = [first]
        while len(group) < MAX_GROUP:
            try:
                commit = self._queue.get_nowait()
            except queue.Empty:
                break
            if commit is None:
                return group, True
            group.append(commit)
        return group, False

    def _try(self, connection: sqlite3.Connection, group: list[_Commit]) -> bool:
        error: Exception | None = None
        try:
            connection.execute("BEGIN IMMEDIATE")
            for commit in group:
                for sql, values in commit.statements:
                    connection.execute(sql, values)
            self._keep.prune(connection, sum(commit.appends for commit in group), sum(commit.size for commit in group), time.time())
            connection.execute("COMMIT")
        except Exception as failed:
            error = RoostError("full", f"the store cannot be written ({failed}): make room in {self._path.parent}")
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        for commit in group:
            commit.error = error
        return error is None

    def _tell(self, group: list[_Commit]) -> None:
        try:
            self._loop.call_soon_threadsafe(self._durable, group)
        except RuntimeError:
            return  # The loop is gone: nobody waits for this any more.

    # --- back in the event loop

    def _durable(self, group: list[_Commit]) -> None:
        appends = 0
        for commit in group:
            if commit.error is None:
                appends += commit.appends
                commit.error = _applied(commit)
        self.last_seq += appends
        for commit in group:
            if commit.durable.done():
                continue
            if commit.error is None:
                commit.durable.set_result(None)
            else:
                commit.durable.set_exception(commit.error)
        if appends:
            self._appended.set()
            self._appended = anyio.Event()


def _applied(commit: _Commit) -> Exception | None:
    """What went wrong, for who waits for this commit alone: the others go on."""
    try:
        commit.apply()
    except Exception as error:
        log.error("what is durable could not be taken up", exc_info=True)
        return error
    return None


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    version = _version(connection)
    if version is not None and version > VERSION:
        raise RoostError(
            "unsupported",
            f"{path} was written by a newer roost (schema {version}, this one knows {VERSION}): "
            "install that version again, or move the file away and lose the list of jobs",
        )
    connection.executescript(_SCHEMA)
    connection.execute("INSERT OR IGNORE INTO meta VALUES ('schema', ?)", (str(VERSION),))


def _version(connection: sqlite3.Connection) -> int | None:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        return None
    row: tuple[Any, ...] | None = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    return None if row is None else int(row[0])

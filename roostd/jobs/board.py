"""All jobs as they are now: the one place where records are kept in memory, changed and looked up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import anyio
from msgspec import structs

from roost_protocol.errors import RoostError
from roost_protocol.host import ExitRecord, Facts, HostRecord, Typed, TypeKeys
from roost_protocol.jobs import Job, Part
from roost_protocol.states import LIVE, State, stalled
from roostd.jobs.changes import Change, with_facts
from roostd.jobs.naming import resolve
from roostd.jobs.record import Record, StoredReply
from roostd.jobs.reports import ReportLedger
from roostd.jobs.seat import Seat
from roostd.jobs.store import Store
from roostd.jobs.writes import DropJob, PutJob, Write, appended

if TYPE_CHECKING:
    from roostd.jobs.hostlink import HostLink


class PendingKeys(NamedTuple):
    """Keys that were given to a host, and what waits for its answer."""

    message: TypeKeys
    answer: asyncio.Future[Typed]


class Entry:
    """One job in memory: its durable record, and what lives only as long as this daemon."""

    def __init__(self, record: Record, directory: Path, clock: Callable[[], float] = time.time) -> None:
        self.record = record
        self._clock = clock
        self.directory = directory
        self.facts = Facts()
        self.parts: list[Part] | None = record.job.parts
        self.lock = anyio.Lock()
        """Held while this job's record is being changed."""
        self.link: HostLink | None = None
        self.host: HostRecord | None = None
        self.started = anyio.Event()
        """Set once the first status has come, or the job has ended."""
        self.known = anyio.Event()
        """Set once its host has said how things are with it, or it has ended: what an earlier daemon knew may be old."""
        self.ended = anyio.Event()
        self.relaunch = anyio.Event()
        """Set by the client that comes again for a job that was accepted and never started."""
        self.awaits_relaunch = False
        self.tombstone: ExitRecord | None = None
        """What is to be left in its directory, if no host has begun: it is to end without having been started."""
        self.following = False
        self.seat = Seat()
        self.ledger = ReportLedger()
        self.replies: list[StoredReply] = []
        """Those whose outcome is not known, in order."""
        self.resolved = anyio.Event()
        """Set, and replaced, whenever a reply's outcome becomes known."""
        self.worked = 0
        """The number of the last status that said, by more than an answer that was entered, that it works."""
        self.rested: tuple[int, State] | None = None
        """The number of the last status by which it came to a settled state, and which one."""
        self.typing = 0
        """The number of the last reply that this link was given to type."""
        self.keys: dict[str, PendingKeys] = {}
        """Keys that are being typed, by their id."""

    @property
    def id(self) -> str:
        return self.record.job.id

    @property
    def live(self) -> bool:
        return self.record.job.state in LIVE

    def tell_last_report(self) -> None:
        """To the job's host: whether who made it is connected, and the report itself, should it not have come there."""
        if self.link is not None and self.ledger.last is not None:
            self.link.send(structs.replace(self.ledger.last, connected=self.seat.reports))

    @property
    def row(self) -> Job:
        """As everybody sees it."""
        if not self.live:
            return self.record.job
        row = with_facts(self.record.job, self.facts)
        return structs.replace(row, parts=self.parts, stalled=stalled(row.state, row.since, row.last_change, self._clock()))


class Board:
    """Every job by its id. Reads are at once; a change returns when it is durable."""

    def __init__(self, store: Store, jobs_dir: Path, clock: Callable[[], float] = time.time) -> None:
        self.store = store
        self.now = clock
        self._jobs_dir = jobs_dir
        self._entries: dict[str, Entry] = {}
        self._reserved: set[str] = set()
        self._changed = anyio.Event()

    def __iter__(self) -> Iterator[Entry]:
        return iter(list(self._entries.values()))

    def get(self, job: str) -> Entry | None:
        return self._entries.get(job)

    def find(self, ref: str) -> Entry:
        """The job that a person means. RoostError `not_found` or `ambiguous`."""
        return self._entries[resolve(ref, (entry.record.job for entry in self))]

    def rows(self, everything: bool = False) -> list[Job]:
        """What is shown, oldest first; superseded jobs too if `everything`."""
        return [entry.row for entry in self if everything or not entry.record.superseded]

    def directory(self, job: str) -> Path:
        return self._jobs_dir / job

    def put(self, record: Record) -> Entry:
        """Takes up a record that the store has."""
        entry = Entry(record, self.directory(record.job.id), self.now)
        self._entries[entry.id] = entry
        if record.launched:
            entry.started.set()  # An earlier daemon had the first status, and acked it: it does not come again.
        if not entry.live:
            for event in (entry.started, entry.known, entry.ended):
                event.set()
        self.notify()
        return entry

    def notify(self) -> None:
        """Wakes everybody who waits for some row to change."""
        self._changed.set()
        self._changed = anyio.Event()

    @property
    def changed(self) -> anyio.Event:
        """Set at the next change: take it before you look."""
        return self._changed

    @property
    def names(self) -> set[str]:
        """Taken names: of shown jobs, and of those about to be."""
        return {entry.record.job.name for entry in self if entry.record.job.name} | self._reserved

    @property
    def taken(self) -> set[str]:
        """What neither a new name nor a new id may be: one of each would mean two jobs."""
        return self.names | self._entries.keys()

    @contextmanager
    def reserve(self, name: str) -> Iterator[None]:
        """Keeps a name for a job that is being made durable. RoostError `conflict` if it is taken, or a job's id."""
        if name in self._entries:
            raise RoostError("conflict", f"{name!r} is the id of a job; choose another name")
        if name in self.names:
            raise RoostError("conflict", f"the name {name!r} is taken; choose another, or rename or remove that job")
        self._reserved.add(name)
        try:
            yield
        finally:
            self._reserved.discard(name)

    async def change(self, entry: Entry, how: Callable[[Record], Change], then: Callable[[], None] | None = None) -> None:
        """Changes one record durably, then calls `then` before anybody else hears of it.

        `how` may raise to leave all as it was. RoostError `full` if it cannot be stored.
        """
        async with entry.lock:
            self._must_have(entry)
            change = how(entry.record)
            writes: list[Write] = [*change.writes, *appended(entry.id, self.now(), change.news)]
            if change.record is not entry.record:
                writes.append(PutJob(change.record))
            if not writes:
                return

            def apply() -> None:
                self.install(entry, change.record)
                if then is not None:
                    then()

            await self.store.commit(writes, apply)

    async def drop(self, entry: Entry, also: list[Write]) -> None:
        """Forgets a job durably. RoostError `not_found` if somebody else has done so first."""

        def forget() -> None:
            self._entries.pop(entry.id, None)
            self.notify()

        async with entry.lock:
            self._must_have(entry)
            await self.store.commit([DropJob(entry.id), *also], forget)

    def _must_have(self, entry: Entry) -> None:
        if self._entries.get(entry.id) is not entry:
            raise RoostError("not_found", f"job {entry.id} has been removed")

    def install(self, entry: Entry, record: Record) -> None:
        """What has just become durable is how things are."""
        entry.record = record
        if not entry.live:
            for event in (entry.started, entry.known, entry.ended):
                event.set()
        self.notify()

    def parts(self, entry: Entry, parts: list[Part] | None) -> None:
        """What a job's programs say of themselves: every word of it is kept in memory alone."""
        entry.parts = parts
        self.notify()

    def facts(self, entry: Entry, facts: Facts) -> None:
        """What changes all the time is kept in memory alone."""
        entry.facts = facts
        self.notify()

"""The shell around the jobs: takes up what an earlier daemon left, and carries out what a person asks of a job that exists."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

import anyio
import msgspec
import structlog
from anyio.abc import TaskGroup

from roost_protocol import host as wire
from roost_protocol.errors import RoostError
from roost_protocol.jobs import Evidence, Job
from roost_protocol.states import LIVE
from roostd.jobs import probe, recovery
from roostd.jobs.board import Board, Entry
from roostd.jobs.changes import Change
from roostd.jobs.following import Follower
from roostd.jobs.guard import logged
from roostd.jobs.hostlink import HostLink
from roostd.jobs.launching import Launcher
from roostd.jobs.naming import fit, free
from roostd.jobs.news import News
from roostd.jobs.operations import Operations
from roostd.jobs.reaching import Reach
from roostd.jobs.record import LaunchSpec, Record, changed
from roostd.jobs.spawner import Spawner
from roostd.jobs.writes import Append, PutJob, StoredRequest, Write

log = structlog.get_logger()

RELAUNCH_WITHIN: Final = 10.0
"""Seconds that a client has to come again for a job that was accepted and never started."""

STUCK_AFTER: Final = 5.0
"""Seconds in which a host that is to end its job by force must answer."""

HEARD_WITHIN: Final = 2.0
"""Seconds for hosts to tell a new daemon how things are with their jobs."""


class Supervisor:
    """All jobs of this user."""

    def __init__(self, board: Board, tasks: TaskGroup, runtime: Path, agents_door: str) -> None:
        self.board = board
        self.operations = Operations(tasks)
        self.spawner = Spawner(tasks, str(runtime / "rehearsal"))
        self.follower = Follower(board, tasks)
        self.launcher = Launcher(board, self.spawner, self.follower, runtime, agents_door)
        self.reach = Reach(board)
        self._tasks = tasks

    async def recover(self, jobs_dir: Path) -> None:
        """Carries out the plan for everything that is found. Returns when all of it is known, what hosts have to say of it too: who asks
        first is not told what was so before. One that is stuck is not waited for longer than a moment."""
        records = {record.job.id: record for record in self.board.store.jobs()}
        ledgers = self.board.store.ledgers()
        for record in records.values():
            entry = self.board.put(record)
            entry.ledger = ledgers.get(entry.id, entry.ledger)
        for reply in self.board.store.unresolved():
            replied = self.board.get(reply.job)
            if replied is not None and replied.live:
                replied.replies.append(reply)
        for action in recovery.plan(probe.look_around(jobs_dir, records)):
            with logged("taking up a job", job=action.job):
                await self._carry_out(action)
        with anyio.move_on_after(HEARD_WITHIN):
            for entry in self.board:
                if entry.following:
                    await entry.known.wait()

    async def _carry_out(self, action: recovery.Action) -> None:
        entry = self.board.get(action.job)
        if isinstance(action, recovery.RemoveLeftovers):
            probe.remove(self.board.directory(action.job))
        elif isinstance(action, recovery.AdoptUnknown):
            self.follower.begin(await self._unknown(action.host), adopted=True)
        elif entry is None:
            return
        elif isinstance(action, recovery.AwaitRelaunch):
            entry.awaits_relaunch = True
            self._tasks.start_soon(self._await_relaunch, entry)
        elif isinstance(action, recovery.MarkLost) and action.why == recovery.NEVER_STARTED:
            await self.follower.bury(entry, action.why)
        else:
            # What was found may have changed by now: following looks for itself.
            self.follower.begin(entry, adopted=True)

    async def _unknown(self, host: wire.HostRecord) -> Entry:
        """A host of a job that the store does not know is kept under what little is known of it."""
        now = self.board.now()
        evidence = Evidence("daemon", "found its host, but no record of it", now)
        row = Job(
            id=host.job,
            name=free(fit(host.argv[0] if host.argv else "job"), self.board.taken),
            agent="generic",
            command=host.argv,
            cwd=host.cwd,
            state="starting",
            since=now,
            created=now,
            evidence=evidence,
        )
        record = Record(job=row, launch=LaunchSpec(agent=None, args=host.argv), token_hash=host.token_hash, launched=True)
        created = News("job.created", {"name": row.name, "agent": row.agent, "cwd": row.cwd, "previous": None})
        await self.board.store.commit([PutJob(record), Append(host.job, now, created)])
        return self.board.put(record)

    async def _await_relaunch(self, entry: Entry) -> None:
        with anyio.move_on_after(RELAUNCH_WITHIN):
            await entry.relaunch.wait()
        if entry.awaits_relaunch:
            entry.awaits_relaunch = False
            with logged("giving up a job", job=entry.id):
                await self.follower.bury(entry, recovery.NEVER_STARTED)

    async def stop(self, entry: Entry, force: bool, request: StoredRequest | None = None) -> Job:
        """Ends a job's tree; the wish is durable first. Returns its row once it has ended; at once if it has."""
        if entry.live:
            writes: list[Write] = [] if request is None else [request]
            try:
                await self.board.change(entry, lambda record: Change(_stopping(record, force), writes=writes))
            except RoostError as error:
                if error.code != "full":
                    raise
                # It may be this very job that fills the disk.
                self._tell_stop(entry, force)
                why = "it was told to end, but not even that can be kept; what became of it is known once there is room"
                raise RoostError(error.code, f"{error.message}: {why}") from None
            if entry.awaits_relaunch:
                entry.awaits_relaunch = False
                entry.relaunch.set()
                await self.follower.bury(entry, "it was stopped first", stopped=True)
            else:
                self._tell_stop(entry, force)
                if force:
                    await self._kill_if_stuck(entry)
        await entry.ended.wait()
        return entry.row

    async def _kill_if_stuck(self, entry: Entry) -> None:
        """A host that answers nothing ends no job either."""
        with anyio.move_on_after(STUCK_AFTER) as within, suppress(RoostError, OSError):
            await self.reach.asked(entry, HostLink.ask_evidence)
        if within.cancelled_caught and entry.live and entry.host is not None:
            log.warning("a host that answers nothing is killed", job=entry.id, pid=entry.host.pid)
            probe.kill(entry.host)

    def _tell_stop(self, entry: Entry, force: bool) -> None:
        """Over the link; a host that has none just now (what it says cannot be kept) takes a signal for the same. One that was suspended
        goes on: it hears neither."""
        probe.wake(entry.directory)
        if entry.link is not None:
            entry.link.send(wire.StopJob(force))
        elif entry.host is not None:
            probe.ask_to_stop(entry.host)

    async def rename(self, entry: Entry, name: str, request: StoredRequest | None) -> Job:
        """Names are unique among shown jobs."""
        if entry.record.job.name == name:
            return entry.row
        with self.board.reserve(name):

            def how(record: Record) -> Change:
                if record.superseded:
                    raise RoostError("conflict", f"{entry.id} was started again: its name belongs to the newer job")
                after = changed(record, name=name)
                writes: list[Write] = [] if request is None else [request]
                return Change(after, [News("job.renamed", {"from": record.job.name, "to": name})], writes)

            await self.board.change(entry, how)
        return entry.row

    async def remove(self, entry: Entry, request: StoredRequest | None) -> None:
        """Forgets an ended job and what it left on disk. RoostError `conflict` while it lives."""
        job = entry.record.job
        if entry.live:
            raise RoostError("conflict", f"{job.name or job.id} still runs: stop it first, or use `roost rm --stop`")
        also: list[Write] = [Append(entry.id, self.board.now(), News("job.removed", {"name": job.name}))]
        if request is not None:
            also.append(request)
        await self.board.drop(entry, also)
        await anyio.to_thread.run_sync(probe.remove, entry.directory)

    async def look(self, entry: Entry) -> None:
        """A person looks at a job that has ended."""
        if entry.record.job.seen:
            return
        with suppress(RoostError):  # A full disk keeps nobody from looking.
            await self.board.change(entry, lambda record: Change(changed(record, seen=True, parts=None)))

    async def close(self) -> None:
        """Jobs run on."""
        await self.spawner.close()


def _stopping(record: Record, force: bool) -> Record:
    if record.job.state not in LIVE:
        return record
    return msgspec.structs.replace(record, stop="forced" if force or record.stop == "forced" else "asked")

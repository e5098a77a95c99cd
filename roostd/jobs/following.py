"""Following a host, from its first status to its end, through cut links and swept sockets."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from typing import Final

import anyio
import msgspec
import structlog
from anyio.abc import TaskGroup

from roost_protocol import host as wire
from roost_protocol.states import settled
from roostd.crash import crash_point
from roostd.jobs import probe, replies
from roostd.jobs.board import Board, Entry
from roostd.jobs.changes import Change, clean_parts, exited, heard, looked_at, lost, told, with_facts
from roostd.jobs.guard import logged
from roostd.jobs.hostlink import HostLink
from roostd.jobs.record import Record, changed
from roostd.jobs.recovery import HOST_DIED, Found

log = structlog.get_logger()

FIRST_PAUSE: Final = 0.02
LONGEST_PAUSE: Final = 5.0
"""Seconds between attempts to reach a host that lives and does not answer."""

BURIED_WITHIN: Final = 1.0
"""Seconds that who asked for a job is kept, so that the list shows its end when they hear of it."""

COMES_BACK: Final = 10.0
"""Seconds in which an agent that was connected to an earlier daemon has come to this one. Until then its report stands."""


class Follower:
    """One task for each live job."""

    def __init__(self, board: Board, tasks: TaskGroup) -> None:
        self._board = board
        self._tasks = tasks
        self._engines_missed: set[str] = set()

    def begin(self, entry: Entry, adopted: bool = False) -> None:
        """Follows this job from now on, if nobody does yet. `adopted`: its host is an earlier daemon's."""
        if not entry.following and entry.live:
            entry.following = True
            if adopted and entry.ledger.last is not None:
                entry.seat.await_reporter(True)
                self._tasks.start_soon(self._await_reporter, entry)
            self._tasks.start_soon(self._follow, entry, adopted)

    async def bury(self, entry: Entry, why: str, stopped: bool = False) -> None:
        """Ends a job that was never started, and sees to it that no late host starts it. One that has been started is followed.

        Returns once it has ended, or soon: what cannot be kept is tried again until it can.
        """
        entry.tombstone = wire.ExitRecord(
            job=entry.id, ended=self._board.now(), exit_code=None, exit_signal=None, stopped=stopped, error=why
        )
        self.begin(entry)
        with anyio.move_on_after(BURIED_WITHIN):
            await entry.ended.wait()

    async def _await_reporter(self, entry: Entry) -> None:
        await anyio.sleep(COMES_BACK)
        entry.seat.await_reporter(False)
        entry.tell_last_report()

    async def _follow(self, entry: Entry, adopted: bool) -> None:
        pause = FIRST_PAUSE
        while entry.live:
            failed = True
            with logged("following a job", job=entry.id):
                if entry.tombstone is not None:
                    probe.bury(entry.directory, entry.tombstone)
                    entry.tombstone = None
                pause = FIRST_PAUSE if await self._link(entry, adopted) else _longer(pause)
                found = await self._gone(entry, pause)
                if found is not None:
                    await self._end(entry, found)
                failed = False
            if failed:
                pause = _longer(pause)
                await anyio.sleep(pause)

    async def _link(self, entry: Entry, adopted: bool) -> bool:
        """One connection, from its beginning to its end; whether there was one."""
        found = probe.look(entry.directory, entry.record)
        if found.host is None or not found.locked:
            return False
        entry.host = found.host
        try:
            link, linked = await HostLink.open(found.host.socket)
        except (OSError, TimeoutError):
            return False
        try:
            if adopted:
                crash_point("adopt")
            await self._board.change(entry, lambda record: Change(_spoken_for(record, linked.token_hash)))
            self._note_engine(linked)
            self._greet(entry, link)
            async for message in link.messages():
                await self._hear(entry, link, message)
        finally:
            entry.link = None
            link.close()
        return True

    def _note_engine(self, linked: wire.Linked) -> None:
        """Each reason once: it holds for every job."""
        why = linked.not_engine
        if why is not None and why not in self._engines_missed:
            self._engines_missed.add(why)
            log.warning("jobs have another mirror than was configured", engine=linked.engine, why=why, job=linked.job)

    def _greet(self, entry: Entry, link: HostLink) -> None:
        """What was asked of the job before, and may not have arrived, is asked again."""
        entry.link, entry.typing = link, 0
        if entry.record.stop != "no":
            link.send(wire.StopJob(entry.record.stop == "forced"))
        entry.tell_last_report()
        for keys in entry.keys.values():
            link.send(keys.message)
        replies.push(entry)
        self._board.notify()

    async def _hear(self, entry: Entry, link: HostLink, message: wire.HostToLink) -> None:
        if isinstance(message, wire.Status):
            status = message
            if status.state == "working" and status.evidence.signal != "input":
                entry.worked = status.n

            before = entry.record.job.state

            def then() -> None:
                # The same state said anew (it rang, its question has an echo in it) is no end of what was sent since.
                if status.state != before and settled(status.state, entry.record.knows_idle):
                    entry.rested = status.n, status.state

            await self._board.change(entry, lambda record: heard(record, status, entry.facts.attached), then)
            entry.started.set()
            link.send(wire.StatusAck(status.n))
        elif isinstance(message, wire.FactsNow):
            self._board.facts(entry, message.facts)
            entry.known.set()  # Facts come behind the statuses that nobody had acked.
            if not entry.record.job.seen and looked_at(entry.record.job, message.facts):
                await self._board.change(entry, lambda record: Change(changed(record, seen=True)))
        elif isinstance(message, wire.PartsNow):
            parts = clean_parts(message.parts)
            self._board.parts(entry, parts)
            await self._board.change(entry, lambda record: told(record, parts))
        elif isinstance(message, wire.Typed):
            await replies.typed(self._board, entry, message)

    async def _gone(self, entry: Entry, pause: float) -> Found | None:
        """What the host left, if it is gone. One that is ending is waited for; one whose socket was swept makes it again."""
        found = probe.look(entry.directory, entry.record)
        if not found.locked:
            return found
        if found.host is None:
            await anyio.sleep(pause)
            return None
        if found.exit is None and not probe.has_socket(found.host):
            probe.remake_socket(found.host)
        await _end_of(found.host.pid, pause)
        found = probe.look(entry.directory, entry.record)
        return None if found.locked else found

    async def _end(self, entry: Entry, found: Found) -> None:
        exit_record, now = found.exit, self._board.now()
        if exit_record is None:
            # First of all: of a job whose end is durable the next daemon finds nothing to do.
            await anyio.to_thread.run_sync(probe.end_orphans, entry.id)
            if found.host is not None:
                probe.remove_socket(found.host)

        def how(record: Record) -> Change:
            if exit_record is None:
                settled = replies.at_end(entry.replies, [], "the job was lost; whether it was typed is not known")
                return _and(lost(_last_known(record, entry), HOST_DIED, now), settled)
            settled = replies.at_end(entry.replies, exit_record.typed, "the job ended before it was typed")
            return _and(exited(record, exit_record), settled)

        await self._board.change(entry, how, partial(replies.forget, entry))
        crash_point("end")
        log.info("job ended", job=entry.id, state=entry.record.job.state)


def _longer(pause: float) -> float:
    return min(pause * 2, LONGEST_PAUSE)


async def _end_of(pid: int, within: float) -> None:
    """Returns when the process has ended, or after so many seconds."""
    try:
        fd = os.pidfd_open(pid)
    except (OSError, AttributeError):
        await anyio.sleep(within)
        return
    ended = anyio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(fd, ended.set)
    try:
        with anyio.move_on_after(within):
            await ended.wait()
    finally:
        loop.remove_reader(fd)
        os.close(fd)


def _last_known(record: Record, entry: Entry) -> Record:
    """What changes all the time is kept at the end, as it was."""
    return msgspec.structs.replace(record, job=msgspec.structs.replace(with_facts(record.job, entry.facts), parts=entry.parts))


def _spoken_for(record: Record, token_hash: str) -> Record:
    """The host's token is the one that the job has: an earlier daemon's start may have won over a later one."""
    if not token_hash or record.token_hash == token_hash:
        return record
    return msgspec.structs.replace(record, launched=True, token_hash=token_hash)


def _and(change: Change, settled: replies.Settled) -> Change:
    return Change(change.record, [*settled.news, *change.news], settled.writes)

"""Follows the events and has the notices told: each at most once, none of what was so before this daemon began, none to who looks.

A notice has the number of its event, which is durable before anybody hears of it; each daemon tells of the events that it has itself made
durable. So one that is killed in between tells it never, rather than twice: the next one finds by the mark what may not have been told,
and says so in its log. The list shows it all the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

import anyio
import structlog
from anyio.abc import TaskGroup

from roost_protocol.errors import RoostError
from roost_protocol.jobs import Job
from roost_protocol.operator import Event
from roostd import config
from roostd.crash import crash_point
from roostd.jobs.board import Board, Entry
from roostd.jobs.guard import logged
from roostd.jobs.writes import PutMark
from roostd.notify.cooldown import Cooldown
from roostd.notify.notices import Notice, Turns, holds
from roostd.notify.settings import OFF, Settings
from roostd.notify.tellers import Tellers

log = structlog.get_logger()

CHUNK: Final = 200

LOOK_BACK: Final = 1000
"""Events that are searched for what an earlier daemon could not tell."""

MARK: Final = "notified"
"""The event up to which nothing is left to tell."""

_BUSY = ("working", "waiting", "quiet")


class Notifier:
    """Made once all that an earlier daemon left is known; `run` goes on until it is cancelled."""

    def __init__(self, board: Board, tasks: TaskGroup, environ: Mapping[str, str], clock: Callable[[], float] = time.monotonic) -> None:
        self._board = board
        self._tasks = tasks
        self._environ = environ
        self._clock = clock
        self._tellers = Tellers(board, environ)
        self._cooldown = Cooldown()
        self._turns = Turns(entry.id for entry in board if entry.record.job.state in _BUSY)
        self._found = {entry.id for entry in board}
        self._began = board.now()
        self._since = board.store.last_seq
        self._complaint = ""
        self._being_told = 0

    async def run(self) -> None:
        with logged("looking for what was not told"):
            await self._say_what_was_left()
        while True:
            more = self._board.store.next_append()
            found, failed = False, True
            with logged("looking for what is to be told"):
                found = await self._look()
                failed = False
            if failed:
                await more.wait()
            elif not found:
                await self._more(more)

    async def _look(self) -> bool:
        """Takes the next events; whether there were any."""
        store = self._board.store
        try:
            events = store.events(self._since, CHUNK)
        except RoostError:  # pruned before they were read: a flood, and old news
            self._since = store.last_seq
            return True
        for event in events:
            self._since = event.seq
            await self._take(event)
        await self._tell_due()
        return bool(events)

    async def _more(self, more: anyio.Event) -> None:
        """Until there is another event, or something falls due."""
        due = self._cooldown.next
        with anyio.move_on_after(None if due is None else max(0.0, due - self._clock())):
            await more.wait()

    async def _take(self, event: Event) -> None:
        notice = self._turns.notice(event)
        if event.kind == "job.removed":
            self._cooldown.forget(event.job)
        elif event.kind == "job.state" and event.data.get("from") != event.data.get("to"):
            self._cooldown.moved_on(event.job)
        if notice is None or not self._worth(notice):
            return
        settings = await self._settings()
        if notice.what in settings.events and self._cooldown.take(notice, settings.cooldown, self._clock()):
            self._tell(notice, settings)

    async def _tell_due(self) -> None:
        due = self._cooldown.next
        if due is None or due > self._clock():
            return
        settings = await self._settings()
        for notice in self._cooldown.due(settings.cooldown, self._clock()):
            if notice.what in settings.events and self._worth(notice):
                self._tell(notice, settings)

    def _worth(self, notice: Notice) -> bool:
        entry = self._board.get(notice.job)
        return entry is not None and holds(notice, entry.row) and not looked_on(entry) and not self._is_old(notice, entry)

    def _is_old(self, notice: Notice, entry: Entry) -> bool:
        """Whether it was so before this daemon began, and is only heard of now."""
        if entry.id not in self._found:
            return False
        if notice.what == "lost":
            return entry.host is None
        began = notice.rang if notice.what == "attention" else entry.record.job.since
        return began is not None and began < self._began

    def _tell(self, notice: Notice, settings: Settings) -> None:
        entry = self._board.get(notice.job)
        if entry is not None:
            crash_point("notify")
            self._being_told += 1
            self._tasks.start_soon(self._have_told, notice, entry.row, settings)

    async def _have_told(self, notice: Notice, row: Job, settings: Settings) -> None:
        with logged("a notification", job=notice.job):
            await self._tellers.tell(notice, row, settings)
        self._being_told -= 1
        if not self._being_told:
            with logged("keeping what was told"):
                await self._board.store.commit([PutMark(MARK, self._since)])

    async def _settings(self) -> Settings:
        """As they are now. A file with a mistake in it tells nothing; that is said once."""
        try:
            found = await anyio.to_thread.run_sync(config.load_notify, self._environ, abandon_on_cancel=True)
        except RoostError as error:
            if error.message != self._complaint:
                log.warning("no notifications, since the configuration is wrong", why=error.message)
            self._complaint = error.message
            return OFF
        self._complaint = ""
        return found

    async def _say_what_was_left(self) -> None:
        """What an earlier daemon may have had no time to tell is said in the log alone."""
        store = self._board.store
        told = store.mark(MARK)
        if told is not None:
            self._say_untold(told)
        await store.commit([PutMark(MARK, self._since)])

    def _say_untold(self, told: int) -> None:
        store = self._board.store
        turns = Turns(entry.id for entry in self._board)
        events = store.events(max(told, store.first_kept(), self._since - LOOK_BACK), LOOK_BACK)
        left = [notice for event in events if event.seq <= self._since and (notice := turns.notice(event))]
        untold = sorted({notice.job for notice in left if (row := self._row(notice)) is not None and holds(notice, row)})
        if untold:
            log.warning("perhaps not notified: the daemon before ended first", jobs=untold)

    def _row(self, notice: Notice) -> Job | None:
        entry = self._board.get(notice.job)
        return None if entry is None else entry.row


def looked_on(entry: Entry) -> bool:
    """Whether somebody has it on a terminal now, or had when it ended."""
    return entry.facts.attached > 0

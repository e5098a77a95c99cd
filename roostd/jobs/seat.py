"""Who speaks for a job over the agents' door: by that it is known which way its replies go, and whether its last report stands.

One at a time takes replies, the newest. Who only reports takes nothing from it, and may do so beside others: the hooks of one agent run
when they like.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import msgspec

from roostd.jobs.record import Record, StoredReply


class Speaker(Protocol):
    """A connection that has said hello with a job's token."""

    @property
    def granted(self) -> list[str]:
        """What it announced that this daemon can do."""

    def push(self, pending: Iterable[StoredReply]) -> None:
        """Sends what it has not been sent yet."""

    def supersede(self) -> None:
        """Another one takes the replies from now on."""


class Seat:
    """One for each job. What a record says of who takes replies comes from here alone, and is asked for while the record is being changed:
    an agent that leaves and comes back in between has not left."""

    def __init__(self) -> None:
        self._holder: Speaker | None = None
        self._reporter: Speaker | None = None
        self._awaited = False

    @property
    def reports(self) -> bool | None:
        """Whether who made the last report is connected: so long it stands. None while that cannot be told."""
        return None if self._awaited else self._reporter is not None

    def await_reporter(self, awaited: bool) -> None:
        """Whether who made the last report to an earlier daemon is given time to come to this one."""
        self._awaited = awaited

    def reported(self, speaker: Speaker) -> None:
        """The last report is this one's."""
        self._reporter, self._awaited = speaker, False

    def hush(self, speaker: Speaker) -> bool:
        """It reports no more. Whether the last report was its own."""
        if self._reporter is not speaker:
            return False
        self._reporter = None
        return True

    def take(self, speaker: Speaker) -> None:
        """It takes the replies from now on."""
        before, self._holder = self._holder, speaker
        if before is not None:
            before.supersede()

    def leave(self, speaker: Speaker) -> bool:
        """Whether nobody has it now, who had it before."""
        if self._holder is not speaker:
            return False
        self._holder = None
        return True

    def kept(self, record: Record) -> Record:
        """The same record, saying which way the replies that come from now on go, and of which kinds they may be."""
        does, grants = self._holder is not None, [] if self._holder is None else self._holder.granted
        same = (record.takes_replies, record.grants) == (does, grants)
        return record if same else msgspec.structs.replace(record, takes_replies=does, grants=grants)

    def push(self, pending: Iterable[StoredReply]) -> None:
        if self._holder is not None:
            self._holder.push(pending)

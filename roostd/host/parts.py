"""Tells the daemon what the job's programs said of themselves (OSC 7501): when it changed, and not at every step of it."""

from __future__ import annotations

from collections.abc import Callable

from roost_protocol.host import PartsNow
from roostd.host.loop import Loop
from roostd.host.program_status import ProgramRecords
from roostd.host.timers import Timer

PAUSE = 1.0
"""Seconds between two tellings."""


class Parts:
    """The first change after a pause goes at once, the last of several later; a job that says nothing has no timer."""

    def __init__(self, loop: Loop, records: ProgramRecords, send: Callable[[PartsNow], None]) -> None:
        self._loop = loop
        self._records = records
        self._send = send
        self._timer: Timer | None = None
        self._sent_at = float("-inf")
        self._sent = 0

    @property
    def now(self) -> PartsNow | None:
        """What there is to tell a daemon that comes; None where nothing was ever said."""
        return PartsNow(self._records.parts()) if self._records.revision else None

    def update(self) -> None:
        """Something may have changed."""
        if self._records.revision == self._sent or (self._timer and self._timer.pending):
            return
        wait = self._sent_at + PAUSE - self._loop.now()
        if wait <= 0:
            self._tell()
        else:
            self._timer = self._loop.after(wait, self._tell)

    def _tell(self) -> None:
        if self._records.revision != self._sent:
            self._sent, self._sent_at = self._records.revision, self._loop.now()
            self._send(PartsNow(self._records.parts()))

"""What the daemon must learn of this job and may be away for: numbered statuses until they are acked, and the newest facts."""

from __future__ import annotations

import time
from collections.abc import Callable

from roost_protocol.delivery import Outbox
from roost_protocol.host import Facts, Status
from roost_protocol.jobs import Attention, Evidence
from roostd.host.arbiter import Verdict
from roostd.host.loop import Loop
from roostd.host.timers import Timer

KEPT = 10_000
"""Statuses that wait for an ack; over it the oldest goes."""

FACTS_PAUSE = 0.5
"""Seconds between two facts."""


class Statuses:
    """`publish` numbers and keeps; `send` hears of each. The first facts after a pause go at once, the last of several later."""

    def __init__(self, loop: Loop, send: Callable[[Status], None], send_facts: Callable[[Facts], None]) -> None:
        self._loop = loop
        self._send = send
        self._send_facts = send_facts
        self._outbox: Outbox[Status] = Outbox(limit=KEPT)
        self._timer: Timer | None = None
        self._sent_at = float("-inf")
        self._sent: Facts | None = None
        self._state: str | None = None
        self._since = 0.0
        self.facts = Facts()

    @property
    def pending(self) -> list[Status]:
        """What is not acked, in order."""
        return [status for _, status in self._outbox.pending]

    @property
    def last(self) -> int:
        """The number of the last status; 0 before the first."""
        return self._outbox.last

    def ack(self, number: int) -> None:
        self._outbox.ack(number)

    def publish(self, verdict: Verdict, *, knows_idle: bool, session_ref: str | None) -> None:
        """A new snapshot of what the job is doing."""
        since = self._state_since(verdict)
        status = status_of(verdict, n=self._outbox.next(), since=since, wall=self.wall, knows_idle=knows_idle, ref=session_ref)
        self._outbox.put(status)
        self._send(status)

    def update(self, facts: Facts) -> None:
        """The facts as they are now; sent if they differ, not more often than the pause allows."""
        self.facts = facts
        if facts == self._sent or (self._timer and self._timer.pending):
            return
        wait = self._sent_at + FACTS_PAUSE - self._loop.now()
        if wait <= 0:
            self._tell()
        else:
            self._timer = self._loop.after(wait, self._tell)

    def wall(self, moment: float) -> float:
        """A monotonic moment in Unix seconds."""
        return time.time() - (self._loop.now() - moment)

    def _state_since(self, verdict: Verdict) -> float:
        if verdict.state != self._state:
            self._state, self._since = verdict.state, time.time()
        return self._since

    def _tell(self) -> None:
        if self.facts != self._sent:
            self._sent, self._sent_at = self.facts, self._loop.now()
            self._send_facts(self.facts)


def status_of(verdict: Verdict, *, n: int, since: float, wall: Callable[[float], float], knows_idle: bool, ref: str | None) -> Status:
    """A verdict as the daemon gets it; `wall` turns its moments into Unix seconds."""
    finding, rang = verdict.finding, verdict.attention
    return Status(
        n=n,
        state=verdict.state,
        since=since,
        evidence=Evidence(finding.signal, finding.detail, wall(finding.at)),
        waiting_for=finding.waiting_for,
        question=finding.question,
        choices=None if finding.choices is None else list(finding.choices),
        attention=None if rang is None else Attention(wall(rang.at), rang.signal, rang.text),
        knows_idle=knows_idle,
        session_ref=ref,
    )

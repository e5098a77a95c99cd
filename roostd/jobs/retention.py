"""How long events and answers are kept: by age and by size, looked at when something is written, never by a timer."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

DAY = 86400.0

PARTS: Final = 8
"""By one part in so many, and one transaction, `max_bytes` may be passed."""


@dataclass(slots=True)
class Retention:
    """Prunes at the start, at every `every`th event, and when what has come since is a good part of what is kept."""

    max_age: float = 30 * DAY
    max_bytes: int = 256 * 1024 * 1024
    request_age: float = DAY
    every: int = 1000
    since_last: int = 0
    bytes_since: int = 0

    def begin(self, connection: sqlite3.Connection, now: float) -> None:
        """Prunes what grew too old while no daemon ran."""
        connection.execute("BEGIN IMMEDIATE")
        self._prune(connection, now)
        connection.execute("COMMIT")

    def prune(self, connection: sqlite3.Connection, appended: int, size: int, now: float) -> None:
        """Within the transaction that appended so many events, of so many bytes."""
        self.since_last += appended
        self.bytes_since += size
        if self.since_last >= self.every or self.bytes_since * PARTS >= self.max_bytes:
            self.since_last = self.bytes_since = 0
            self._prune(connection, now)

    def _prune(self, connection: sqlite3.Connection, now: float) -> None:
        connection.execute("DELETE FROM events WHERE at < ?", (now - self.max_age,))
        connection.execute("DELETE FROM requests WHERE at < ?", (now - self.request_age,))
        # Oldest first: everything behind the newest events that together fit the bound.
        connection.execute(
            """DELETE FROM events WHERE seq <= coalesce((
                 SELECT max(seq) FROM (
                   SELECT seq, sum(length(data) + 64) OVER (ORDER BY seq DESC) AS newer FROM events
                 ) WHERE newer > ?), 0)""",
            (self.max_bytes,),
        )

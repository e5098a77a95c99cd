"""What can be written to the store, each as a value that knows its SQL."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from roostd.jobs.news import News
from roostd.jobs.record import Record, StoredReply
from roostd.jobs.reports import ReportLedger

Statement = tuple[str, tuple[Any, ...]]

_encode = msgspec.json.encode


@dataclass(frozen=True, slots=True)
class PutJob:
    record: Record

    def statements(self) -> list[Statement]:
        job = self.record.job
        return [("INSERT OR REPLACE INTO jobs VALUES (?, ?, ?)", (job.id, job.created, _encode(self.record)))]


@dataclass(frozen=True, slots=True)
class DropJob:
    """Forgets a job; its events stay."""

    job: str

    def statements(self) -> list[Statement]:
        return [
            ("DELETE FROM jobs WHERE id = ?", (self.job,)),
            ("DELETE FROM replies WHERE job = ?", (self.job,)),
            ("DELETE FROM ledgers WHERE job = ?", (self.job,)),
        ]


@dataclass(frozen=True, slots=True)
class Append:
    """The next event."""

    job: str
    at: float
    news: News

    def statements(self) -> list[Statement]:
        values = (self.at, self.news.kind, self.job, _encode(self.news.data))
        return [("INSERT INTO events (at, kind, job, data) VALUES (?, ?, ?, ?)", values)]


@dataclass(frozen=True, slots=True)
class StoredRequest:
    """A changing request that was carried out: its job, and its reply's number. The answer is the job as it is now."""

    id: str
    verb: str
    at: float
    job: str | None = None
    n: int | None = None

    def statements(self) -> list[Statement]:
        values = (self.id, self.verb, self.at, self.job, self.n)
        return [("INSERT OR REPLACE INTO requests VALUES (?, ?, ?, ?, ?)", values)]


@dataclass(frozen=True, slots=True)
class PutReply:
    reply: StoredReply

    def statements(self) -> list[Statement]:
        reply = self.reply
        values = (reply.job, reply.n, _encode(reply), reply.outcome != "pending")
        return [("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", values)]


@dataclass(frozen=True, slots=True)
class PutLedger:
    job: str
    ledger: ReportLedger

    def statements(self) -> list[Statement]:
        return [("INSERT OR REPLACE INTO ledgers VALUES (?, ?)", (self.job, _encode(self.ledger)))]


@dataclass(frozen=True, slots=True)
class PutMark:
    """A number under a name: how far something has come in the events."""

    name: str
    seq: int

    def statements(self) -> list[Statement]:
        return [("INSERT OR REPLACE INTO meta VALUES (?, ?)", (self.name, str(self.seq)))]


Write = PutJob | DropJob | Append | StoredRequest | PutReply | PutLedger | PutMark


def appended(job: str, at: float, news: Iterable[News]) -> list[Write]:
    """One event for each piece of news."""
    return [Append(job, at, one) for one in news]

"""Which events are worth telling a person, and in which words. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import msgspec

from roost_protocol.jobs import Job
from roost_protocol.operator import Event
from roost_protocol.text import printable
from roostd.notify.settings import What

LONGEST: Final = 200
"""Characters of what is asked or said; a notification is a pointer, not a page."""

_STATES: Final[dict[str, What]] = {"waiting": "waiting", "done": "done", "failed": "failed", "lost": "lost"}


class Notice(NamedTuple):
    """One event worth telling: `id` is its number, `at` when it was published (Unix seconds)."""

    id: int
    at: float
    job: str
    what: What
    said: str | None = None
    """What rang said, of `attention`."""
    rang: float | None = None
    """When it rang, of `attention`."""


class Turns:
    """Remembers who has worked: an agent that is idle is worth telling only at the end of a turn."""

    def __init__(self, working: Iterable[str] = ()) -> None:
        self._working = set(working)

    def notice(self, event: Event) -> Notice | None:
        """The notice of the next event. None where nothing is to be told; the same state again never is."""
        if event.kind == "job.attention":
            return Notice(event.seq, event.at, event.job, "attention", event.data.get("text"), event.data.get("at"))
        if event.kind == "job.removed":
            self._working.discard(event.job)
        if event.kind != "job.state" or event.data.get("from") == event.data.get("to"):
            return None
        what = self._what(event.job, event.data.get("to"))
        return None if what is None else Notice(event.seq, event.at, event.job, what)

    def _what(self, job: str, state: Any) -> What | None:
        if state == "working":
            self._working.add(job)
        elif state == "idle":
            worked = job in self._working
            self._working.discard(job)
            return "idle" if worked else None
        return _STATES.get(state)


def holds(notice: Notice, job: Job) -> bool:
    """Whether it is still so, and nobody has looked since."""
    if job.attached:
        return False
    if notice.what == "attention":
        return job.attention is not None and job.attention.at == notice.rang
    return job.state == notice.what and not job.seen


def title(notice: Notice, job: Job) -> str:
    """`fix-login waits: approval`."""
    name = printable(job.name or job.id)
    if notice.what == "waiting":
        return f"{name} waits: {job.waiting_for}" if job.waiting_for else f"{name} waits for you"
    if notice.what == "attention":
        return f"{name} rang"
    return f"{name} failed" if notice.what == "failed" else f"{name} is {notice.what}"


def body(notice: Notice, job: Job) -> str:
    """What it asks, says or ended with; may be empty."""
    said = {
        "waiting": job.question or job.text,
        "attention": notice.said,
        "failed": _how(job),
        "lost": job.evidence.detail if job.evidence else None,
    }.get(notice.what, job.text)
    return printable(said or "")[:LONGEST]


def facts(notice: Notice, job: Job) -> bytes:
    """What a command is given: one JSON object, the job as in every answer that names one. A job has no secret of ours in it."""
    told = {"id": notice.id, "at": notice.at, "what": notice.what, "title": title(notice, job), "body": body(notice, job), "job": job}
    return msgspec.json.encode(told) + b"\n"


def _how(job: Job) -> str | None:
    if job.exit_signal:
        return job.exit_signal
    return None if job.exit_code is None else f"exit code {job.exit_code}"

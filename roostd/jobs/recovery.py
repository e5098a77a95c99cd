"""What a new daemon does with what an older one left. Pure: what was found goes in, a plan comes out.

A host's lock is the only witness of its life; its exit record is the only witness of its job's end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from roost_protocol.host import ExitRecord, HostRecord
from roost_protocol.states import LIVE
from roostd.jobs.record import Record


@dataclass(frozen=True, slots=True)
class Found:
    """One job: its record, if the store has one, and what lies in its directory. `locked` says that a host lives."""

    job: str
    record: Record | None
    host: HostRecord | None
    exit: ExitRecord | None
    locked: bool


@dataclass(frozen=True, slots=True)
class Adopt:
    """Its host lives: take it up. What was asked of it (stop, replies) is asked again."""

    job: str


@dataclass(frozen=True, slots=True)
class AdoptUnknown:
    """A host lives that the store knows nothing of: take it up under a new record."""

    job: str
    host: HostRecord


@dataclass(frozen=True, slots=True)
class TakeExit:
    """It ended while nobody looked."""

    job: str
    exit: ExitRecord


@dataclass(frozen=True, slots=True)
class MarkLost:
    """Its host is gone without a word; what it left behind is ended."""

    job: str
    why: str


@dataclass(frozen=True, slots=True)
class AwaitRelaunch:
    """It was accepted and never started: its client may come again and have it started, under the same id."""

    job: str


@dataclass(frozen=True, slots=True)
class RemoveLeftovers:
    """A directory of no job: one that was never accepted, or was being removed."""

    job: str


Action = Adopt | AdoptUnknown | TakeExit | MarkLost | AwaitRelaunch | RemoveLeftovers

HOST_DIED = "its host died and left no exit record"
NEVER_STARTED = "the daemon died before it could start"


def plan(found: Iterable[Found]) -> list[Action]:
    """One action for each job that needs one, in the order given."""
    actions = (_action(one) for one in found)
    return [action for action in actions if action is not None]


def _action(found: Found) -> Action | None:
    record = found.record
    if record is None:
        return _without_record(found)
    if record.job.state not in LIVE:
        return None
    if found.locked:
        return Adopt(found.job)
    if found.exit is not None:
        return TakeExit(found.job, found.exit)
    if record.launched or found.host is not None:
        return MarkLost(found.job, HOST_DIED)
    return AwaitRelaunch(found.job) if record.request_id else MarkLost(found.job, NEVER_STARTED)


def _without_record(found: Found) -> Action | None:
    if not found.locked:
        return RemoveLeftovers(found.job)
    # A host that has its lock and no record yet is about to write one, or to find that its job was removed.
    return AdoptUnknown(found.job, found.host) if found.host is not None else None

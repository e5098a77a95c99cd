from __future__ import annotations

import pytest

from roost_protocol.host import ExitRecord, HostRecord
from roostd.jobs.record import Record
from roostd.jobs.recovery import (
    HOST_DIED,
    NEVER_STARTED,
    Action,
    Adopt,
    AdoptUnknown,
    AwaitRelaunch,
    Found,
    MarkLost,
    RemoveLeftovers,
    TakeExit,
    plan,
)
from tests.roostd.jobs.made import record

ID = "a1b2c3d4"
HOST = HostRecord(job=ID, pid=1, start=1, boot="b", socket="/run/x", token_hash="", version="1")
EXIT = ExitRecord(job=ID, ended=1.0, exit_code=0, exit_signal=None)
LIVE = record(state="working")
PROMISED = record(launched=False, request_id="r1")


@pytest.mark.parametrize(
    ("kept", "host", "exit_record", "locked", "action"),
    [
        (LIVE, HOST, None, True, Adopt(ID)),
        (LIVE, HOST, EXIT, True, Adopt(ID)),
        (LIVE, None, None, True, Adopt(ID)),
        (LIVE, HOST, EXIT, False, TakeExit(ID, EXIT)),
        (LIVE, HOST, None, False, MarkLost(ID, HOST_DIED)),
        (LIVE, None, None, False, MarkLost(ID, HOST_DIED)),
        (PROMISED, None, None, False, AwaitRelaunch(ID)),
        (PROMISED, HOST, None, False, MarkLost(ID, HOST_DIED)),
        (PROMISED, HOST, None, True, Adopt(ID)),
        (PROMISED, None, EXIT, False, TakeExit(ID, EXIT)),
        (record(launched=False), None, None, False, MarkLost(ID, NEVER_STARTED)),
        (record(state="done"), HOST, EXIT, False, None),
        (record(state="lost"), HOST, None, True, None),
        (None, HOST, None, True, AdoptUnknown(ID, HOST)),
        (None, None, None, True, None),
        (None, HOST, EXIT, False, RemoveLeftovers(ID)),
        (None, None, None, False, RemoveLeftovers(ID)),
    ],
)
def test_each_finding_has_one_action(
    kept: Record | None, host: HostRecord | None, exit_record: ExitRecord | None, locked: bool, action: Action | None
) -> None:
    assert plan([Found(ID, kept, host, exit_record, locked)]) == ([] if action is None else [action])


def test_each_job_has_its_own() -> None:
    found = [Found("one", None, None, None, False), Found(ID, LIVE, HOST, None, True)]
    assert plan(found) == [RemoveLeftovers("one"), Adopt(ID)]

"""Records for the tests of the pure parts."""

from __future__ import annotations

from typing import Any

from roost_protocol.host import Status
from roost_protocol.jobs import Evidence, Job
from roost_protocol.states import State
from roostd.jobs.record import LaunchSpec, Record


def job(**fields: Any) -> Job:
    given: dict[str, Any] = {
        "id": "a1b2c3d4",
        "name": "codex",
        "agent": "codex",
        "command": ["codex"],
        "cwd": "/",
        "state": "starting",
        "since": 1.0,
        "created": 1.0,
    }
    return Job(**{**given, **fields})


def record(*, launched: bool = True, request_id: str | None = None, stop: Any = "no", **fields: Any) -> Record:
    return Record(
        job=job(**fields),
        launch=LaunchSpec(agent="codex", args=[]),
        token_hash="0" * 64,
        launched=launched,
        request_id=request_id,
        stop=stop,
    )


def status(n: int, state: State, **fields: Any) -> Status:
    given: dict[str, Any] = {"since": 10.0 + n, "evidence": Evidence("pattern", "seen", 10.0 + n)}
    return Status(n=n, state=state, **{**given, **fields})

"""`job.screen`: what a job's terminal shows, or showed last."""

import json
from typing import Any

from roost_protocol.errors import RoostError
from roost_protocol.operator import JobScreen, Screen
from roostd.jobs.board import Entry
from roostd.server.call import Call

PARAMS = JobScreen


async def handle(call: Call) -> Screen:
    params: JobScreen = call.params
    entry = call.supervisor.board.find(params.job)
    data = await call.supervisor.reach.asked(entry, lambda link: link.ask_screen(params.ansi, params.lines))
    return _kept(entry, params) if data is None else _screen(entry.id, data)


def _screen(job: str, data: dict[str, Any]) -> Screen:
    return Screen(job, data["cols"], data["rows"], data["lines"], data.get("title"))


def _kept(entry: Entry, params: JobScreen) -> Screen:
    try:
        data = json.loads((entry.directory / "screen.json").read_bytes())
    except (OSError, ValueError):
        raise RoostError("gone", f"no screen of {entry.record.job.name or entry.id} is kept") from None
    lines = data["ansi"] if params.ansi else data["lines"]
    history = data.get("history", [])
    before = history[len(history) - params.lines :] if 0 < params.lines < len(history) else history if params.lines else []
    return Screen(entry.id, data["cols"], data["rows"], [*before, *lines], data.get("title"))

"""`job.screen`: what a job's terminal shows, or showed last."""

import json
from typing import Any

import anyio.to_thread
import msgspec

from roost_protocol.errors import RoostError
from roost_protocol.operator import JobScreen, Screen
from roost_protocol.pictures import Picture
from roostd.host import record, screenshot
from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.jobs.board import Entry
from roostd.server.call import Call

PARAMS = JobScreen


async def handle(call: Call) -> Screen:
    params: JobScreen = call.params
    entry = call.supervisor.board.find(params.job)
    data = await call.supervisor.reach.asked(entry, lambda link: link.ask_screen(params.ansi, params.lines, params.cells))
    return await _kept(entry, params) if data is None else _screen(entry.id, data)


def _screen(job: str, data: dict[str, Any]) -> Screen:
    picture = data.get("picture")
    shown = None if picture is None else msgspec.convert(picture, Picture)
    return Screen(job, data["cols"], data["rows"], data["lines"], data.get("title"), shown, data.get("engine"))


async def _kept(entry: Entry, params: JobScreen) -> Screen:
    try:
        data = json.loads((entry.directory / record.SCREEN).read_bytes())
        drawn = (entry.directory / record.ANSI).read_bytes() if params.cells else b""
    except (OSError, ValueError):
        raise RoostError("gone", f"no screen of {entry.record.job.name or entry.id} is kept") from None
    if params.cells:
        # A screen with all its history takes a while to draw, and the daemon has others to serve.
        redrawn = await anyio.to_thread.run_sync(_redrawn, data, drawn, params)
        return _screen(entry.id, {**redrawn, "engine": data.get("engine")})
    lines = data["ansi"] if params.ansi else data["lines"]
    history = data.get("history", [])
    before = history[len(history) - params.lines :] if 0 < params.lines < len(history) else history if params.lines else []
    return Screen(entry.id, data["cols"], data["rows"], [*before, *lines], data.get("title"), engine=data.get("engine"))


def _redrawn(data: dict[str, Any], drawn: bytes, params: JobScreen) -> dict[str, Any]:
    """What was kept, on a mirror again: it draws the terminal as it was."""
    mirror = PyteMirror(data["cols"], data["rows"])
    mirror.feed(drawn)
    return screenshot.screen(mirror, ansi=params.ansi, lines=params.lines, cells=True)

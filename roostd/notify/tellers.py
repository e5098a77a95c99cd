"""The ways of telling a notice: on the desktop, by a command of the person's, in terminals that show other jobs."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import anyio
import structlog

from roost_protocol.host import Announce
from roost_protocol.jobs import Job
from roostd.jobs.board import Board
from roostd.notify import notices
from roostd.notify.children import LIMIT, run
from roostd.notify.notices import Notice
from roostd.notify.settings import Settings

log = structlog.get_logger()

LINUX: Final = ["notify-send", "--app-name=roost", "--", "{title}", "{markup}"]
MACOS: Final = [
    "osascript",
    *("-e", "on run argv", "-e", "display notification (item 2 of argv) with title (item 1 of argv)", "-e", "end run"),
    "{title}",
    "{body}",
]

AT_ONCE: Final = 4
"""Programs of one way that run at the same time: when fifty jobs end at once nothing else should suffer."""


class Tellers:
    """Tells a notice in every way that the settings name. What fails or hangs is logged when it begins to, and harms nothing."""

    def __init__(self, board: Board, environ: Mapping[str, str], limit: float = LIMIT) -> None:
        self._board = board
        self._environ = environ
        self._limit = limit
        self._room = {way: anyio.Semaphore(AT_ONCE) for way in ("desktop", "command")}
        self._failing: set[str] = set()

    async def tell(self, notice: Notice, job: Job, settings: Settings) -> None:
        if settings.terminal:
            self._announce(notice, job)
        async with anyio.create_task_group() as tasks:
            if argv := desktop(settings, self._environ):
                tasks.start_soon(self._run, "desktop", filled(argv, notice, job), b"")
            if settings.command is not None:
                tasks.start_soon(self._run, "command", settings.command, notices.facts(notice, job))

    async def _run(self, way: str, argv: Sequence[str], said: bytes) -> None:
        async with self._room[way]:
            why = await run(argv, said, self._environ, self._limit)
        if why is None:
            self._failing.discard(way)
        elif way not in self._failing:
            self._failing.add(way)
            log.warning("a notification could not be told; until one can be, no more is said of it", way=way, program=argv[0], why=why)

    def _announce(self, notice: Notice, job: Job) -> None:
        """Who looks at another job may be at that terminal."""
        said = ": ".join(part for part in (notices.title(notice, job), notices.body(notice, job)) if part)
        for entry in self._board:
            if entry.id != notice.job and entry.live and entry.facts.attached and entry.link is not None:
                entry.link.send(Announce(f"roost: {said}"))


def desktop(settings: Settings, environ: Mapping[str, str], platform: str = sys.platform) -> list[str] | None:
    """The template of the desktop's notification; None where there is none to be had."""
    if isinstance(settings.desktop, list):
        return settings.desktop
    argv = MACOS if platform == "darwin" else LINUX
    if not settings.desktop or shutil.which(argv[0], path=environ.get("PATH", "")) is None:
        return None
    # Without a session's bus notify-send could only fail, or start a bus that nobody listens to.
    return argv if platform == "darwin" or _has_bus(environ) else None


def filled(argv: Sequence[str], notice: Notice, job: Job) -> list[str]:
    """The template with its placeholders replaced, each a whole element."""
    said = notices.body(notice, job)
    values = {
        "{title}": notices.title(notice, job),
        "{body}": said,
        "{markup}": _escaped(said),
        "{job}": job.id,
        "{name}": job.name or job.id,
        "{what}": notice.what,
    }
    return [values.get(element, element) for element in argv]


def _escaped(text: str) -> str:
    """For servers that read markup in a body (Desktop Notifications Specification, "Markup"): nothing that an agent says is a link."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _has_bus(environ: Mapping[str, str], exists: Callable[[Path], bool] = Path.exists) -> bool:
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    return bool(environ.get("DBUS_SESSION_BUS_ADDRESS")) or (runtime.startswith("/") and exists(Path(runtime) / "bus"))

"""The composition root: what the daemon is made of, in the order in which it comes up and goes down."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import anyio
import msgspec
import structlog
from anyio.abc import TaskGroup

from roost_protocol import paths
from roost_protocol.operator import PROTOCOL, DaemonRecord, Sockets
from roostd import directories, process
from roostd.jobs.board import Board
from roostd.jobs.guard import logged
from roostd.jobs.probe import write_durably
from roostd.jobs.store import Store
from roostd.jobs.supervisor import Supervisor
from roostd.log import hear, start_log
from roostd.notify.notifier import Notifier
from roostd.server import agents, registry, session
from roostd.server.daemon import DaemonFacts
from roostd.server.lines import Lines
from roostd.server.listener import Door
from roostd.version import VERSION

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Places:
    """Where this daemon's things are."""

    state: Path
    runtime: Path

    @property
    def sockets(self) -> Sockets:
        return Sockets(paths.operator_socket(str(self.runtime)), paths.agent_socket(str(self.runtime)))


def run(state: Path, ready: Callable[[], None]) -> None:
    """Serves until it is told to end. The daemon's lock must be held. `ready` is called once everybody can come.

    RoostError before that says why it cannot be.
    """
    runtime = directories.choose_runtime(dict(os.environ), os.getuid(), state)
    directories.make_runtime(runtime)
    start_log(Path(paths.daemon_log(str(state))))
    kept = directories.KeptFolder(runtime)
    try:
        anyio.run(_serve, Places(state, runtime), kept, ready)
    except Exception as error:
        first = _first(error)
        log.error("the daemon failed", exc_info=first)
        raise first from None
    finally:
        kept.close()


def _first(error: BaseException) -> BaseException:
    """What went wrong, out of the groups that a task group makes of it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def _serve(places: Places, kept: directories.KeptFolder, ready: Callable[[], None]) -> None:
    hear(asyncio.get_running_loop())
    handlers = registry.load()
    store = Store(places.state / "roostd.db")
    stopping = anyio.Event()
    facts = DaemonFacts(os.getpid(), time.time(), places.state, places.sockets, stopping.set)
    try:
        async with anyio.create_task_group() as tasks:
            board = Board(store, places.state / "jobs")
            supervisor = Supervisor(board, tasks, places.runtime, places.sockets.agent)
            doors = _doors(places, tasks, supervisor, handlers, facts)
            _on_signals(places, kept, doors, supervisor, stopping)
            await supervisor.recover(places.state / "jobs")
            notifier = Notifier(board, tasks, dict(os.environ))
            for door in doors:
                door.open()
            _write_record(places, facts)
            log.info("serving", pid=facts.pid, version=VERSION, runtime=str(places.runtime))
            ready()
            tasks.start_soon(notifier.run)
            with logged("warming the spawner"):
                await supervisor.spawner.warm()
            await stopping.wait()
            for door in doors:
                door.remove()
            await supervisor.close()
            log.info("ended", pid=facts.pid)
            tasks.cancel_scope.cancel()
    finally:
        store.close()


def _doors(
    places: Places,
    tasks: TaskGroup,
    supervisor: Supervisor,
    handlers: dict[str, registry.Handler],
    facts: DaemonFacts,
) -> list[Door]:
    async def person(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await session.Session(Lines(reader, writer, session.FULL), handlers, supervisor, facts).serve()

    async def agent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await agents.AgentConnection(Lines(reader, writer, agents.FULL), supervisor.board).serve()

    refused = [msgspec.json.encode(message) + b"\n" for message in (session.UNAUTHORIZED, agents.UNAUTHORIZED)]
    return [
        Door(Path(places.sockets.operator), person, refused[0], tasks),
        Door(Path(places.sockets.agent), agent, refused[1], tasks),
    ]


def _on_signals(places: Places, kept: directories.KeptFolder, doors: list[Door], supervisor: Supervisor, stopping: anyio.Event) -> None:
    """SIGTERM and SIGINT end the daemon; SIGUSR1 brings back what was swept from the runtime folder."""

    def bring_back() -> None:
        if stopping.is_set():
            return  # Nobody would take the sockets away again.
        try:
            directories.make_runtime(places.runtime)
            kept.retake()
            for door in doors:
                door.open()
        except Exception as error:
            log.error("the sockets cannot be made again", why=str(error))
            return
        supervisor.reach.sockets_swept()

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stopping.set)
    loop.add_signal_handler(signal.SIGINT, stopping.set)
    loop.add_signal_handler(signal.SIGUSR1, bring_back)
    loop.add_signal_handler(signal.SIGHUP, lambda: None)


def _write_record(places: Places, facts: DaemonFacts) -> None:
    record = DaemonRecord(
        pid=facts.pid,
        start=process.start_time(facts.pid) or 0,
        boot=process.boot_id(),
        version=VERSION,
        protocol=PROTOCOL,
        started=facts.started,
        runtime=str(places.runtime),
        sockets=facts.sockets,
    )
    write_durably(Path(paths.daemon_record(str(places.state))), msgspec.json.encode(record))

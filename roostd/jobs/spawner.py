"""The daemon's end of the spawner: started when it is first needed, started again when it dies."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import suppress

import anyio
import msgspec
import structlog
from anyio.abc import TaskGroup

from roost_protocol.frame import LineReader
from roost_protocol.host import HostSpec, NotUp, Spawn, SpawnerMessage, Up
from roostd.crash import crash_point
from roostd.jobs.guard import logged

log = structlog.get_logger()

_decoder = msgspec.json.Decoder(SpawnerMessage)
_GRACE = 2.0
_TRIES = 5


class SpawnerDied(Exception):
    """It ended before it answered; the host may have been forked or not."""


class Spawner:
    """`spawn` has a host forked; `warm` starts the process ahead of that. `folder` is the name of one that it may make for a while."""

    def __init__(self, tasks: TaskGroup, folder: str) -> None:
        self._tasks = tasks
        self._folder = folder
        self._starting = anyio.Lock()
        self._writer: asyncio.StreamWriter | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: dict[str, asyncio.Future[Up | NotUp]] = {}

    async def spawn(self, spec: HostSpec) -> Up | NotUp:
        """The host's answer. Tried again if the spawner dies: the host's lock keeps a job from running twice."""
        for _ in range(_TRIES):
            try:
                return await self._spawn(spec)
            except SpawnerDied:
                log.warning("the spawner died while it started a job", job=spec.job)
            except OSError as error:
                where = f"{error.filename}: " if error.filename else ""
                return NotUp(spec.job, f"the spawner cannot be started: {where}{error.strerror or error}")
        return NotUp(spec.job, f"the spawner died {_TRIES} times while it started this job")

    async def warm(self) -> asyncio.StreamWriter:
        """Starts the process if none runs. OSError if it cannot be started."""
        async with self._starting:
            if self._writer is None:
                self._writer = await self._start()
            return self._writer

    async def close(self) -> None:
        """Lets it end; hosts live on."""
        process = self._process
        if self._writer is not None:
            self._writer.close()
        if process is not None:
            await anyio.to_thread.run_sync(_reap, process)

    async def _spawn(self, spec: HostSpec) -> Up | NotUp:
        writer = await self.warm()
        waiting: asyncio.Future[Up | NotUp] = asyncio.get_running_loop().create_future()
        self._waiting[spec.job] = waiting
        writer.write(msgspec.json.encode(Spawn(spec)) + b"\n")
        crash_point("spawn")
        try:
            return await waiting
        finally:
            self._waiting.pop(spec.job, None)

    async def _start(self) -> asyncio.StreamWriter:
        ours, process = _fork(self._folder)
        try:
            reader, writer = await asyncio.open_unix_connection(sock=ours)
        except OSError:
            ours.close()
            await anyio.to_thread.run_sync(_reap, process)
            raise
        self._process = process
        self._tasks.start_soon(self._listen, reader, process)
        return writer

    async def _listen(self, reader: asyncio.StreamReader, process: subprocess.Popen[bytes]) -> None:
        with logged("listening to the spawner"):
            async for message in _messages(reader):
                self._heard(message)
        if self._writer is not None:
            self._writer.close()
        self._writer = None
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(SpawnerDied())
        await anyio.to_thread.run_sync(_reap, process)
        log.warning("the spawner ended", pid=process.pid, status=process.returncode)

    def _heard(self, message: SpawnerMessage) -> None:
        if not isinstance(message, Up | NotUp):
            log.info("host ended", job=message.job, pid=message.pid, status=message.status)
            return
        waiting = self._waiting.get(message.job)
        if waiting is not None and not waiting.done():
            waiting.set_result(message)


async def _messages(reader: asyncio.StreamReader) -> AsyncIterator[SpawnerMessage]:
    lines = LineReader()
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            for line in lines.feed(data):
                yield _decoder.decode(line)


def _fork(folder: str) -> tuple[socket.socket, subprocess.Popen[bytes]]:
    ours, theirs = socket.socketpair()
    try:
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "roostd.host.spawner", folder],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,
            )
    except OSError:
        ours.close()
        raise
    return ours, process


def _reap(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

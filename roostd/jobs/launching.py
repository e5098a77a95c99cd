"""From a request to a running job. The order matters, since the daemon may be killed between any two lines:

the directory, the record with its request and its event (durable), the host (its lock keeps it the only one), the answer.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import msgspec

from roost_protocol.errors import RoostError
from roost_protocol.host import NotUp
from roost_protocol.jobs import Evidence, Job
from roost_protocol.operator import Caller, JobRun
from roost_protocol.paths import host_socket
from roostd.crash import crash_point
from roostd.jobs import probe
from roostd.jobs.board import Board, Entry
from roostd.jobs.changes import Change
from roostd.jobs.following import Follower
from roostd.jobs.naming import fit, free
from roostd.jobs.news import News
from roostd.jobs.record import LaunchSpec, Record, changed
from roostd.jobs.spawner import Spawner
from roostd.jobs.starting import Start, prepare
from roostd.jobs.writes import PutJob, StoredRequest, Write, appended
from roostd.token import hash_token, new_token


@dataclass(frozen=True, slots=True)
class Asked:
    """Which request asks: by its id it is known again."""

    verb: str
    request_id: str | None


class Launcher:
    """Starts jobs."""

    def __init__(self, board: Board, spawner: Spawner, follower: Follower, runtime: Path, agents_door: str) -> None:
        self._board = board
        self._spawner = spawner
        self._follower = follower
        self._runtime = runtime
        self._agents_door = agents_door

    async def run(self, params: JobRun, asked: Asked) -> Job:
        """`job.run`: a new job, or the one that this request made before."""
        spec = LaunchSpec(agent=params.agent, args=params.args, task=params.task, model=params.model, thinking=params.thinking)
        known = self._known(asked)
        if known is not None:
            return await self._go_on(known, lambda: prepare(spec, params.caller, params.cwd, params.env))
        start = await _at_leisure(lambda: prepare(spec, params.caller, params.cwd, params.env))
        wish = fit(params.agent or params.args[0])
        name = params.name or free(wish, self._board.taken)
        with self._board.reserve(name):
            entry, token = await self._accept(start, spec, name, asked, None)
        return await self._start(entry, start, token)

    async def anew(self, ref: str, caller: Caller, asked: Asked, resume: bool) -> Job:
        """`job.again` and `job.resume`: a new job that takes over the name of an ended one."""
        known = self._known(asked)
        if known is not None:
            old = self._board.find(known.record.job.previous or ref)
            return await self._go_on(known, lambda: self._prepare_anew(old, caller, resume))
        old = self._board.find(ref)
        if old.live:
            raise RoostError("conflict", f"{old.record.job.name or old.id} still runs: stop it first")
        replaced = old.record.superseded
        start = await _at_leisure(lambda: self._prepare_anew(old, caller, resume))
        async with old.lock:
            if self._board.get(old.id) is not old:
                raise RoostError("not_found", f"{old.record.job.name or old.id} has been removed")
            if old.record.superseded and not replaced:
                raise RoostError("conflict", f"{old.id} has just been started again")
            entry, token = await self._take_over(old, start, asked)
        return await self._start(entry, start, token)

    def _prepare_anew(self, old: Entry, caller: Caller, resume: bool) -> Start:
        job = old.record.job
        if resume and job.session_ref is None:
            raise RoostError("unsupported", f"no session of {job.name or job.id} is known; `roost again` starts it from the beginning")
        return prepare(old.record.launch, caller, job.cwd, resume=job.session_ref if resume else None)

    async def _take_over(self, old: Entry, start: Start, asked: Asked) -> tuple[Entry, str]:
        name = old.record.job.name
        if name is not None:
            return await self._accept(start, old.record.launch, name, asked, old)
        name = free(fit(old.record.job.agent), self._board.taken)
        with self._board.reserve(name):
            return await self._accept(start, old.record.launch, name, asked, old)

    def _known(self, asked: Asked) -> Entry | None:
        """The job that this very request has made before."""
        stored = self._board.store.request(asked.request_id) if asked.request_id else None
        if stored is None:
            return None
        if stored.verb != asked.verb:
            raise RoostError("bad_request", f"request id {stored.id!r} was used for {stored.verb}; take a new one")
        entry = self._board.get(stored.job or "")
        if entry is None:
            raise RoostError("not_found", "the job of this request has been removed")
        return entry

    async def _go_on(self, entry: Entry, again: Callable[[], Start]) -> Job:
        if entry.awaits_relaunch:
            entry.awaits_relaunch = False
            entry.relaunch.set()
            async with self._or_buried(entry):
                start, token = await _at_leisure(again), new_token()
                await self._board.change(entry, lambda record: Change(_with_token(record, token)))
            return await self._start(entry, start, token)
        await entry.started.wait()
        return entry.row

    async def _accept(self, start: Start, spec: LaunchSpec, name: str, asked: Asked, old: Entry | None) -> tuple[Entry, str]:
        """The job is promised: durable, with the request that made it."""
        job_id = self._new_id()
        directory = self._board.directory(job_id)
        _make(directory)
        now, token = self._board.now(), new_token()
        job = _row(job_id, name, start, now, old)
        record = Record(job=job, launch=spec, token_hash=hash_token(token), request_id=asked.request_id, detach=start.profile.detach)
        created = News("job.created", {"name": name, "agent": job.agent, "cwd": job.cwd, "previous": job.previous})
        writes: list[Write] = [PutJob(record), *appended(job_id, now, [created])]
        if asked.request_id:
            writes.append(StoredRequest(asked.request_id, asked.verb, now, job_id))
        superseded = None if old is None else _superseded(old.record)
        if superseded is not None:
            writes.append(PutJob(superseded))

        def apply() -> None:
            if old is not None and superseded is not None:
                self._board.install(old, superseded)
            self._board.put(record)

        crash_point("accept")
        try:
            await self._board.store.commit(writes, apply)
        except RoostError:
            probe.remove(directory)
            raise
        crash_point("commit")
        entry = self._board.get(job_id)
        assert entry is not None
        return entry, token

    async def _start(self, entry: Entry, start: Start, token: str) -> Job:
        async with self._or_buried(entry):
            spec = start.spec(
                job=entry.id,
                directory=str(entry.directory),
                socket=host_socket(str(self._runtime), entry.id),
                agents_door=self._agents_door,
                token=token,
                token_hash=hash_token(token),
            )
            answer = await self._spawner.spawn(spec)
            found = probe.look(entry.directory, entry.record)
            if isinstance(answer, NotUp) and not found.locked and found.exit is None and found.host is None:
                raise RoostError("internal", f"{entry.record.job.name or entry.id} could not be started: {answer.why}")
        # The job runs, and that is the answer: what its host says of it comes to who follows.
        self._follower.begin(entry)
        crash_point("ack")
        return entry.row

    @asynccontextmanager
    async def _or_buried(self, entry: Entry) -> AsyncIterator[None]:
        """Whatever goes wrong in here, a job that has been promised does not stay `starting`."""
        try:
            yield
        except Exception as error:
            why = error.message if isinstance(error, RoostError) else f"could not be started: {type(error).__name__}"
            await self._follower.bury(entry, why)
            raise

    def _new_id(self) -> str:
        while True:
            job_id = secrets.token_hex(4)
            if job_id not in self._board.taken and not self._board.directory(job_id).exists():
                return job_id


async def _at_leisure(prepared: Callable[[], Start]) -> Start:
    """In a thread: it looks at files wherever a person's PATH and configuration lie, which may be on a mount that does not answer."""
    return await anyio.to_thread.run_sync(prepared, abandon_on_cancel=True)


def _make(directory: Path) -> None:
    try:
        directory.mkdir(mode=0o700)
    except OSError as error:
        raise RoostError("full", f"{directory} cannot be made: {error.strerror}") from None


def _row(job_id: str, name: str, start: Start, now: float, old: Entry | None) -> Job:
    return Job(
        id=job_id,
        name=name,
        agent=start.profile.name,
        command=start.launch.argv,
        cwd=start.cwd,
        state="starting",
        since=now,
        created=now,
        evidence=Evidence("process", "spawned", now),
        session_ref=start.launch.session_ref,
        previous=None if old is None else old.id,
    )


def _superseded(record: Record) -> Record:
    return msgspec.structs.replace(changed(record, name=None), superseded=True)


def _with_token(record: Record, token: str) -> Record:
    return msgspec.structs.replace(record, token_hash=hash_token(token))

"""Changing requests: each is carried out once, to its end, whoever stops listening meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import structlog
from anyio.abc import TaskGroup

from roost_protocol.errors import RoostError

log = structlog.get_logger()


class _Outcome:
    """What an operation that runs will say, for any number of listeners."""

    def __init__(self, verb: str) -> None:
        self.verb = verb
        self.value: Any = None
        self.error: RoostError | None = None
        self._done = anyio.Event()

    async def run(self, work: Callable[[], Awaitable[Any]]) -> None:
        try:
            self.value = await work()
        except RoostError as error:
            self.error = error
        except Exception as error:
            log.error("operation failed", verb=self.verb, exc_info=True)
            self.error = RoostError("internal", f"{self.verb} failed: {type(error).__name__}; see `roost daemon logs`")
        finally:
            self._done.set()

    async def wait(self) -> Any:
        await self._done.wait()
        if self.error is not None:
            raise RoostError(self.error.code, self.error.message)
        return self.value


class Operations:
    """Runs operations in the daemon's own task group. One with a request id that is running already is joined."""

    def __init__(self, tasks: TaskGroup) -> None:
        self._tasks = tasks
        self._running: dict[str, _Outcome] = {}

    async def run(self, verb: str, request_id: str | None, work: Callable[[], Awaitable[Any]]) -> Any:
        """The operation's answer, or its RoostError. Cancelling the caller does not cancel the operation."""
        if request_id is None:
            outcome = _Outcome(verb)
            self._tasks.start_soon(outcome.run, work)
            return await outcome.wait()
        running = self._running.get(request_id)
        if running is None:
            running = self._running[request_id] = _Outcome(verb)
            self._tasks.start_soon(self._run_known, request_id, running, work)
        elif running.verb != verb:
            raise RoostError("bad_request", f"request id {request_id!r} was used for {running.verb}; take a new one")
        return await running.wait()

    async def _run_known(self, request_id: str, outcome: _Outcome, work: Callable[[], Awaitable[Any]]) -> None:
        try:
            await outcome.run(work)
        finally:
            del self._running[request_id]

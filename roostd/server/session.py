"""One connection of a person's tool: hello, then requests, answered as they are done."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
import msgspec
import structlog
from anyio.abc import TaskGroup

from roost_protocol.agent import Peer
from roost_protocol.decoding import MALFORMED
from roost_protocol.errors import RoostError
from roost_protocol.frame import MAX_LINE, TooLong
from roost_protocol.operator import PROTOCOL, Failure, Hello, Refusal, Request
from roostd.jobs.supervisor import Supervisor
from roostd.server.call import Call
from roostd.server.daemon import DaemonFacts
from roostd.server.lines import Lines
from roostd.server.params import decode
from roostd.server.registry import Handler
from roostd.version import VERSION

log = structlog.get_logger()

FULL = Failure(0, Refusal("full", "you do not read what you are sent; connect again and go on from where you were"))
UNAUTHORIZED = Failure(0, Refusal("unauthorized", "this daemon belongs to another user"))

_hello = msgspec.json.Decoder(Hello)
_request = msgspec.json.Decoder(Request)


class _Id(msgspec.Struct):
    id: int = 0


@dataclass(frozen=True, slots=True)
class Session:
    """Serves one connection until it ends; what only listens (waits, subscriptions) ends with it, what changes something goes on."""

    lines: Lines
    handlers: dict[str, Handler]
    supervisor: Supervisor
    daemon: DaemonFacts

    async def serve(self) -> None:
        self.lines.send(Hello(PROTOCOL, Peer("roostd", VERSION)))
        greeted = False
        async with anyio.create_task_group() as tasks:
            try:
                async for line in self.lines.read():
                    if greeted:
                        self._take(line, tasks)
                    elif not (greeted := self._greet(line)):
                        break
            except TooLong:
                self._refuse(0, RoostError("too_large", f"a line may have {MAX_LINE} bytes"))
            except ConnectionError:
                pass
            tasks.cancel_scope.cancel()

    def _greet(self, line: bytes) -> bool:
        try:
            hello = _hello.decode(line)
        except MALFORMED as error:
            self._refuse(_id_of(line), RoostError("bad_request", f"the first line must be a hello: {error}"))
            return False
        if hello.protocol < 1:
            self._refuse(0, RoostError("unsupported", f"protocol {hello.protocol} is not spoken here; {PROTOCOL} is"))
            return False
        if hello.state is not None and not self.daemon.keeps(hello.state):
            why = f"this daemon keeps its state in {self.daemon.state}, not in {hello.state}: set ROOST_RUNTIME_DIR as well, or neither"
            self._refuse(0, RoostError("refused", why))
            return False
        return True

    def _take(self, line: bytes, tasks: TaskGroup) -> None:
        try:
            request = _request.decode(line)
        except MALFORMED as error:
            self._refuse(_id_of(line), RoostError("bad_request", f"not a request: {error}"))
            return
        handler = self.handlers.get(request.verb)
        if handler is None:
            self._refuse(request.id, RoostError("unsupported", f"this daemon ({VERSION}) does not know {request.verb!r}"))
            return
        tasks.start_soon(self._answer, request, handler)

    async def _answer(self, request: Request, handler: Handler) -> None:
        call: Call | None = None
        try:
            call = self._call(request, handler)
            with anyio.fail_after(None if handler.own_deadline else request.timeout):
                answer = await handler.handle(call)
            self.lines.send({"id": request.id, "ok": answer})
        except RoostError as error:
            self._refuse(request.id, error)
        except TimeoutError:
            self._refuse(request.id, RoostError("timeout", f"{request.verb} was not done in time"))
        except ConnectionError:
            return
        except Exception:
            log.error("a request failed", verb=request.verb, exc_info=True)
            self._refuse(request.id, RoostError("internal", f"{request.verb} failed; `roost daemon logs` has the details"))
        for then in call.afterwards if call is not None else ():
            then()

    def _call(self, request: Request, handler: Handler) -> Call:
        return Call(
            verb=request.verb,
            params=decode(request.verb, request.params, handler.params),
            request_id=request.request_id,
            timeout=request.timeout,
            supervisor=self.supervisor,
            daemon=self.daemon,
            item=partial(self._item, request.id),
        )

    async def _item(self, number: int, item: Any) -> None:
        self.lines.send({"id": number, "item": item})
        await self.lines.drained()

    def _refuse(self, number: int, error: RoostError) -> None:
        self.lines.send(Failure(number, Refusal(error.code, error.message)))


def _id_of(line: bytes) -> int:
    """Whom a malformed line is to be answered as, if it says."""
    try:
        return msgspec.json.decode(line, type=_Id).id
    except MALFORMED:
        return 0

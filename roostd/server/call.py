"""One request on its way through a handler."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from roost_protocol.errors import RoostError
from roostd.jobs.supervisor import Supervisor
from roostd.jobs.writes import StoredRequest
from roostd.server.daemon import DaemonFacts


@dataclass(slots=True)
class Call:
    """What a handler gets. `params` is the struct of the handler's PARAMS; `timeout` is seconds from receipt.

    `item` sends one item of a subscription, waiting while the client is slow. `afterwards` runs once the answer has been sent.
    """

    verb: str
    params: Any
    request_id: str | None
    timeout: float | None
    supervisor: Supervisor
    daemon: DaemonFacts
    item: Callable[[Any], Awaitable[None]]
    afterwards: list[Callable[[], None]] = field(default_factory=list)

    def answered(self, job: str) -> StoredRequest | None:
        """What is stored with a change, so that the same request is known again."""
        if self.request_id is None:
            return None
        return StoredRequest(self.request_id, self.verb, self.supervisor.board.now(), job)

    def before(self) -> StoredRequest | None:
        """This very request, if it was carried out before. RoostError `bad_request` if its id was another verb's."""
        stored = self.supervisor.board.store.request(self.request_id) if self.request_id else None
        if stored is not None and stored.verb != self.verb:
            raise RoostError("bad_request", f"request id {stored.id!r} was used for {stored.verb}; take a new one")
        return stored

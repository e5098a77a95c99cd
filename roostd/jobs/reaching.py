"""Reaching the hosts of live jobs: their links, their sockets, what they can be asked."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Final

import anyio

from roost_protocol import host as wire
from roost_protocol.errors import RoostError
from roost_protocol.states import LIVE
from roostd.jobs import probe
from roostd.jobs.board import Board, Entry, PendingKeys
from roostd.jobs.changes import Change
from roostd.jobs.hostlink import HostLink
from roostd.jobs.machine import AlreadyEnded
from roostd.jobs.record import Record
from roostd.jobs.writes import StoredRequest

REACHED_WITHIN: Final = 5.0
"""Seconds for a host to be linked again."""

ANSWERED_WITHIN: Final = 10.0
"""Seconds for a host to answer a question: one that takes longer is stopped, or stuck."""

RETRY_AFTER: Final = 0.05
"""Seconds before a host that is ending, or making its socket again, is looked at once more."""


class Reach:
    """What is asked of hosts on a person's behalf. A job that has ended has none."""

    def __init__(self, board: Board) -> None:
        self.board = board

    async def keys(self, entry: Entry, keys: list[str], request_id: str | None, request: StoredRequest | None) -> None:
        """Types keys, once for one request id; `request` is kept first, where it is new. RoostError `refused` with the host's reason."""
        if request is not None:
            await self.board.change(entry, lambda record: _asked(record, request))
        link = await self.link(entry)
        number = f"keys:{request_id or secrets.token_hex(8)}"
        pending = PendingKeys(wire.TypeKeys(number, keys), asyncio.get_running_loop().create_future())
        entry.keys[number] = pending
        link.send(pending.message)
        link.send(wire.ForgetAttention())
        try:
            typed = await pending.answer
        finally:
            entry.keys.pop(number, None)
        if typed.outcome == "refused":
            raise RoostError("refused", typed.why or "the host refused these keys")

    async def link(self, entry: Entry) -> HostLink:
        """The link to a live job's host, waited for where the daemon has only just begun. RoostError `ended` or `refused`."""
        with anyio.move_on_after(REACHED_WITHIN):
            while entry.live:
                changed_event = self.board.changed
                if entry.link is not None:
                    return entry.link
                await changed_event.wait()
            raise AlreadyEnded(entry.record.job.state)
        raise RoostError("refused", f"the host of {entry.record.job.name or entry.id} does not answer; try again")

    async def asked(self, entry: Entry, question: Callable[[HostLink], Awaitable[dict[str, Any]]]) -> dict[str, Any] | None:
        """A live job's host's answer; None of a job that has ended, or ends meanwhile. RoostError `refused`."""
        while entry.live:
            try:
                link = await self.link(entry)
                with anyio.fail_after(ANSWERED_WITHIN):
                    return await question(link)
            except TimeoutError:
                name = entry.record.job.name or entry.id
                raise RoostError(
                    "refused", f"the host of {name} does not answer now; try again, or end it with `roost stop --force {name}`"
                ) from None
            except RoostError as error:
                if error.code != "ended":
                    raise
            with anyio.move_on_after(RETRY_AFTER):
                await entry.ended.wait()
        return None

    async def socket(self, entry: Entry) -> str:
        """The host's socket, made again if it was swept. RoostError `ended` or `refused`."""
        while entry.live:
            found = probe.look(entry.directory, entry.record)
            if found.host is not None and found.locked:
                if probe.has_socket(found.host):
                    return found.host.socket
                probe.remake_socket(found.host)
            with anyio.move_on_after(RETRY_AFTER):
                await entry.ended.wait()
        raise AlreadyEnded(entry.record.job.state)

    def sockets_swept(self) -> None:
        """Has every host whose socket is gone make it again."""
        for entry in self.board:
            if entry.live and entry.host is not None and not probe.has_socket(entry.host):
                probe.remake_socket(entry.host)


def _asked(record: Record, request: StoredRequest) -> Change:
    """Which job a request was for is known again after a rename, and to the next daemon."""
    if record.job.state not in LIVE:
        raise AlreadyEnded(record.job.state)
    return Change(record, writes=[request])

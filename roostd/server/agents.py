"""The agents' door: one connection of an agent, which speaks for its one job and can do nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final

import anyio
import msgspec

from roost_protocol import agent as wire
from roost_protocol.codes import Code
from roost_protocol.decoding import MALFORMED
from roost_protocol.errors import RoostError
from roost_protocol.frame import MAX_LINE, TooLong
from roost_protocol.text import printable
from roostd.jobs import replies
from roostd.jobs.board import Board, Entry
from roostd.jobs.changes import Change, deeper_than, reported
from roostd.jobs.record import Record, StoredReply
from roostd.jobs.reports import ReportLedger
from roostd.jobs.writes import PutLedger
from roostd.server.lines import Lines
from roostd.token import matches
from roostd.version import VERSION

CAPABILITIES: Final = ["report", "replies", "steer", "usage", "context", "model-switch"]
"""What this daemon can do with an agent."""

HEARD_WITHIN: Final = 2.0
"""Seconds that a report waits for its host to weigh it; then it is acked all the same."""

DEEPEST: Final = 32
"""How deep what an agent may say in its own words is nested."""

FULL = wire.AgentError("full", "you do not read what you are sent; connect again, nothing durable is lost")
UNAUTHORIZED = wire.AgentError("unauthorized", "this token does not speak for a job that runs here")

_decoder = msgspec.json.Decoder(wire.AgentMessage)
_NOBODY = "0" * 64

How = Callable[[Record], Change]


class _Glimpse(msgspec.Struct):
    """What can be told of a malformed line."""

    verb: Any = None
    seq: int | None = None


class _Closed(Exception):
    """This connection cannot go on."""


class AgentConnection:
    """Serves one agent. Messages are handled one after the other, so that what is acked is in order."""

    def __init__(self, lines: Lines, board: Board) -> None:
        self._lines = lines
        self._board = board
        self._entry: Entry | None = None
        self.granted: list[str] = []
        self._epoch = ""
        self._superseded = False
        self._greeted = False
        self._sent = 0

    async def serve(self) -> None:
        try:
            async for line in self._lines.read():
                await self._take(line)
        except TooLong:
            self._error("too_large", f"a line may have {MAX_LINE} bytes")
        except RoostError as error:
            self._error(error.code, error.message)
        except (_Closed, ConnectionError):
            pass
        finally:
            left = self._leave()
        # Not where this daemon ends: its agents come back to the next one.
        if left is not None:
            with suppress(_Closed):
                await self._keep_seat(left)

    def push(self, pending: Iterable[StoredReply]) -> None:
        """Sends what this connection has not been sent yet."""
        for reply in pending:
            if reply.n > self._sent and self._greeted:
                self._sent = reply.n
                epoch, seq = reply.seen or ("", 0)
                re = seq if epoch == self._epoch else 0
                self._lines.send(wire.Reply(reply.n, reply.kind, reply.text, request_id=reply.request_id, re=re))

    def supersede(self) -> None:
        """A newer connection speaks for the job from now on."""
        self._superseded = True
        self._error("superseded", "a newer connection speaks for this job")
        if self._entry is not None:
            self._hush(self._entry)

    async def _take(self, line: bytes) -> None:
        try:
            message = _decoder.decode(line)
        except MALFORMED as error:
            self._malformed(line, error)
            return
        if isinstance(message, wire.AgentHello):
            await self._hello(message)
            return
        entry = self._entry
        if entry is None or not entry.live:
            self._refuse()
        elif isinstance(message, wire.Bye):
            raise _Closed
        elif self._superseded:
            seq = message.seq if isinstance(message, wire.Report) else None
            self._error("superseded", "a newer connection speaks for this job", seq)
        elif (lacking := _lacking(message, self.granted)) is not None:
            seq = message.seq if isinstance(message, wire.Report) else None
            self._error("unsupported", f"hello did not announce {lacking!r}", seq)
        elif isinstance(message, wire.Report):
            if any(deeper_than(DEEPEST, value) for value in (message.usage, message.context, message.ext)):
                self._error("bad_request", f"usage, context and ext may be nested {DEEPEST} deep", message.seq)
                return
            await self._report(entry, _announced(message, self.granted))
        else:
            done = [reply for reply in entry.replies if reply.route == "agent" and reply.n <= message.reply]
            await replies.resolve(self._board, entry, done, "delivered")

    def _malformed(self, line: bytes, error: Exception) -> None:
        try:
            glimpse = msgspec.json.decode(line, type=_Glimpse)
        except MALFORMED:
            glimpse = _Glimpse()
        if glimpse.verb is not None:
            self._error("unauthorized", "this door is the agents': a person's requests are not answered here")
        else:
            self._error("bad_request", printable(str(error)), glimpse.seq)

    async def _hello(self, hello: wire.AgentHello) -> None:
        if self._entry is not None:
            self._error("bad_request", "hello was said already; connect anew to speak for another job")
            return
        entry = self._board.get(hello.job)
        # An unknown job costs as much time as a wrong token.
        right = matches(hello.token, entry.record.token_hash if entry is not None and entry.live else _NOBODY)
        if entry is None or not entry.live or not right:
            self._refuse()
            return
        if hello.protocol < 1:
            self._error("unsupported", f"protocol {hello.protocol} is not spoken here; {wire.PROTOCOL} is")
            return
        self.granted = granted = [name for name in CAPABILITIES if name in hello.capabilities]
        self._entry, self._epoch = entry, hello.epoch
        if entry.ledger.made_by(hello.epoch):
            entry.seat.reported(self)
            entry.tell_last_report()
        if "replies" in granted:
            entry.seat.take(self)
            await self._keep_seat(entry)
        self._lines.send(
            wire.DaemonHello(
                protocol=min(hello.protocol, wire.PROTOCOL),
                daemon=wire.Peer("roostd", VERSION),
                capabilities=CAPABILITIES,
                job={"id": entry.id, "name": entry.record.job.name, "agent": entry.record.job.agent},
                granted=granted,
                last_seq=entry.ledger.last_seq(hello.epoch),
            )
        )
        self._greeted = True
        replies.push(entry)

    async def _keep_seat(self, entry: Entry) -> None:
        """Keeps, durably, which way the replies that come from now on will go."""
        await self._change(entry, lambda record: Change(entry.seat.kept(record) if entry.live else record))

    async def _report(self, entry: Entry, report: wire.Report) -> None:
        if report.seq > entry.ledger.last_seq(self._epoch):
            await self._keep(entry, report)
            await self._weigh(entry)
        self._lines.send(wire.ReportAck(report.seq))

    async def _keep(self, entry: Entry, report: wire.Report) -> None:
        kept: list[ReportLedger] = []

        def how(record: Record) -> Change:
            ledger = entry.ledger.behind(self._epoch, report, self._board.now())
            if ledger is None:
                return Change(record)
            kept.append(ledger)
            change = reported(record, report)
            return Change(change.record, change.news, [PutLedger(entry.id, ledger)])

        def then() -> None:
            entry.ledger = kept[0]
            entry.seat.reported(self)

        await self._change(entry, how, then, report.seq)

    async def _weigh(self, entry: Entry) -> None:
        """The host decides what follows. One that is away is told when it is back."""
        link, said = entry.link, entry.ledger.last
        if link is None or said is None:
            return
        try:
            with anyio.move_on_after(HEARD_WITHIN):
                await link.report(said)
        except RoostError:
            return

    async def _change(self, entry: Entry, how: How, then: Callable[[], None] | None = None, re: int | None = None) -> None:
        """What cannot be stored ends the connection: the agent comes again and says it again."""
        try:
            await self._board.change(entry, how, then)
        except RoostError as error:
            self._error(error.code, error.message, re)
            raise _Closed from None

    def _leave(self) -> Entry | None:
        """Returns the job that nobody speaks for now."""
        entry = self._entry
        if entry is None:
            return None
        self._hush(entry)
        return entry if entry.seat.leave(self) else None

    def _hush(self, entry: Entry) -> None:
        if entry.seat.hush(self):
            entry.tell_last_report()

    def _refuse(self) -> None:
        """The same words whatever was wrong, so that nobody learns which jobs there are."""
        self._lines.send(UNAUTHORIZED)
        raise _Closed

    def _error(self, code: Code, message: str, re: int | None = None) -> None:
        self._lines.send(wire.AgentError(code, message, re))


def _lacking(message: wire.Report | wire.ReplyAck, granted: list[str]) -> str | None:
    """The capability that this message needs and its sender did not announce."""
    needed = "report" if isinstance(message, wire.Report) else "replies"
    return None if needed in granted else needed


def _announced(report: wire.Report, granted: list[str]) -> wire.Report:
    """The same report without what its sender did not announce: that stays unknown."""
    unknown = {name: None for name in ("usage", "context") if name not in granted and getattr(report, name) is not None}
    return msgspec.structs.replace(report, **unknown) if unknown else report

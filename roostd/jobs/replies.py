"""Replies: durable before they are sent, each told what became of it.

A reply goes to the agent's own connection if it takes replies, else it is typed by the host. The way is chosen once and kept, so
that a reply whose ack was lost is not typed as well.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final, NamedTuple

import anyio
import msgspec

from roost_protocol import host as wire
from roost_protocol.errors import RoostError
from roost_protocol.jobs import ReplyKind, ReplyOutcome, ReplyResult
from roost_protocol.states import settled
from roost_protocol.text import printable
from roostd.jobs.board import Board, Entry
from roostd.jobs.changes import Change
from roostd.jobs.choosing import check_kind, chosen
from roostd.jobs.machine import AlreadyEnded
from roostd.jobs.news import News
from roostd.jobs.record import Record, StoredReply
from roostd.jobs.writes import PutReply, StoredRequest, Write


class Settled(NamedTuple):
    """What is written when outcomes become known."""

    news: list[News]
    writes: list[Write]


async def accept(
    board: Board, entry: Entry, text: str, request_id: str | None, answer: bool = False, kind: ReplyKind = "reply"
) -> StoredReply:
    """Numbers a reply and makes it durable, then sends it on its way. Raises `AlreadyEnded`, or RoostError for a choice that is not on
    offer and what the agent does not take."""
    made: list[StoredReply] = []
    sent = time.monotonic()

    def how(record: Record) -> Change:
        if not entry.live:
            raise AlreadyEnded(record.job.state)
        check_kind(record, kind)
        n = record.replies + 1
        reply = StoredReply(
            job=entry.id,
            n=n,
            text=chosen(record.job, text).id if kind == "choice" else text,
            route="agent" if record.takes_replies else "typed",
            answer=answer,
            kind=kind,
            seen=entry.ledger.newest,
            request_id=request_id,
            sent=sent,
        )
        made.append(reply)
        writes: list[Write] = [PutReply(reply)]
        if request_id:
            writes.append(StoredRequest(request_id, "job.reply", board.now(), entry.id, n))
        news = News("job.reply", {"n": n, "kind": kind, "text": printable(reply.text), "outcome": "pending"})
        return Change(msgspec.structs.replace(record, replies=n), [news], writes)

    def then() -> None:
        entry.replies.append(made[0])
        push(entry)

    await board.change(entry, how, then)
    return made[0]


async def outcome(board: Board, entry: Entry, n: int, timeout: float | None) -> ReplyResult:
    """What became of a reply; `pending` if that is not known by then (seconds; None waits)."""
    with anyio.move_on_after(timeout):
        while any(reply.n == n for reply in entry.replies):
            await entry.resolved.wait()
    stored = board.store.reply(entry.id, n)
    if stored is None:
        raise RoostError("not_found", f"job {entry.id} has no reply {n}")
    return ReplyResult(entry.id, n, stored.outcome, stored.why)


AT_ONCE: Final = 200
"""Replies that a host is given to type before it has said what became of the first; it takes 256."""

UNTAKEN: Final = 10.0
"""Seconds after which a job that rests, and has said nothing since a reply was taken, is not waited for: a submit counts for 8."""


async def settled_after(board: Board, entry: Entry, result: ReplyResult) -> ReplyResult:
    """The same, once the job has settled behind the reply: by what was said since it was entered, not by what stood there before."""
    if result.outcome not in ("submitted", "delivered"):
        return result
    stored = board.store.reply(entry.id, result.n)
    after, at = (stored.after or 0, stored.at or 0.0) if stored else (0, 0.0)
    patience = UNTAKEN
    while True:
        changed, record = board.changed, entry.record
        rests = settled(record.job.state, record.knows_idle)
        if entry.live and entry.rested is not None and entry.rested[0] > after:  # though somebody else has sent it on since
            return msgspec.structs.replace(result, started=_started(entry, after, at), settled=entry.rested[1])
        if not entry.live or (rests and record.status_n > after) or (rests and patience <= 0):
            return msgspec.structs.replace(result, started=_started(entry, after, at), settled=record.job.state)
        begun = anyio.current_time()
        with anyio.move_on_after(patience if rests else None):
            await changed.wait()
        patience -= anyio.current_time() - begun


def _started(entry: Entry, after: int, at: float) -> bool:
    """It worked, or what it says now is positive and newer; that a submit has lapsed, and all is still, says nothing.

    Of a job that never says that it is idle the screen tells: what has settled has changed since.
    """
    evidence = entry.record.job.evidence
    if entry.worked > after:
        return True
    if evidence is None or evidence.at <= at or evidence.signal == "input":
        return False
    return evidence.signal != "settling" or not entry.record.knows_idle


async def typed(board: Board, entry: Entry, message: wire.Typed) -> None:
    """The host says what became of a text or of keys."""
    keys = entry.keys.get(message.id)
    if keys is not None and message.outcome != "pending" and not keys.answer.done():
        keys.answer.set_result(message)
    for reply in list(entry.replies):
        if message.outcome != "pending" and reply.route == "typed" and message.id == _id(reply):
            await resolve(board, entry, [msgspec.structs.replace(reply, after=message.after, at=message.at)], message.outcome, message.why)


async def resolve(board: Board, entry: Entry, done: list[StoredReply], how_it_went: ReplyOutcome, why: str | None = None) -> None:
    """Makes outcomes durable, tells who waits, and goes on with the next reply."""
    if not done:
        return
    numbers = {reply.n for reply in done}
    after, now = entry.record.status_n, board.now()
    known = _settled(
        [_with(msgspec.structs.replace(reply, after=reply.after or after, at=reply.at or now), how_it_went, why) for reply in done]
    )

    def then() -> None:
        entry.replies = [reply for reply in entry.replies if reply.n not in numbers]
        _tell(entry)
        push(entry)

    await board.change(entry, lambda record: Change(record, known.news, known.writes), then)


def push(entry: Entry) -> None:
    """Sends what was not sent yet: to the agent what waits for it, and to the host, which types one after the other, all else at once: so
    each is known to be meant for what is asked by then."""
    entry.seat.push(reply for reply in entry.replies if reply.route == "agent")
    if entry.link is None:
        return
    typed = [reply for reply in entry.replies if reply.route == "typed"]
    for reply in typed[:AT_ONCE]:
        if reply.n > entry.typing:
            entry.typing = reply.n
            entry.link.send(wire.TypeText(_id(reply), reply.text, reply.answer, reply.sent))
            entry.link.send(wire.ForgetAttention())


def at_end(pending: Iterable[StoredReply], typed_before: Iterable[wire.Typed], why: str) -> Settled:
    """The outcomes of what was on its way when the job ended.

    Of what was to be typed: the host's word, else `refused` with `why`. Of what the agent was to take over its connection, nobody can
    know more than that it did not say so.
    """
    said = {message.id: message for message in typed_before if message.outcome != "pending"}

    def resolved(reply: StoredReply) -> StoredReply:
        if reply.route == "agent":
            return _with(reply, "pending", "the job ended before its agent acknowledged this reply")
        message = said.get(_id(reply))
        return _with(reply, message.outcome, message.why) if message else _with(reply, "refused", why)

    return _settled([resolved(reply) for reply in pending])


def forget(entry: Entry) -> None:
    """The job has ended and its replies are settled."""
    entry.replies = []
    _tell(entry)
    for keys in entry.keys.values():
        if not keys.answer.done():
            keys.answer.set_exception(AlreadyEnded(entry.record.job.state))


def _tell(entry: Entry) -> None:
    entry.resolved.set()
    entry.resolved = anyio.Event()


def _settled(resolved: list[StoredReply]) -> Settled:
    news = [News("job.reply", {"n": reply.n, "outcome": reply.outcome, "why": reply.why}) for reply in resolved]
    return Settled(news, [PutReply(reply) for reply in resolved])


def _with(reply: StoredReply, how_it_went: ReplyOutcome, why: str | None) -> StoredReply:
    return msgspec.structs.replace(reply, outcome=how_it_went, why=None if why is None else printable(why))


def _id(reply: StoredReply) -> str:
    """As the host knows it, for its life."""
    return f"{reply.job}:{reply.n}"

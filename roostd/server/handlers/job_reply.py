"""`job.reply`: a person's answer to a job."""

import anyio

from roost_protocol.jobs import ReplyResult
from roost_protocol.operator import JobReply
from roostd.jobs import replies
from roostd.jobs.board import Entry
from roostd.jobs.record import StoredReply
from roostd.server.call import Call

PARAMS = JobReply
OWN_DEADLINE = True
"""At the deadline the answer is `pending`: the reply is on its way all the same."""


async def handle(call: Call) -> ReplyResult:
    params: JobReply = call.params
    supervisor, board = call.supervisor, call.supervisor.board
    stored = call.before()
    if stored is not None:
        entry = board.find(stored.job or params.job)
        return await _outcome(call, entry, stored.n or 0)
    entry = board.find(params.job)
    reply: StoredReply = await supervisor.operations.run(
        call.verb, call.request_id, lambda: replies.accept(board, entry, params.text, call.request_id, params.answer, params.kind)
    )
    return await _outcome(call, entry, reply.n)


async def _outcome(call: Call, entry: Entry, n: int) -> ReplyResult:
    """What became of it; with `wait`, of the job behind it too, as far as that is known at the deadline."""
    params: JobReply = call.params
    board = call.supervisor.board
    begun = anyio.current_time()
    result = await replies.outcome(board, entry, n, call.timeout)
    if params.wait:
        left = None if call.timeout is None else max(0.0, call.timeout - (anyio.current_time() - begun))
        with anyio.move_on_after(left):
            return await replies.settled_after(board, entry, result)
    return result

"""`job.reply`: a person's answer to a job."""

from roost_protocol.jobs import ReplyResult
from roost_protocol.operator import JobReply
from roostd.jobs import replies
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
        return await replies.outcome(board, entry, stored.n or 0, call.timeout)
    entry = board.find(params.job)
    reply: StoredReply = await supervisor.operations.run(
        call.verb, call.request_id, lambda: replies.accept(board, entry, params.text, call.request_id, params.answer)
    )
    return await replies.outcome(board, entry, reply.n, call.timeout)

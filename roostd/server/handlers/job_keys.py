"""`job.keys`: types keys by name."""

from roost_protocol.operator import JobKeys
from roostd.host.keys import encode
from roostd.server.call import Call

PARAMS = JobKeys


async def handle(call: Call) -> dict[str, str]:
    params: JobKeys = call.params
    supervisor = call.supervisor
    # What the bytes are depends on the terminal's modes, but not whether there are such keys.
    encode(params.keys, application_cursor=False)
    before = call.before()
    # The name may have moved to another job since this request first came.
    entry = supervisor.board.find((before and before.job) or params.job)
    request = call.answered(entry.id) if before is None else None
    await supervisor.operations.run(call.verb, call.request_id, lambda: supervisor.reach.keys(entry, params.keys, call.request_id, request))
    return {}

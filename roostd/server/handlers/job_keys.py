"""`job.keys`: types keys by name."""

from roost_protocol.operator import JobKeys
from roostd.server.call import Call

PARAMS = JobKeys


async def handle(call: Call) -> dict[str, str]:
    params: JobKeys = call.params
    supervisor = call.supervisor
    entry = supervisor.board.find(params.job)
    await supervisor.operations.run(call.verb, call.request_id, lambda: supervisor.reach.keys(entry, params.keys, call.request_id))
    return {}

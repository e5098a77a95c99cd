"""`job.remove`: forgets an ended job and what it left on disk."""

from roost_protocol.operator import JobRemove
from roostd.jobs.board import Entry
from roostd.server.call import Call

PARAMS = JobRemove


async def handle(call: Call) -> dict[str, str]:
    params: JobRemove = call.params
    if call.before() is not None:
        return {}
    entry = call.supervisor.board.find(params.job)
    await call.supervisor.operations.run(call.verb, call.request_id, lambda: _remove(call, entry))
    return {}


async def _remove(call: Call, entry: Entry) -> None:
    params: JobRemove = call.params
    if params.stop:
        await call.supervisor.stop(entry, False)
    await call.supervisor.remove(entry, call.answered(entry.id))

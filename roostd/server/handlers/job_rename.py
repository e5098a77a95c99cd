"""`job.rename`: a new name."""

from roost_protocol.jobs import Job
from roost_protocol.operator import JobRename
from roostd.server.call import Call

PARAMS = JobRename


async def handle(call: Call) -> Job:
    params: JobRename = call.params
    supervisor = call.supervisor
    before = call.before()
    if before is not None:
        return supervisor.board.find(before.job or params.job).row
    entry = supervisor.board.find(params.job)
    job: Job = await supervisor.operations.run(
        call.verb, call.request_id, lambda: supervisor.rename(entry, params.name, call.answered(entry.id))
    )
    return job

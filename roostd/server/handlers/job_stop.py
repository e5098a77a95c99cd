"""`job.stop`: ends a job's whole process tree; answers once it has ended."""

from roost_protocol.jobs import Job
from roost_protocol.operator import JobStop
from roostd.server.call import Call

PARAMS = JobStop


async def handle(call: Call) -> Job:
    params: JobStop = call.params
    supervisor = call.supervisor
    before = call.before()
    # The name may have moved to another job since this request first came.
    entry = supervisor.board.find((before and before.job) or params.job)
    job: Job = await supervisor.operations.run(
        call.verb, call.request_id, lambda: supervisor.stop(entry, params.force, call.answered(entry.id))
    )
    return job

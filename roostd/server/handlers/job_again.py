"""`job.again`: a new job that takes over an ended one's name."""

from roost_protocol.jobs import Job
from roost_protocol.operator import JobAgain
from roostd.jobs.launching import Asked
from roostd.server.call import Call

PARAMS = JobAgain


async def handle(call: Call) -> Job:
    params: JobAgain = call.params
    launcher = call.supervisor.launcher
    asked = Asked(call.verb, call.request_id)
    job: Job = await call.supervisor.operations.run(
        call.verb, call.request_id, lambda: launcher.anew(params.job, params.caller, asked, resume=False)
    )
    return job

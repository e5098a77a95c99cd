"""`job.run`: starts a job."""

from roost_protocol.errors import RoostError
from roost_protocol.jobs import Job
from roost_protocol.operator import JobRun
from roostd.jobs.launching import Asked
from roostd.server.call import Call

PARAMS = JobRun


async def handle(call: Call) -> Job:
    params: JobRun = call.params
    if params.agent is None and not params.args:
        raise RoostError("bad_request", "there is no command to run: write `roost run -- COMMAND ARG...`")
    launcher = call.supervisor.launcher
    asked = Asked(call.verb, call.request_id)
    job: Job = await call.supervisor.operations.run(call.verb, call.request_id, lambda: launcher.run(params, asked))
    return job

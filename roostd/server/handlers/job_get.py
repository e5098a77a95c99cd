"""`job.get`: one row."""

from roost_protocol.jobs import Job
from roost_protocol.operator import JobRef
from roostd.server.call import Call

PARAMS = JobRef


async def handle(call: Call) -> Job:
    params: JobRef = call.params
    return call.supervisor.board.find(params.job).row

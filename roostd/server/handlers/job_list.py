"""`job.list`: all rows, oldest first."""

from roost_protocol.operator import JobList, Jobs
from roostd.server.call import Call

PARAMS = JobList


async def handle(call: Call) -> Jobs:
    params: JobList = call.params
    return Jobs(call.supervisor.board.rows(params.all))

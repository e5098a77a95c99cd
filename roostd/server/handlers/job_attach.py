"""`job.attach`: where a job's terminal is; of one that has ended, its last screen."""

import base64

from roost_protocol.errors import RoostError
from roost_protocol.operator import AttachTo, JobRef
from roostd.jobs.board import Entry
from roostd.server.call import Call

PARAMS = JobRef


async def handle(call: Call) -> AttachTo:
    params: JobRef = call.params
    entry = call.supervisor.board.find(params.job)
    detach = entry.record.detach
    if entry.live:
        try:
            return AttachTo(entry.row, socket=await call.supervisor.reach.socket(entry), detach=detach)
        except RoostError as error:
            if error.code != "ended":
                raise
    await call.supervisor.look(entry)
    return AttachTo(entry.row, screen=base64.b64encode(_last_screen(entry)).decode("ascii"), detach=detach)


def _last_screen(entry: Entry) -> bytes:
    try:
        return (entry.directory / "screen.ansi").read_bytes()
    except OSError:
        return b""

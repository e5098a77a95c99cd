"""`job.wait`: until jobs are in a wanted state, or have ended."""

from roost_protocol.operator import JobWait, Waited
from roost_protocol.states import settled
from roostd.jobs.board import Entry
from roostd.server.call import Call

PARAMS = JobWait


async def handle(call: Call) -> Waited:
    params: JobWait = call.params
    board = call.supervisor.board
    entries = [board.find(ref) for ref in dict.fromkeys(params.jobs)]
    while True:
        changed = board.changed
        reached = [_wanted(entry, params) for entry in entries]
        over = [wanted or not entry.live for wanted, entry in zip(reached, entries, strict=True)]
        if any(reached) if params.any else all(over):
            return Waited([entry.row for entry in entries], any(reached) if params.any else all(reached))
        if all(over):
            return Waited([entry.row for entry in entries], False)
        await changed.wait()


def _wanted(entry: Entry, params: JobWait) -> bool:
    state = entry.record.job.state
    return state in params.until if params.until else settled(state, entry.record.knows_idle)

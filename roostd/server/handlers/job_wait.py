"""`job.wait`: until jobs have been in a wanted state, or have ended: by the events, so that one which is left at once is not missed."""

from typing import Final

from msgspec import structs

from roost_protocol.errors import RoostError
from roost_protocol.jobs import Job
from roost_protocol.operator import Event, JobWait, Waited
from roost_protocol.states import State, settled
from roostd.jobs.board import Board, Entry
from roostd.server.call import Call

PARAMS = JobWait

CHUNK: Final = 200


async def handle(call: Call) -> Waited:
    params: JobWait = call.params
    board = call.supervisor.board
    store = board.store
    entries = [board.find(ref) for ref in dict.fromkeys(params.jobs)]
    since = store.last_seq if params.since is None else min(params.since, store.last_seq)
    there: dict[str, Job] = {}
    while True:
        more = store.next_append()
        since = _passed(board, since, params, there)
        for entry in entries:
            if entry.id not in there and _wanted(entry, entry.record.job.state, params):
                there[entry.id] = entry.row
        reached = [entry.id in there for entry in entries]
        over = [was or not entry.live for was, entry in zip(reached, entries, strict=True)]
        if any(reached) if params.any else all(over):
            return Waited([there.get(entry.id, entry.row) for entry in entries], any(reached) if params.any else all(reached))
        if all(over):
            return Waited([entry.row for entry in entries], False)
        await more.wait()


def _passed(board: Board, since: int, params: JobWait, there: dict[str, Job]) -> int:
    """Puts into `there` whoever has been in a wanted state behind `since`; the number of the last event that was looked at."""
    while True:
        try:
            events = board.store.events(since, CHUNK)
        except RoostError:  # pruned before they were read
            since = board.store.first_kept()
            continue
        for event in events:
            since = event.seq
            entry = board.get(event.job)
            if entry is not None and event.kind == "job.state" and event.job not in there and _wanted(entry, event.data["to"], params):
                there[event.job] = _as_it_was(entry.row, event)
        if not events:
            return since


def _wanted(entry: Entry, state: State, params: JobWait) -> bool:
    return state in params.until if params.until else settled(state, entry.record.knows_idle)


def _as_it_was(row: Job, event: Event) -> Job:
    """The row with the state that it had, and what it asked then."""
    if row.state == event.data["to"]:
        return row
    told = {name: event.data.get(name) for name in ("waiting_for", "question", "choices", "evidence")}
    return structs.replace(row, state=event.data["to"], since=event.at, **told)

"""`job.explain`: the state, and the evidence for it."""

from typing import Any

import msgspec

from roost_protocol.operator import Explanation, JobRef
from roostd.jobs.board import Entry
from roostd.jobs.changes import clean_tree
from roostd.server.call import Call

PARAMS = JobRef


async def handle(call: Call) -> Explanation:
    params: JobRef = call.params
    entry = call.supervisor.board.find(params.job)
    data = await call.supervisor.reach.asked(entry, lambda link: link.ask_evidence())
    if data is None:
        return Explanation(entry.row, [_only(entry)] if entry.record.job.evidence else [])
    data = clean_tree(data)
    return Explanation(entry.row, data.get("evidence", []), data.get("left", []), data.get("engine"), data.get("not_engine"))


def _only(entry: Entry) -> dict[str, Any]:
    """Of a job without a host, what its row says is all there is."""
    evidence: dict[str, Any] = msgspec.to_builtins(entry.record.job.evidence)
    return {**evidence, "says": entry.record.job.state, "won": True}

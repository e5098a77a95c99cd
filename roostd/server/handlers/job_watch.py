"""`job.watch`: the whole list, again whenever a row changes."""

from typing import Final

import anyio

from roost_protocol.operator import Jobs, JobWatch
from roostd.server.call import Call

PARAMS = JobWatch

PAUSE: Final = 0.1
"""Seconds between two lists at least."""


async def handle(call: Call) -> dict[str, str]:
    params: JobWatch = call.params
    board = call.supervisor.board
    while True:
        changed = board.changed
        await call.item(Jobs(board.rows(params.all)))
        await changed.wait()
        await anyio.sleep(PAUSE)

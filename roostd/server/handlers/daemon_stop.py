"""`daemon.stop`: the daemon ends; jobs run on unless they are to end too."""

import anyio

from roost_protocol.errors import RoostError
from roost_protocol.operator import DaemonStop
from roostd.jobs.board import Entry
from roostd.jobs.supervisor import Supervisor
from roostd.server.call import Call

PARAMS = DaemonStop


async def handle(call: Call) -> dict[str, str]:
    params: DaemonStop = call.params
    if params.jobs:
        await _stop_all(call.supervisor)
    call.afterwards.append(call.daemon.stop)
    return {}


async def _stop_all(supervisor: Supervisor) -> None:
    """Tells every job; the RoostError of one that cannot be stopped is raised once all have been told."""
    refusals: list[RoostError] = []

    async def stop(entry: Entry) -> None:
        try:
            await supervisor.stop(entry, False)
        except RoostError as error:
            refusals.append(error)

    async with anyio.create_task_group() as tasks:
        for entry in supervisor.board:
            tasks.start_soon(stop, entry)
    if refusals:
        raise refusals[0]

"""`daemon.stop`: the daemon ends; jobs run on unless they are to end too."""

import anyio

from roost_protocol.operator import DaemonStop
from roostd.server.call import Call

PARAMS = DaemonStop


async def handle(call: Call) -> dict[str, str]:
    params: DaemonStop = call.params
    if params.jobs:
        supervisor = call.supervisor
        async with anyio.create_task_group() as tasks:
            for entry in supervisor.board:
                tasks.start_soon(supervisor.stop, entry, False)
    call.afterwards.append(call.daemon.stop)
    return {}

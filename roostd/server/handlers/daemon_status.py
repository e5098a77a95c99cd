"""`daemon.status`: who serves here."""

import msgspec

from roost_protocol.operator import DaemonStatus
from roostd.server.call import Call
from roostd.version import VERSION


class Nothing(msgspec.Struct):
    """No parameters."""


PARAMS = Nothing


async def handle(call: Call) -> DaemonStatus:
    daemon = call.daemon
    board = call.supervisor.board
    jobs = sum(entry.live for entry in board)
    return DaemonStatus(daemon.pid, VERSION, daemon.started, jobs, board.store.last_seq, daemon.sockets)

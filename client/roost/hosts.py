"""A job's host, greeted: the first line of each side of the attach stream."""

from __future__ import annotations

import json

from roost_protocol.errors import RoostError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket as socket
    from typing import Any

    Json = dict[str, Any]

PATIENCE = 5.0
"""Seconds for a host to answer."""


def greet(host: socket.socket, hello: Json) -> tuple[Json, bytes]:
    """The host's answer (`host.Attached`), and the first bytes of its frames. The socket is closed where it fails.

    Raises OSError where nobody answers, RoostError for a refusal.
    """
    try:
        host.settimeout(PATIENCE)
        host.sendall(json.dumps(hello).encode() + b"\n")
        received = b""
        while b"\n" not in received:
            data = host.recv(65536)
            if not data:
                raise ConnectionResetError("it closed the connection")
            received += data
        line, _, first = received.partition(b"\n")
        answer: Json = json.loads(line)
        if answer.get("type") != "attached":
            raise RoostError(answer.get("code", "internal"), answer.get("message", "the host refused and did not say why"))
    except BaseException:
        host.close()
        raise
    return answer, first

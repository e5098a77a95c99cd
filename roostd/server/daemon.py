"""What the daemon says of itself, and how it is told to end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from roost_protocol.operator import Sockets


@dataclass(frozen=True, slots=True)
class DaemonFacts:
    """`started` is Unix seconds; `stop` ends the daemon."""

    pid: int
    started: float
    sockets: Sockets
    stop: Callable[[], None]

"""What the daemon says of itself, and how it is told to end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from roost_protocol.operator import Sockets


@dataclass(frozen=True, slots=True)
class DaemonFacts:
    """`started` is Unix seconds; `stop` ends the daemon."""

    pid: int
    started: float
    state: Path
    sockets: Sockets
    stop: Callable[[], None]

    def keeps(self, state: str) -> bool:
        """Whether that is this daemon's state directory, by whatever path."""
        try:
            return self.state.samefile(state)
        except OSError:
            return False

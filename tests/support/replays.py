"""A terminal's life, written down as steps and replayed through the code that runs live."""

from __future__ import annotations

from roost_protocol.host import Detection
from roost_protocol.states import State
from roostd.host.replay.observed import Observed
from roostd.host.replay.recording import Input, Output, Resize


class Life:
    """Times are seconds after the beginning, and must not go back."""

    def __init__(self, detection: Detection | None = None, cols: int = 60, rows: int = 12) -> None:
        self.replay = Observed(detection or Detection(), cols, rows)

    def write(self, at: float, data: bytes | str) -> Life:
        self.replay.take(Output(at, data.encode() if isinstance(data, str) else data))
        return self

    def type(self, at: float, data: bytes) -> Life:
        self.replay.take(Input(at, data))
        return self

    def resize(self, at: float, cols: int, rows: int) -> Life:
        self.replay.take(Resize(at, cols, rows))
        return self

    def every(self, step: float, start: float, end: float, *frames: bytes | str) -> Life:
        """One frame after the other, again and again."""
        for number in range(round((end - start) / step)):
            self.write(start + number * step, frames[number % len(frames)])
        return self

    def state(self, at: float) -> State:
        self.replay.go_to(at)
        return self.replay.observer.state

    def states(self, until: float) -> list[State]:
        """All states until then, in order."""
        self.replay.go_to(until)
        return [transition.state for transition in self.replay.transitions]

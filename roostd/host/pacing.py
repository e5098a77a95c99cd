"""When a screen that changes is looked at. No clock and no timer: a host waits until `due`, a replay goes there at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

LOOK_PAUSE: Final = 0.1
"""Seconds from output to a look at the screen: a flood is looked at ten times a second, not at every read."""

FRAME: Final = 0.2
"""Seconds after which a synchronized frame that does not close is looked at all the same."""


class Pacing:
    """`due` is when to look next, in monotonic seconds; None while nothing has come since the last look, so that silence costs nothing.

    `synchronized` tells whether the program is in the middle of a frame (mode 2026).
    """

    __slots__ = ("_frame_began", "_looked_at", "_synchronized", "due")

    def __init__(self, synchronized: Callable[[], bool]) -> None:
        self._synchronized = synchronized
        self._frame_began: float | None = None
        self._looked_at: float | None = None
        self.due: float | None = None

    def output(self, now: float, *, told: bool = False) -> bool:
        """The program wrote, and the mirror has it; `told` is whether it said what it does. Whether `due` is another one now."""
        if self.due is None or (told and self._frame_began is None):
            # The very first output ends `starting` at once; and what is said is not waited with, but of a flood of it.
            pause = 0.0 if self._looked_at is None else max(0.0, self._looked_at + LOOK_PAUSE - now) if told else LOOK_PAUSE
            due, before = now + pause, self.due
            self.due = due if before is None else min(before, due)
            return self.due != before
        if self._frame_began is not None and not self._synchronized():
            self.due = now  # The frame that was waited for is complete.
            return True
        return False

    def look(self, now: float) -> bool:
        """`due` has come. Whether to look: else it is later now, since a frame is being drawn."""
        if self._synchronized() and (self._frame_began is None or now < self._frame_began + FRAME):
            self._frame_began = now if self._frame_began is None else self._frame_began
            self.due = self._frame_began + FRAME
            return False
        self._frame_began = self.due = None
        self._looked_at = now
        return True

"""One-shot timers in a heap. Pure: whoever keeps them says what time it is (monotonic seconds)."""

from __future__ import annotations

import heapq
from collections.abc import Callable


class Timer:
    """One call that is due at `at`; `cancel` may be called at any time, any number of times."""

    __slots__ = ("at", "call")

    def __init__(self, at: float, call: Callable[[], object]) -> None:
        self.at = at
        self.call: Callable[[], object] | None = call

    def cancel(self) -> None:
        self.call = None

    @property
    def pending(self) -> bool:
        return self.call is not None


class Timers:
    """All pending timers of a loop; nothing here repeats."""

    __slots__ = ("_count", "_heap")

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Timer]] = []
        self._count = 0

    def at(self, when: float, call: Callable[[], object]) -> Timer:
        """Call once `when` has come."""
        timer = Timer(when, call)
        self._count += 1
        heapq.heappush(self._heap, (when, self._count, timer))
        return timer

    def next_at(self) -> float | None:
        """When the first pending timer is due; None if none is, and so nothing need wake up."""
        while self._heap and not self._heap[0][2].pending:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def fire(self, now: float) -> None:
        """Call all that is due. What these calls arrange anew waits for the next turn, so that the descriptors get theirs."""
        last = self._count
        while (when := self.next_at()) is not None and when <= now and self._heap[0][1] <= last:
            timer = heapq.heappop(self._heap)[2]
            call = timer.call
            timer.call = None
            if call is not None:
                call()

"""Bytes that a descriptor has not taken yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable


class Outbox:
    """In order; `queued` is bytes, and `gone` those that were taken, or dropped, so far."""

    __slots__ = ("_chunks", "gone", "queued")

    def __init__(self) -> None:
        self._chunks: deque[memoryview] = deque()
        self.queued = 0
        self.gone = 0

    def add(self, data: memoryview) -> None:
        self._chunks.append(data)
        self.queued += len(data)

    def pour(self, take: Callable[[memoryview], int]) -> None:
        """As much as `take` takes now. Raises what it raises, but for BlockingIOError."""
        while self._chunks:
            chunk = self._chunks[0]
            try:
                taken = take(chunk)
            except BlockingIOError:
                return
            self.queued -= taken
            self.gone += taken
            if taken < len(chunk):
                self._chunks[0] = chunk[taken:]
                return
            self._chunks.popleft()

    def drop(self) -> None:
        """Forget all but the rest of what has been begun."""
        while len(self._chunks) > 1:
            dropped = len(self._chunks.pop())
            self.queued -= dropped
            self.gone += dropped

    def clear(self) -> None:
        self._chunks.clear()
        self.queued = 0

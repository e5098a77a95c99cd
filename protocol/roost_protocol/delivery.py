"""The rules of numbering and acknowledging, as pure objects; both ends keep the same ones.

1. A report is numbered by its client within an epoch. One that is not higher than the last accepted is dropped, and acked all the same.
2. A known epoch goes on behind its last accepted number; a new one starts at 0.
3. Replies are numbered per job from 1, for the job's life. What is acked is never sent again; what is not, on every connection.
4. The receiver drops a reply by its number.
"""

from __future__ import annotations

from typing import Final, Generic, TypeVar

import msgspec

T = TypeVar("T")

MAX_EPOCHS: Final = 64
"""Client processes of one job whose last number is remembered; the least recently heard goes first."""


class Ledger(msgspec.Struct):
    """The daemon's memory of a job's reports: epoch to last accepted number, least recently heard first."""

    epochs: dict[str, int] = {}

    def last_seq(self, epoch: str) -> int:
        """The number to go on behind: 0 for a new epoch."""
        return self.epochs.get(epoch, 0)

    def accept(self, epoch: str, seq: int) -> bool:
        """Whether this report is new; if so it is remembered."""
        if seq <= self.last_seq(epoch):
            return False
        self.epochs.pop(epoch, None)
        self.epochs[epoch] = seq
        while len(self.epochs) > MAX_EPOCHS:
            del self.epochs[next(iter(self.epochs))]
        return True


class Outbox(Generic[T]):
    """The sender's side of a numbered stream: what was given a number and is not acked yet, in order.

    With a bound, the oldest goes first once more than `limit` wait: the newest snapshot makes up for the ones before.
    """

    __slots__ = ("_limit", "_pending", "last")

    def __init__(self, last: int = 0, limit: int | None = None) -> None:
        self._pending: dict[int, T] = {}
        self._limit = limit
        self.last = last
        """The highest number given out."""

    def next(self) -> int:
        """The number that the next item gets."""
        return self.last + 1

    def put(self, item: T) -> int:
        """Number an item and keep it until it is acked."""
        self.last += 1
        self._pending[self.last] = item
        if self._limit is not None and len(self._pending) > self._limit:
            del self._pending[next(iter(self._pending))]
        return self.last

    def ack(self, n: int) -> None:
        """Forget all up to and with `n`; an ack that comes again changes nothing."""
        for number in [number for number in self._pending if number <= n]:
            del self._pending[number]

    @property
    def pending(self) -> list[tuple[int, T]]:
        """What is to be sent on a new connection, in order."""
        return list(self._pending.items())


class Inbox:
    """The receiver's side of a numbered stream: drops what it has had."""

    __slots__ = ("last",)

    def __init__(self, last: int = 0) -> None:
        self.last = last
        """The highest number accepted: what to ack."""

    def accept(self, n: int) -> bool:
        """Whether this number is new; if so it is taken as had."""
        if n <= self.last:
            return False
        self.last = n
        return True

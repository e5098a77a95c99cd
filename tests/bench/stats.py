"""What the numbers mean: quantiles, ratios, and whether a row is within its reach. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Unit = Literal["ms", "s", "us", "MiB", "B", "%", ""]
Verdict = Literal["ok", "missed", "reported", "no peer", "failed"]


def quantile(samples: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of the samples lie, linear between neighbours (Hyndman and Fan, type 7).

    Raises ValueError for no samples or a share outside 0 to 1.
    """
    if not samples:
        raise ValueError("there is no quantile of no samples")
    if not 0 <= share <= 1:
        raise ValueError(f"the share is {share}: it must be from 0 to 1")
    ordered = sorted(samples)
    position = share * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def median(samples: Sequence[float]) -> float:
    return quantile(samples, 0.5)


@dataclass(frozen=True, slots=True)
class Reach:
    """What was promised: at most so many times the peer, or at most so much."""

    of: Literal["ratio", "value"]
    at_most: float


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `roost` and `peer` are in `unit`; None is "could not be measured"; `note` says why, or more."""

    what: str
    unit: Unit
    roost: float | None
    peer: float | None = None
    peer_name: str = ""
    reach: Reach | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times the peer's value roost's is."""
        if self.roost is None or not self.peer:
            return None
        return self.roost / self.peer

    @property
    def verdict(self) -> Verdict:
        """Compared with the exact numbers, not with those that are printed."""
        if self.roost is None:
            return "failed"
        if self.reach is None:
            return "reported"
        measured = self.roost if self.reach.of == "value" else self.ratio
        if measured is None:
            return "no peer"
        return "ok" if measured <= self.reach.at_most else "missed"

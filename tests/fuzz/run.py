"""Rounds, one after the other, until the time is over."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from tests.fuzz.round import Broken, Create, play

SAY_EVERY = 60.0
"""Seconds."""


class Total(NamedTuple):
    """How many rounds there were, the bytes of those that held, and what did not hold in the others."""

    rounds: int
    size: int
    broken: list[Broken]


def fuzz(create: Create, seed: str, seconds: float, say: Callable[[str], object], most: int = 1) -> Total:
    """Rounds `SEED:0`, `SEED:1` and so on, until the time is over or `most` of them have broken."""
    begun = said = time.monotonic()
    rounds, size, broken = 0, 0, list[Broken]()
    while (now := time.monotonic()) < begun + seconds and len(broken) < most:
        if now > said + SAY_EVERY:
            said = now
            say(f"{now - begun:.0f} s: {rounds} rounds, {size} bytes")
        try:
            size += play(create, f"{seed}:{rounds}")
        except Broken as found:
            say(f"broken: {found}")
            broken.append(found)
        rounds += 1
    return Total(rounds, size, broken)

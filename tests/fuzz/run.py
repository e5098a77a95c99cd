"""Rounds, one after the other, until the time is over."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.fuzz.round import Create, play

SAY_EVERY = 60.0
"""Seconds."""


def fuzz(create: Create, seed: str, seconds: float, say: Callable[[str], object]) -> tuple[int, int]:
    """How many rounds there were, and bytes. Raises Broken with the seed of the round that broke: `SEED:NUMBER`."""
    begun = said = time.monotonic()
    rounds = size = 0
    while (now := time.monotonic()) < begun + seconds:
        if now > said + SAY_EVERY:
            said = now
            say(f"{now - begun:.0f} s: {rounds} rounds, {size} bytes")
        size += play(create, f"{seed}:{rounds}")
        rounds += 1
    return rounds, size

"""A recording, played to a mirror."""

from __future__ import annotations

from collections.abc import Iterable

from roostd.host.mirror.interface import Mirror
from roostd.host.replay.recording import Output, Resize, Step

PIECE = 4096
"""Bytes that a mirror takes at once, as in a host."""


def play(mirror: Mirror, steps: Iterable[Step]) -> list[bytes]:
    """Feeds all output, takes every new size, and returns the replies that the program was owed, in order."""
    replies: list[bytes] = []
    for step in steps:
        if isinstance(step, Resize):
            mirror.resize(step.cols, step.rows)
        elif isinstance(step, Output):
            for at in range(0, len(step.data), PIECE):
                replies += mirror.feed(step.data[at : at + PIECE]).replies
    return replies

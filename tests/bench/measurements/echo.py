"""A key typed into an attached client until it is drawn, side by side with tmux.

Both run `cat` on a raw terminal, which sends back each byte it gets, and both are attached from a terminal of the same size. A key is
drawn where the last one left the cursor and is never a blank, so that tmux, which draws only what changed, must draw it; nor is it a
byte that control sequences contain.
"""

from __future__ import annotations

import random
from contextlib import ExitStack

from tests.bench.clocked import Pair
from tests.bench.peers import NoPeer, tmux
from tests.bench.place import Place, say
from tests.bench.stats import Reach, Row, quantile
from tests.bench.viewer import Viewer

KEYS = b"NOQVWYkovwyz"
ECHO = ("/bin/sh", "-c", "stty raw -echo; exec cat")
BLOCK = 100
WARM = 50


def measure(place: Place, quick: bool) -> list[Row]:
    """Milliseconds at the median and at the 99th percentile."""
    blocks = 3 if quick else 25
    job = place.run_jobs(1, *ECHO)[0]
    with ExitStack() as stack:
        roost = stack.enter_context(Viewer(place.command("attach", job), place.environ))
        try:
            peer = stack.enter_context(Viewer(stack.enter_context(tmux(place, *ECHO)), place.environ))
            pair, why = sample(roost, peer, blocks), ""
        except NoPeer as error:
            pair, why = sample(roost, None, blocks), str(error)
    return [_row(pair, "p50", 0.5, 3, why), _row(pair, "p99", 0.99, 2, why)]


def sample(roost: Viewer, peer: Viewer | None, blocks: int) -> Pair:
    """`BLOCK` keys to the one, then to the other, and so on; the first `WARM` keys of each do not count."""
    keys, pair = Keys(), Pair()
    viewers = [(roost, pair.roost)] + ([(peer, pair.peer)] if peer else [])
    for viewer, _ in viewers:
        for _ in range(WARM):
            viewer.echo(keys.next())
    say(f"{blocks * BLOCK} keys each")
    for _ in range(blocks):
        for viewer, samples in viewers:
            samples.extend(viewer.echo(keys.next()) for _ in range(BLOCK))
    return pair


class Keys:
    """Random keys, the same in every run, no two in a row alike."""

    def __init__(self) -> None:
        self._random = random.Random(7)
        self._last = 0

    def next(self) -> bytes:
        self._last = self._random.choice([key for key in KEYS if key != self._last])
        return bytes([self._last])


def _row(pair: Pair, name: str, share: float, reach: float, why: str) -> Row:
    peer = quantile(pair.peer, share) if pair.peer else None
    what = f"key to echo, attached, {name}"
    return Row(what, "ms", quantile(pair.roost, share), peer, why or "tmux attach", Reach("ratio", reach), f"{len(pair.roost)} keys")

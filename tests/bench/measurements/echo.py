"""A key typed into an attached client until it is drawn, side by side with tmux.

Both run `cat` on a raw terminal, which sends back each byte it gets, and both are attached from a terminal of the same size. A key is
drawn where the last one left the cursor and is never a blank, so that tmux, which draws only what changed, must draw it; nor is it a
byte that control sequences contain. The two are typed to key by key in turn, in several rounds; a figure is the median of what the
rounds say, since one burst of noise in the wrong place decides a 99th percentile by itself.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import ExitStack

from tests.bench.clocked import Pair
from tests.bench.peers import NoPeer, tmux
from tests.bench.place import Place, say
from tests.bench.stats import Reach, Row, median, quantile
from tests.bench.viewer import Viewer

KEYS = b"NOQVWYkovwyz"
ECHO = ("/bin/sh", "-c", "stty raw -echo; exec cat")
ROUNDS, KEYS_A_ROUND = 11, 1000
WARM = 50


def measure(place: Place, quick: bool) -> list[Row]:
    """Milliseconds at the median and at the 99th percentile."""
    rounds = 1 if quick else ROUNDS
    job = place.run_jobs(1, *ECHO)[0]
    with ExitStack() as stack:
        roost = stack.enter_context(Viewer(place.command("attach", job), place.environ))
        try:
            peer = stack.enter_context(Viewer(stack.enter_context(tmux(place, *ECHO)), place.environ))
            pairs, why = sample(roost, peer, rounds), ""
        except NoPeer as error:
            pairs, why = sample(roost, None, rounds), str(error)
    return [_row(pairs, "p50", 0.5, 3, why), _row(pairs, "p99", 0.99, 2, why)]


def sample(roost: Viewer, peer: Viewer | None, rounds: int) -> list[Pair]:
    """A key to the one, then one to the other, and so on; the first `WARM` keys of each do not count."""
    keys = Keys()
    for viewer in [roost] + ([peer] if peer else []):
        for _ in range(WARM):
            viewer.echo(keys.next())
    say(f"{rounds * KEYS_A_ROUND} keys each")
    pairs = [Pair() for _ in range(rounds)]
    for pair in pairs:
        for _ in range(KEYS_A_ROUND):
            pair.roost.append(roost.echo(keys.next()))
            if peer:
                pair.peer.append(peer.echo(keys.next()))
    return pairs


class Keys:
    """Random keys, the same in every run, no two in a row alike."""

    def __init__(self) -> None:
        self._random = random.Random(7)
        self._last = 0

    def next(self) -> bytes:
        self._last = self._random.choice([key for key in KEYS if key != self._last])
        return bytes([self._last])


def _row(pairs: Sequence[Pair], name: str, share: float, reach: float, why: str) -> Row:
    ours = median([quantile(pair.roost, share) for pair in pairs])
    peer = median([quantile(pair.peer, share) for pair in pairs]) if pairs[0].peer else None
    note = f"{len(pairs)} rounds of {KEYS_A_ROUND} keys"
    return Row(f"key to echo, attached, {name}", "ms", ours, peer, why or "tmux attach", Reach("ratio", reach), note)

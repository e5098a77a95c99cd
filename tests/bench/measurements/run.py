"""`roost run -d -- true` until the job runs, side by side with a bare interpreter."""

from __future__ import annotations

from tests.bench.clocked import clocked, turn_by_turn
from tests.bench.peers import BARE_PYTHON
from tests.bench.place import Place
from tests.bench.stats import Reach, Row, median


def measure(place: Place, quick: bool) -> list[Row]:
    """Milliseconds until the command has returned, which it does once the job's process runs."""
    environ = place.environ

    def run() -> float:
        took, out = clocked(place.command("run", "-d", "--", "true"), environ)
        # The job's end is work too, and must not fall into the peer's sample.
        place.roost("wait", out.split()[0])
        return took

    pair = turn_by_turn(run, lambda: clocked(BARE_PYTHON, environ)[0], times=10 if quick else 60)
    return [
        Row("roost run -d -- true", "ms", median(pair.roost), median(pair.peer), "python -c pass", Reach("ratio", 4)),
    ]

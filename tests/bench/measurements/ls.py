"""`roost ls` against a warm daemon, side by side with a bare interpreter."""

from __future__ import annotations

from tests.bench.clocked import clocked, turn_by_turn
from tests.bench.peers import BARE_PYTHON
from tests.bench.place import Place
from tests.bench.stats import Reach, Row, median

JOBS = 5


def measure(place: Place, quick: bool) -> list[Row]:
    """Milliseconds until the command has ended, with a handful of jobs to list."""
    place.run_jobs(JOBS, "sleep", "86400")
    command, environ = place.command("ls"), place.environ
    pair = turn_by_turn(
        lambda: clocked(command, environ)[0],
        lambda: clocked(BARE_PYTHON, environ)[0],
        times=10 if quick else 60,
    )
    return [
        Row("roost ls, warm daemon", "ms", median(pair.roost), median(pair.peer), "python -c pass", Reach("ratio", 2.5)),
    ]

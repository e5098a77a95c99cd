"""`python -m tests.rounds [--agent demo] [--count 200] [--seed N]`: rounds in a home of their own; exit code 1 if one was wrong."""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from secrets import token_hex

from tests.rounds.rounds import play, start
from tests.support import processes
from tests.support.home import make_home

PER_JOB = 10


def main() -> int:
    parser = argparse.ArgumentParser("python -m tests.rounds")
    parser.add_argument("--agent", choices=["demo"], default="demo", help="whom to talk to")
    parser.add_argument("--count", type=int, default=200, help="how many rounds")
    parser.add_argument("--seed", type=int, default=0, help="other delays")
    options = parser.parse_args()
    random.seed(options.seed)
    with tempfile.TemporaryDirectory(prefix="rr-") as folder:
        home = make_home(Path(folder) / "p")
        os.environ.update(home.environ)
        os.environ[processes.MARKER] = token_hex(8)
        try:
            return _report(options.count)
        finally:
            home.end_all()


def _report(count: int) -> int:
    wrong, done, begun = 0, 0, time.monotonic()
    while done < count:
        name, pace = f"demo{done}", random.choice([0.0, random.uniform(0.0, 0.3), random.uniform(0.1, 0.8)])
        start(name, pace, *(["--no-status"] if random.random() < 0.5 else []))
        for played in play(name, min(PER_JOB, count - done)):
            done += 1
            wrong += played.wrong is not None
            if played.wrong:
                sys.stdout.write(f"round {done} ({name}, pace {pace:.2f}), {played.text!r}: {played.wrong}\n")
        sys.stdout.write(f"{done} rounds, {wrong} wrong, {time.monotonic() - begun:.0f} s\n")
        sys.stdout.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

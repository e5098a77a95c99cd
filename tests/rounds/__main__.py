"""`python -m tests.rounds [--agent demo] [--count 200] [--seed N]`: rounds in a home of their own; exit code 1 if one was wrong."""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

from tests.realagents.opening import WAYS
from tests.rounds import real
from tests.rounds.rounds import Round, play, start
from tests.support import processes
from tests.support.home import make_home

PER_JOB = 10


def main() -> int:
    parser = argparse.ArgumentParser("python -m tests.rounds")
    parser.add_argument("--agent", choices=["demo", *WAYS], default="demo", help="whom to talk to; all but demo need ROOST_TEST_DATA")
    parser.add_argument("--count", type=int, help="how many rounds (default: 200 of demo, 20 of another)")
    parser.add_argument("--seed", type=int, default=0, help="other delays of demo")
    options = parser.parse_args()
    if options.agent != "demo" and "ROOST_TEST_DATA" not in os.environ:
        parser.error(f"{options.agent} needs ROOST_TEST_DATA, the folder with the scripted model")
    random.seed(options.seed)
    os.environ[processes.MARKER] = token_hex(8)
    if options.agent != "demo":
        return _report(_real(options.agent, options.count or 20), each=True)
    with tempfile.TemporaryDirectory(prefix="rr-") as folder:
        home = make_home(Path(folder) / "p")
        os.environ.update(home.environ)
        try:
            return _report(_demo(options.count or 200), each=False)
        finally:
            home.end_all()


def _demo(count: int) -> Iterator[tuple[str, Round]]:
    done = 0
    while done < count:
        name, pace = f"demo{done}", random.choice([0.0, random.uniform(0.0, 0.3), random.uniform(0.1, 0.8)])
        start(name, pace, *(["--no-status"] if random.random() < 0.5 else []))
        for played in play(name, min(PER_JOB, count - done)):
            done += 1
            yield f"{name}, pace {pace:.2f}", played


def _real(agent: str, count: int) -> Iterator[tuple[str, Round]]:
    """The same of a real agent, with how late each ended."""
    for played, behind in real.play(agent, count):
        yield f"{agent}, {behind:.2f} s behind the truth", played


def _report(rounds: Iterator[tuple[str, Round]], each: bool) -> int:
    wrong, done, begun = 0, 0, time.monotonic()
    for done, (whose, played) in enumerate(rounds, 1):
        wrong += played.wrong is not None
        if played.wrong or each:
            sys.stdout.write(f"round {done} ({whose}), {played.text!r}: {played.wrong or 'right'}\n")
        if done % PER_JOB == 0:
            sys.stdout.write(f"{done} rounds, {wrong} wrong, {time.monotonic() - begun:.0f} s\n")
        sys.stdout.flush()
    sys.stdout.write(f"{done} rounds, {wrong} wrong, {time.monotonic() - begun:.0f} s\n" if done % PER_JOB else "")
    return 1 if wrong or not done else 0


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.fuzz [--seconds N] [--seed S] [--engine E]`: rounds until the time is over. Exit code 1 where something did not hold."""

from __future__ import annotations

import argparse
import secrets
import sys

from roostd.host.mirror import engines
from roostd.host.mirror.interface import Mirror
from tests.fuzz.bombs import BOMBS, MOST, growth
from tests.fuzz.run import fuzz

BOMB_SIZE = 4 << 20


def main() -> int:
    options = _parser().parse_args()
    seed = options.seed if options.seed is not None else secrets.randbelow(1 << 32)

    def create(cols: int, rows: int) -> Mirror:
        return engines.create(cols, rows, options.engine)

    _say(f"engine {create(1, 1).engine}, seed {seed}, {options.seconds:g} s")
    too_much = []
    for name in BOMBS if options.bombs else ():
        grown = growth(create, name, BOMB_SIZE)
        _say(f"{name}: {BOMB_SIZE >> 20} MiB fed, {grown / 2**20:.1f} MiB taken")
        too_much += [name] if grown > MOST else []
    found = fuzz(create, str(seed), options.seconds, _say, options.most)
    sound = "all held" if not found.broken else f"{len(found.broken)} broken"
    _say(f"{found.rounds} rounds, {found.size} bytes, seed {seed}: {sound}" + (f"; too much memory: {too_much}" if too_much else ""))
    return 1 if too_much or found.broken else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, help="the first round's; else random, and printed")
    parser.add_argument("--most", type=int, default=1, metavar="N", help="end after so many rounds that broke")
    parser.add_argument("--engine", help="pyte or ghostty; else the default")
    parser.add_argument("--bombs", action=argparse.BooleanOptionalAction, default=True, help="what tries to fill memory")
    return parser


if __name__ == "__main__":
    sys.exit(main())

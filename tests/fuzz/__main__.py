"""`python -m tests.fuzz [--seconds N] [--seed S] [--engine E]`: rounds until the time is over. Exit code 1 where something did not hold."""

from __future__ import annotations

import argparse
import secrets
import sys

from roostd.host.mirror import engines
from roostd.host.mirror.interface import Mirror
from tests.fuzz.bombs import BOMBS, MOST, growth
from tests.fuzz.round import Broken
from tests.fuzz.run import fuzz

BOMB_SIZE = 4 << 20


def main() -> int:
    options = _parser().parse_args()
    seed = options.seed if options.seed is not None else secrets.randbelow(1 << 32)

    def create(cols: int, rows: int) -> Mirror:
        return engines.create(cols, rows, options.engine)

    sys.stdout.write(f"engine {create(1, 1).engine}, seed {seed}, {options.seconds:g} s\n")
    too_much = []
    for name in BOMBS if options.bombs else ():
        grown = growth(create, name, BOMB_SIZE)
        sys.stdout.write(f"{name}: {BOMB_SIZE >> 20} MiB fed, {grown / 2**20:.1f} MiB taken\n")
        too_much += [name] if grown > MOST else []
    try:
        rounds, size = fuzz(create, str(seed), options.seconds, say=lambda line: sys.stdout.write(line + "\n") and sys.stdout.flush())
    except Broken as broken:
        sys.stdout.write(f"broken: {broken}\n")
        return 1
    sys.stdout.write(f"{rounds} rounds, {size} bytes, seed {seed}: {'all held' if not too_much else f'too much memory: {too_much}'}\n")
    return 1 if too_much else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, help="the first round's; else random, and printed")
    parser.add_argument("--engine", help="pyte or ghostty; else the default")
    parser.add_argument("--bombs", action=argparse.BooleanOptionalAction, default=True, help="what tries to fill memory")
    return parser


if __name__ == "__main__":
    sys.exit(main())

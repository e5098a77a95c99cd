"""`python -m tests.support.oracle [--seed S] [--count N] [--engine E]`: random cases, ours beside the oracle's; exit code 1 if any differs.

What differs is made as small as it can be. `--record FILE` instead keeps the oracle's answers to all that agree.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from roostd.host.mirror import engines
from roostd.host.mirror.interface import Mirror
from tests.support.needs import ORACLE_REASON
from tests.support.oracle import recorded, xterm
from tests.support.oracle.case import Case
from tests.support.oracle.looks import differences, looks_of
from tests.support.oracle.shrink import shrunk
from tests.support.oracle.streams import case, cut


def main() -> int:
    options = _parser().parse_args()
    if not xterm.available():
        sys.stderr.write(f"{ORACLE_REASON}\n")
        return 2
    cases = [case(seed) for seed in range(options.seed, options.seed + options.count)]
    if options.record:
        answers = [(one, theirs) for one, theirs in zip(cases, xterm.ask(cases), strict=True) if theirs]
        recorded.write(options.record, [(one, theirs) for one, theirs in answers if not _differences(one, theirs, None)])
        return 0

    def differ(some: Sequence[Case]) -> list[list[str]]:
        return [_differences(one, theirs, options.engine) for one, theirs in zip(some, xterm.ask(some), strict=True)]

    wrong = [one for one, found in zip(cases, differ(cases), strict=True) if found]
    for one in wrong[: options.show]:
        small = shrunk(one, lambda some: [bool(found) for found in differ(some)])
        found = differ([small])[0]
        sys.stdout.write(f"{one.name}, {one.cols}x{one.rows}: {small.steps!r}\n  " + "\n  ".join(found[:4]) + "\n")
    sys.stdout.write(f"{len(cases) - len(wrong)} of {len(cases)} cases agree\n")
    return 1 if wrong else 0


def _differences(one: Case, theirs: list[xterm.Look], engine: str | None) -> list[str]:
    def create(cols: int, rows: int) -> Mirror:
        return engines.create(cols, rows, engine)

    if not theirs:
        return []
    chance = random.Random(one.name)
    ours = looks_of(create, one, lambda data: cut(chance, data))
    return [line for mine, other in zip(ours, theirs, strict=True) for line in differences(mine, other)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.support.oracle", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--show", type=int, default=20, help="so many of those that differ")
    parser.add_argument("--engine")
    parser.add_argument("--record", type=Path, metavar="FILE")
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.accuracy [--data DIR] [--held-out | --tuned | --all] [--agent A] [--without ...] [--show RECORDING]`,
`python -m tests.accuracy --live AGENT,... [--scenarios NAME,...] [--details N]`: real agents, started now and watched.

Exit code 0 where every row reaches what it must, 1 where one does not, 2 for a wrong option.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from roostd.host.replay.observed import EVIDENCE
from tests.accuracy.data import OWN, cases
from tests.accuracy.live import SCENARIOS
from tests.accuracy.report import live
from tests.accuracy.rows import KINDS, replayed, scored
from tests.accuracy.table import details, table, timeline
from tests.realagents.opening import WAYS


def main() -> int:
    options = _parser().parse_args()
    if options.live:
        if "ROOST_TEST_DATA" not in os.environ:
            sys.stderr.write("accuracy: --live needs ROOST_TEST_DATA, the folder with the scripted model\n")
            return 2
        return live(options.live.split(","), options.scenarios.split(","), options.details)
    found = cases(options.data, options.part, options.agent)
    without = tuple(options.without.split(",")) if options.without else None
    if without and not set(without) <= set(EVIDENCE):
        sys.stderr.write(f"accuracy: --without takes {', '.join(EVIDENCE)}, joined by commas\n")
        return 2
    if options.show:
        for case in found:
            if case.name == options.show:
                sys.stdout.write(timeline(case.truth(), replayed(case, without or ())))
        return 0
    rows = [scored(found, kind) for kind in KINDS if without is None or kind.without == without]
    for row in rows:
        sys.stdout.write(table([row]) + details(row, options.details))
    return 0 if all(row.all.share >= row.kind.overall and row.worst[1] >= row.kind.worst for row in rows) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.accuracy", description="How often roost is right about what an agent does.")
    outside = os.environ.get("ROOST_TEST_DATA")
    data = Path(outside) / "recordings" if outside else OWN
    parser.add_argument("--data", type=Path, default=data, help="the recordings' folder (default: $ROOST_TEST_DATA/recordings, else ours)")
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--tuned", dest="part", action="store_const", const="tuned", default="tuned", help="those to tune by (the default)")
    part.add_argument("--held-out", dest="part", action="store_const", const="held-out", help="every third scenario of each agent")
    part.add_argument("--all", dest="part", action="store_const", const="all", help="both")
    parser.add_argument("--agent", help="only this agent's folder")
    parser.add_argument("--without", metavar="WHAT,...", help=f"only the row that leaves these out ({', '.join(EVIDENCE)})")
    parser.add_argument("--show", metavar="AGENT/SCENARIO", help="print one recording's truth and what would have been shown")
    parser.add_argument("--live", metavar="AGENT,...", help=f"start these real agents and watch them: {', '.join(WAYS)}")
    parser.add_argument("--scenarios", metavar="NAME,...", default=",".join(SCENARIOS), help="with --live: of the scripted model's")
    parser.add_argument("--details", metavar="N", type=int, default=5, help="so many of the worst recordings of each row")
    return parser


if __name__ == "__main__":
    sys.exit(main())

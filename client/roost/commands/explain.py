"""`roost explain`: why a job is said to be in its state."""

from __future__ import annotations

import os
import time

from roost.connection import Daemon
from roost.evidence import lines
from roost.output import print_json, print_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Say why a job is in its state: the evidence, who won and why."
EXAMPLES = ("roost explain fix-login", "roost explain fix-login --json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="a job's id, its name, or the beginning of its id")
    parser.add_argument("--json", action="store_true", help='print {"job", "evidence", "left"}')


def run(args: argparse.Namespace) -> int:
    with Daemon(os.environ) as daemon:
        explanation = daemon.ask("job.explain", {"job": args.job}, timeout=30)
    if args.json:
        print_json(explanation)
    else:
        print_line("\n".join(lines(explanation, time.time())))
    return 0

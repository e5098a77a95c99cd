"""`roost explain`: why a job is said to be in its state."""

from __future__ import annotations

import os
import time

from roost.connection import Daemon
from roost.evidence import lines
from roost.output import is_terminal, print_json, print_line, terminal_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Say why a job is in its state: the evidence, who won and why."
EXAMPLES = ("roost explain fix-login", "roost explain fix-login --json")

WIDEST = 200
"""Columns of a line that goes to no terminal."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="a job's id, its name, or the beginning of its id")
    parser.add_argument("--json", action="store_true", help='print {"job", "evidence", "left"}')


def run(args: argparse.Namespace) -> int:
    with Daemon(os.environ) as daemon:
        explanation = daemon.ask("job.explain", {"job": args.job}, timeout=30)
    if args.json:
        print_json(explanation)
    else:
        size = terminal_size() if is_terminal(1) else None
        print_line("\n".join(lines(explanation, time.time(), size[0] if size else WIDEST)))
    return 0

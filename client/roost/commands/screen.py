"""`roost screen`: what a job's terminal shows, or showed last."""

from __future__ import annotations

import os

from roost.connection import Daemon
from roost.failure import Usage
from roost.output import print_json, print_line
from roost.picture import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Print what a job's terminal shows, or showed last."
EXAMPLES = ("roost screen fix-login", "roost screen build --lines 200 | less", "roost screen fix-login --ansi")
MOST_LINES = 100_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="a job's id, its name, or the beginning of its id")
    parser.add_argument("--ansi", action="store_true", help="with colours")
    parser.add_argument("--lines", metavar="N", type=int, default=0, help="so many lines of history before the screen")
    parser.add_argument("--json", action="store_true", help='print {"job", "cols", "rows", "lines", "title"}')


def run(args: argparse.Namespace) -> int:
    if not 0 <= args.lines <= MOST_LINES:
        raise Usage(f"--lines: {args.lines} is not between 0 and {MOST_LINES}")
    with Daemon(os.environ) as daemon:
        screen = daemon.ask("job.screen", {"job": args.job, "ansi": args.ansi, "lines": args.lines}, timeout=30)
    if args.json:
        print_json(screen)
    else:
        for line in shown(screen["lines"], args.ansi):
            print_line(line)
    return 0

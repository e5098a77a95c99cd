"""`roost ls`: the jobs, those that need a person first."""

from __future__ import annotations

import os
import sys
import time

from roost.connection import Daemon
from roost.output import colours, print_json, print_line, terminal_size, warn
from roost.table import ago, clock, lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

HELP = "List the jobs, those that need you first."
EXAMPLES = ("roost ls", "roost ls --watch", "roost ls --json | jq -r '.jobs[] | select(.state == \"waiting\") | .name'")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-a", "--all", action="store_true", help="also jobs that `again` or `resume` has replaced")
    parser.add_argument("--json", action="store_true", help='print {"jobs": [JOB, ...]}, oldest first')
    parser.add_argument("--watch", action="store_true", help="stay, and show every change")


def run(args: argparse.Namespace) -> int:
    with Daemon(os.environ) as daemon:
        if not args.watch:
            _print_once(daemon.ask("job.list", {"all": args.all}, timeout=30), args.json)
        elif args.json or not sys.stdout.isatty():
            _print_changes(daemon, args)
        else:
            _watch(daemon, args)
    return 0


def _print_once(answer: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(answer)
        return
    tty = sys.stdout.isatty()
    if not answer["jobs"] and tty:
        warn("no jobs; start one with: roost run AGENT")
        return
    size = terminal_size() if tty else None
    print_line("\n".join(lines(answer["jobs"], ago(time.time()), size[0] if size else None, colours())))


def _print_changes(daemon: Daemon, args: argparse.Namespace) -> None:
    for number, answer in enumerate(daemon.follow("job.watch", {"all": args.all})):
        if args.json:
            print_json(answer)
        else:
            print_line(("\n" if number else "") + "\n".join(lines(answer["jobs"], clock(time.time()))))


def _watch(daemon: Daemon, args: argparse.Namespace) -> None:
    from roost.board import Board

    with Board() as board:
        for answer in daemon.follow("job.watch", {"all": args.all}):
            board.show(answer["jobs"])

"""`roost events`: what happened, in order, without gaps."""

from __future__ import annotations

import os

from roost.connection import Daemon
from roost.failure import Usage
from roost.history import Names, line_of
from roost.output import print_json, print_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Print what happened to the jobs, in order; -f goes on."
EXAMPLES = ("roost events", "roost events -f", "roost events -f --json --since 1200")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-f", "--follow", action="store_true", help="stay, and print what happens from now on (or from --since on)")
    parser.add_argument("--since", metavar="N", type=int, help="only events behind this number")
    parser.add_argument("--json", action="store_true", help='print one {"seq", "at", "kind", "job", "data"} a line')


def run(args: argparse.Namespace) -> int:
    if args.since is not None and args.since < 0:
        raise Usage(f"--since: {args.since} is below 0, which is everything")
    with Daemon(os.environ) as daemon:
        since = args.since
        if since is None and args.follow:
            # A number from the beginning, so that a daemon which dies before the first event leaves no gap.
            since = daemon.ask("daemon.status")["last_event"]
        names = None if args.json else Names(daemon.ask("job.list", {"all": True}, timeout=30)["jobs"])
        for event in daemon.follow("event.subscribe", {"since": since, "follow": args.follow}):
            if names is None:
                print_json(event)
            else:
                print_line(line_of(event, names.of(event)))
    return 0

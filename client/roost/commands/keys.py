"""`roost keys`: single keys for a job's terminal."""

from __future__ import annotations

import os

from roost.connection import Daemon

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Press keys in a job's terminal."
EXAMPLES = ("roost keys fix-login esc", "roost keys fix-login down down enter", "roost keys build ctrl+c")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="a job's id, its name, or the beginning of its id")
    parser.add_argument("keys", metavar="KEY", nargs="+", help="esc, enter, tab, up, pagedown, f5, ctrl+c, alt+x, ... or one character")


def run(args: argparse.Namespace) -> int:
    with Daemon(os.environ) as daemon:
        daemon.ask("job.keys", {"job": args.job, "keys": args.keys})
    return 0

"""`roost attach`: a job's terminal, here."""

from __future__ import annotations

import os

from roost.attach.session import attach, can_attach
from roost.connection import Daemon
from roost.failure import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Show a job in this terminal; ctrl-\\ leaves it running and comes back here."
EXAMPLES = ("roost attach fix-login", "roost attach --read-only fix-login", "ROOST_DETACH_KEYS='ctrl-a d' roost attach fix-login")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="a job's id, its name, or the beginning of its id")
    parser.add_argument("--read-only", action="store_true", help="only look: what is typed does not reach the job")


def run(args: argparse.Namespace) -> int:
    if not can_attach():
        raise Failed(f"attach needs a terminal for stdin and stdout; `roost screen {args.job}` prints what the job shows")
    with Daemon(os.environ) as daemon:
        return attach(daemon, args.job, os.environ, read_only=args.read_only)[1]

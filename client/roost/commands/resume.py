"""`roost resume`: a job's agent once more, in the session it had."""

from __future__ import annotations

import os

from roost import started
from roost.caller import caller
from roost.connection import Daemon

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Start a job's agent once more, in the session it had."
EXAMPLES = ("roost resume fix-login", "roost resume fix-login -d")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="a job's id, its name, or the beginning of its id")
    started.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    started.check(args)
    with Daemon(os.environ) as daemon:
        return started.start(daemon, "job.resume", {"job": args.job, "caller": caller()}, args)

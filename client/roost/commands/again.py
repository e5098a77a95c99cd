"""`roost again`: the same command and first task once more."""

from __future__ import annotations

import os

from roost import started
from roost.caller import caller
from roost.connection import Daemon

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Start a job once more: the same command and first task."
EXAMPLES = ("roost again build", "roost again fix-login -d")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="a job's id, its name, or the beginning of its id")
    started.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    started.check(args)
    with Daemon(os.environ) as daemon:
        return started.start(daemon, "job.again", {"job": args.job, "caller": caller()}, args)

"""`roost rm`: forget jobs that have ended."""

from __future__ import annotations

import os

from roost.connection import Daemon, Request
from roost.several import report_each

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Forget jobs that have ended, and what they left on disk."
EXAMPLES = ("roost rm fix-login", "roost rm --stop a b c")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("jobs", metavar="JOB", nargs="+", help="a job's id, its name, or the beginning of its id")
    parser.add_argument("--stop", action="store_true", help="end a job that still runs first")


def run(args: argparse.Namespace) -> int:
    with Daemon(os.environ) as daemon:
        answers = daemon.ask_all([Request("job.remove", {"job": job, "stop": args.stop}) for job in args.jobs])
    return report_each(answers)

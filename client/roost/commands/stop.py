"""`roost stop`: end jobs."""

from __future__ import annotations

import os

from roost.connection import Daemon, Request
from roost.several import report_each
from roost.wording import label, outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "End jobs, with every process they started."
EXAMPLES = ("roost stop fix-login", "roost stop a b c", "roost stop --force stuck")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("jobs", metavar="JOB", nargs="+", help="a job's id, its name, or the beginning of its id")
    parser.add_argument("--force", action="store_true", help="kill at once, without the chance to end in order")
    parser.add_argument("--json", action="store_true", help="print JOB, one a line")


def run(args: argparse.Namespace) -> int:
    with Daemon(os.environ) as daemon:
        answers = daemon.ask_all([Request("job.stop", {"job": job, "force": args.force}) for job in args.jobs])
    return report_each(answers, args.json, lambda job: f"{label(job)} {outcome(job)}")

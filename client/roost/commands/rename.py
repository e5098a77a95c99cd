"""`roost rename`: another name for a job."""

from __future__ import annotations

import os

from roost.connection import Daemon
from roost.output import print_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Give a job another name."
EXAMPLES = ("roost rename codex fix-login",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="a job's id, its name, or the beginning of its id")
    parser.add_argument("name", metavar="NAME", help="letters, digits, . _ and -, first a letter or a digit; at most 64")
    parser.add_argument("--json", action="store_true", help="print JOB")


def run(args: argparse.Namespace) -> int:
    with Daemon(os.environ) as daemon:
        job = daemon.ask("job.rename", {"job": args.job, "name": args.name})
    if args.json:
        print_json(job)
    return 0

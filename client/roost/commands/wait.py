"""`roost wait`: until jobs have settled, or are in a state that is asked for."""

from __future__ import annotations

import os

from roost.connection import Daemon
from roost.durations import parse
from roost.failure import Usage
from roost.output import print_json, print_line
from roost.wording import label, outcome
from roost_protocol.errors import EXIT_NO, EXIT_OK
from roost_protocol.states import STATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Wait until jobs need you or have ended, or are in a given state."
EXAMPLES = ("roost wait fix-login", "roost wait a b c --any --timeout 10m", "roost wait build --until done,failed && roost screen build")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("jobs", metavar="JOB", nargs="+", help="a job's id, its name, or the beginning of its id")
    parser.add_argument("--until", metavar="STATE,...", help="the states to wait for (default: any settled one)")
    parser.add_argument("--any", action="store_true", help="one of the jobs is enough")
    parser.add_argument("--timeout", metavar="TIME", help="give up after this time, with exit code 124: 90, 30s, 10m, 2h")
    parser.add_argument("--json", action="store_true", help='print {"jobs": [JOB, ...], "wanted": true or false}')


def run(args: argparse.Namespace) -> int:
    until = _states(args.until) if args.until is not None else []
    timeout = _seconds(args.timeout) if args.timeout is not None else None
    with Daemon(os.environ) as daemon:
        answer = daemon.ask("job.wait", {"jobs": args.jobs, "until": until, "any": args.any}, timeout)
    if args.json:
        print_json(answer)
    else:
        for job in answer["jobs"]:
            print_line(f"{label(job)} {outcome(job)}")
    return EXIT_OK if answer["wanted"] else EXIT_NO


def _states(text: str) -> list[str]:
    states = [word.strip() for word in text.split(",")]
    for state in states:
        if state not in STATES:
            raise Usage(f"--until: {state!r} is no state; there are: {', '.join(STATES)}")
    return states


def _seconds(text: str) -> float:
    try:
        return parse(text)
    except ValueError as error:
        raise Usage(f"--timeout: {error}") from None

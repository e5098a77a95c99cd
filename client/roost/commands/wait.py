"""`roost wait`: until jobs have settled, or are in a state that is asked for."""

from __future__ import annotations

import os

from roost.connection import Daemon, Request
from roost.durations import UNITS
from roost.failure import Failed, Usage
from roost.output import print_json, print_line
from roost.reading import seconds
from roost.wording import label, outcome
from roost_protocol.errors import EXIT_NO, EXIT_OK, EXIT_TIMEOUT, RoostError
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
    timeout = seconds(args.timeout) if args.timeout is not None else None
    with Daemon(os.environ) as daemon:
        # What comes from here on counts, though it be over again: a number that holds when the daemon is another one by then.
        since = daemon.ask("daemon.status", timeout=30)["last_event"]
        ids = _ids(daemon, args.jobs)
        try:
            answer = daemon.ask("job.wait", {"jobs": ids, "until": until, "any": args.any, "since": since}, timeout)
        except RoostError as error:
            if error.code != "timeout":
                raise
            raise Failed(_too_late(daemon, ids, args.timeout, until, since), EXIT_TIMEOUT) from None
    if args.json:
        print_json(answer)
    else:
        for job in answer["jobs"]:
            print_line(f"{label(job)} {outcome(job)}")
    return EXIT_OK if answer["wanted"] else EXIT_NO


def _ids(daemon: Daemon, refs: list[str]) -> list[str]:
    """The jobs that are meant now: while we wait a daemon may come and go, and a name be another job's by then."""
    found = []
    for row in daemon.ask_all([Request("job.get", {"job": ref}, 30.0) for ref in dict.fromkeys(refs)]):
        if isinstance(row, RoostError):
            raise row
        found.append(row["id"])
    return list(dict.fromkeys(found))


def _too_late(daemon: Daemon, ids: list[str], given: str, until: list[str], since: int) -> str:
    """Which of the jobs are not there after the time that was `given`, and what they do instead."""
    # Asked of each alone and with no time: only the daemon knows for which job `quiet` is settled.
    reached = daemon.ask_all([Request("job.wait", {"jobs": [job_id], "until": until, "since": since}, 0.0) for job_id in ids])
    rows = daemon.ask_all([Request("job.get", {"job": job_id}) for job_id in ids])
    late = [
        f"{label(row)} is still {row['state']}"
        for row, answer in zip(rows, reached, strict=True)
        if isinstance(answer, RoostError) and not isinstance(row, RoostError)
    ]
    time = given if given[-1] in UNITS else f"{given}s"
    return f"{', '.join(late)} after {time}" if late else f"the time ({time}) was over first"


def _states(text: str) -> list[str]:
    states = [word.strip() for word in text.split(",")]
    for state in states:
        if state not in STATES:
            raise Usage(f"--until: {state!r} is no state; there are: {', '.join(STATES)}")
    return states

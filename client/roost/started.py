"""What `run`, `again` and `resume` do with the job they have started: show it, or say what it is called."""

from __future__ import annotations

import os

from roost.failure import Usage
from roost.output import is_terminal, print_json, print_line, warn
from roost.wording import exit_of_job, label
from roost_protocol.errors import EXIT_OK, RoostError
from roost_protocol.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from roost.connection import Daemon

    Json = dict[str, Any]

MOST_LINES = 100_000
"""Of history: all that there is of a job's."""
KEPT = 2_000
"""Rows of history that a host keeps: where there are so many there may have been more."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that say how to go on with the new job."""
    parser.add_argument("-d", "--detach", action="store_true", help="leave it in the background and print its id")
    parser.add_argument(
        "--exit-code",
        action="store_true",
        help=f"wait for its end, print the end of its output ({KEPT} rows), exit as it did (a signal: 128 and its number)",
    )
    parser.add_argument("--json", action="store_true", help="leave it in the background and print JOB")


def check(args: argparse.Namespace) -> None:
    """Raises `Usage` for options that contradict each other."""
    for option, chosen in (("--detach", args.detach), ("--json", args.json)):
        if chosen and args.exit_code:
            raise Usage(f"{option} leaves the job in the background, --exit-code waits for its end: choose one")


def start(daemon: Daemon, verb: str, params: Json, args: argparse.Namespace) -> int:
    """Starts the job: attached where a person sits at a terminal and did not ask otherwise. Returns the command's exit code."""
    if not (args.detach or args.json) and is_terminal(0) and is_terminal(1):
        return _attached(daemon, verb, params, args.exit_code)
    job = daemon.ask(verb, params)
    if args.exit_code:
        return _awaited(daemon, job["id"])
    if args.json:
        print_json(job)
    else:
        _announce(job)
    return EXIT_OK


def _awaited(daemon: Daemon, job_id: str) -> int:
    """Waits for the job's end and prints what it has written, as its terminal had it."""
    from roost.picture import shown
    from roost_protocol.states import ENDED

    (job,) = daemon.ask("job.wait", {"jobs": [job_id], "until": sorted(ENDED)})["jobs"]
    try:
        screen = daemon.ask("job.screen", {"job": job_id, "ansi": False, "lines": MOST_LINES}, timeout=30)
    except RoostError as error:
        # How it ended is known all the same, and that is what was asked for.
        warn(f"roost: {printable(error.message)}")
        return exit_of_job(job)
    if len(screen["lines"]) - screen["rows"] >= KEPT:
        warn(f"roost: only the end is printed: a job's history has {KEPT} rows; have the command write to a file what must be whole")
    for line in shown(screen["lines"], ansi=False):
        print_line(line)
    return exit_of_job(job)


def _attached(daemon: Daemon, verb: str, params: Json, exit_code: bool) -> int:
    # Imported here: a detached run is over sooner than all that a terminal needs is read.
    from roost.attach.session import attach, chosen_keys

    chosen_keys(os.environ)  # A wrong choice is said before there is a job.
    job, status = attach(daemon, daemon.ask(verb, params)["id"], os.environ)
    return exit_of_job(job) if exit_code and job["ended"] is not None else status


def _announce(job: Json) -> None:
    if not is_terminal(1):
        print_line(job["id"])
        return
    print_line(f"{job['id']}  {label(job)}")
    warn(f"it runs in the background; `roost attach {label(job)}` shows it, `roost ls` lists all")

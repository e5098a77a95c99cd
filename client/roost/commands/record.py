"""`roost record`: what a job writes from now on, as an asciicast, with its states beside it."""

from __future__ import annotations

import os

from roost.connection import Daemon
from roost.failure import Usage
from roost.output import print_line, warn
from roost_protocol.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Record what a job writes from now on, until it ends or ctrl-c is pressed."
EXAMPLES = (
    "roost record fix-login fix-login.cast",
    "roost record fix-login fix-login.cast & roost reply fix-login 'go on'; roost wait fix-login; kill -INT %1",
    "roost explain --recording fix-login.cast --agent codex",
)
FILES = ("file",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="a job's id, its name, or the beginning of its id")
    parser.add_argument("file", metavar="FILE", help="where to; its states go to FILE.states.jsonl")
    parser.add_argument("--force", action="store_true", help="replace files that are there already")


def run(args: argparse.Namespace) -> int:
    import signal

    from roost.cast import STATES
    from roost.recorder import Recording

    if args.file in ("", "-"):
        raise Usage("FILE must be named: a recording has another file beside it")
    # A shell without job control has its background commands ignore ctrl-c; this one's way to end is to hear it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with Daemon(os.environ) as daemon:
        recording = Recording(daemon, args.job, args.file, args.force)
        shown = printable(args.file)
        warn(f"roost: {shown} gets all that the terminal shows, secrets too: look through it before you give it away")
        recording.run()
    if recording.complaint:
        warn(f"roost: not all states are in {shown}{STATES}: {printable(recording.complaint)}")
    print_line(f"{recording.seconds:.1f} s in {shown}, the states in {shown}{STATES}")
    return 0

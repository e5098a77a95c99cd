"""`roost explain`: why a job is said to be in its state; or what would be said of a recording."""

from __future__ import annotations

import os
import time

from roost.connection import Daemon
from roost.evidence import lines
from roost.failure import Usage
from roost.output import is_terminal, print_json, print_line, terminal_size
from roost.reading import check_terminal_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Say why a job is in its state, or what a recording would have said when: the evidence, who won and why."
EXAMPLES = (
    "roost explain fix-login",
    "roost explain fix-login --json",
    "roost explain --recording session.cast --agent codex",
    "roost explain --recording session.cast --without program-status,titles --json",
)

FILES = ("recording",)
WIDEST = 200
"""Columns of a line that goes to no terminal."""

EVIDENCE = ("program-status", "titles", "patterns")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", nargs="?", help="a job's id, its name, or the beginning of its id")
    parser.add_argument(
        "--json", action="store_true", help='print {"job", "evidence", "left", ...}, or of a recording one object a transition'
    )
    offline = parser.add_argument_group("without a job and a daemon")
    offline.add_argument("--recording", metavar="FILE", help="replay a recording (asciicast or roost's); - is stdin")
    offline.add_argument("--agent", metavar="NAME", help="read it by this agent's profile; else nothing is known of the agent")
    offline.add_argument("--size", metavar="COLSxROWS", help="the size to begin with; else the recording's")
    offline.add_argument("--without", metavar="WHAT,...", help=f"leave evidence out: {', '.join(EVIDENCE)}")


def run(args: argparse.Namespace) -> int:
    _check(args)
    if args.recording is not None:
        _explain_recording(args)
        return 0
    with Daemon(os.environ) as daemon:
        explanation = daemon.ask("job.explain", {"job": args.job}, timeout=30)
    if args.json:
        print_json(explanation)
    else:
        print_line("\n".join(lines(explanation, time.time(), _columns())))
    return 0


def _check(args: argparse.Namespace) -> None:
    if (args.job is None) == (args.recording is None):
        both = "" if args.job is None else ", not both"
        raise Usage(f"name a job, or a file behind --recording{both}")
    if args.recording == "":
        raise Usage("--recording: name a file, or - for stdin")
    if args.recording is None:
        for option in ("agent", "size", "without"):
            if getattr(args, option) is not None:
                raise Usage(f"--{option} goes with --recording")
    if args.size is not None:
        check_terminal_size(args.size)
    for word in (args.without or EVIDENCE[0]).split(","):
        if word not in EVIDENCE:
            raise Usage(f"--without: {word!r} cannot be left out; {', '.join(EVIDENCE)} can, joined by commas")


def _explain_recording(args: argparse.Namespace) -> None:
    from roost.timeline import PUBLIC, explained
    from roost.timeline import lines as timeline

    options = [f"--{name}={value}" for name in ("agent", "size", "without") if (value := getattr(args, name))]
    for transition in explained(args.recording, options):
        if args.json:
            print_json({key: transition[key] for key in PUBLIC})
        else:
            print_line("\n".join(timeline(transition, _columns())))


def _columns() -> int:
    size = terminal_size() if is_terminal(1) else None
    return size[0] if size else WIDEST

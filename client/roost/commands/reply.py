"""`roost reply`: a person's answer to a job."""

from __future__ import annotations

import os

from roost.connection import Daemon
from roost.failure import Usage
from roost.output import print_json, print_line
from roost.reading import seconds, text_or_stdin
from roost_protocol.errors import EXIT_NO, EXIT_OK, EXIT_TIMEOUT
from roost_protocol.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Answer a job: the text reaches its agent and is submitted."
EXAMPLES = (
    "roost reply fix-login 'yes, and add a test'",
    "roost reply fix-login y",
    "roost reply fix-login --choice 2",
    "roost reply fix-login --wait 'now the docs' && roost screen fix-login",
    "git diff | roost reply review -",
)

MEANINGS = {
    "delivered": "delivered: the agent has taken it",
    "typed": "typed, but the terminal has not reacted; look with `roost screen`",
    "pending": "pending: kept, and delivered as soon as the agent takes it",
}
PATIENCE = 30.0
"""Seconds for what becomes of a reply."""
FAILED = ("refused", "typed", "pending")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="a job's id, its name, or the beginning of its id")
    parser.add_argument("text", metavar="TEXT", nargs="?", help="the answer; - reads it from stdin")
    parser.add_argument("--choice", metavar="C", help="what is on offer: its number from 1, its id or label, or the beginning of one")
    parser.add_argument("--answer", action="store_true", help="type it although a dialog is open")
    add_waiting(parser)


def add_waiting(parser: argparse.ArgumentParser) -> None:
    """The options of every command that sends a job something and tells what became of it."""
    parser.add_argument("--timeout", metavar="TIME", help="wait so long for what becomes of it (default 30s; with --wait, for ever)")
    parser.add_argument("--wait", action="store_true", help="wait until the job has settled behind it")
    parser.add_argument("--json", action="store_true", help='print {"job", "n", "outcome", "why", "started", "settled"}')


def run(args: argparse.Namespace) -> int:
    if (args.text is None) == (args.choice is None):
        raise Usage("answer in words, or with --choice: one of the two")
    kind, text = ("reply", text_or_stdin(args.text)) if args.choice is None else ("choice", args.choice)
    return send(args, kind, text)


def send(args: argparse.Namespace, kind: str, text: str) -> int:
    """Sends it, and tells what became of it."""
    timeout = seconds(args.timeout) if args.timeout is not None else None if args.wait else PATIENCE
    params = {"job": args.job, "text": text} | ({"kind": kind} if kind != "reply" else {})
    params |= {name: True for name in ("answer", "wait") if getattr(args, name, False)}
    with Daemon(os.environ) as daemon:
        result = daemon.ask("job.reply", params, timeout)
    if args.json:
        print_json(result)
    else:
        print_line(_words(result["outcome"], result.get("why")) + (f"; {result['settled']}" if result.get("settled") else ""))
    if args.wait and not result.get("settled") and (result["outcome"] not in FAILED or result["outcome"] == "pending"):
        return EXIT_TIMEOUT
    return EXIT_NO if result["outcome"] in FAILED else EXIT_OK


def _words(outcome: str, why: str | None) -> str:
    return printable(f"{outcome}: {why}" if why else MEANINGS.get(outcome, outcome))

"""`roost report`: an agent, or a script around one, says from inside its job how it is doing."""

from __future__ import annotations

import os

from roost.agents_door import send_report
from roost.failure import Usage
from roost.reading import text_or_stdin

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

HELP = "From inside a job: say what its agent is doing."
EXAMPLES = (
    "roost report --state working --status 'running the tests'",
    "roost report --state waiting --waiting-for approval --question 'Deploy?' --choice y=Yes --choice n=No",
    "roost report --state idle --summary 'all tests pass'",
)
STATES = ("working", "waiting", "idle")
KINDS = ("approval", "question", "choice", "login")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--state", choices=STATES, required=True, help="working, waiting (for a person) or idle")
    parser.add_argument("--waiting-for", choices=KINDS, help="what a person is to give")
    parser.add_argument("--question", metavar="Q", help="what is asked; - reads it from stdin")
    parser.add_argument("--choice", metavar="ID=LABEL", action="append", help="an answer on offer (repeatable)")
    parser.add_argument("--status", metavar="TEXT", help="what it is doing, in a few words")
    parser.add_argument("--summary", metavar="TEXT", help="what it has done")
    parser.add_argument("--model", metavar="M", help="the model it uses")
    parser.add_argument("--session-ref", metavar="S", help="the agent's own id of this session, for `roost resume`")


def run(args: argparse.Namespace) -> int:
    send_report(_report(args), os.environ)
    return 0


def _report(args: argparse.Namespace) -> dict[str, Any]:
    """The fields of `agent.Report`: what is not given is unknown, and left out."""
    fields = {
        "state": args.state,
        "waiting_for": args.waiting_for,
        "question": text_or_stdin(args.question) if args.question is not None else None,
        "choices": [_choice(text) for text in args.choice] if args.choice else None,
        "status": args.status,
        "summary": args.summary,
        "model": args.model,
        "session_ref": args.session_ref,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _choice(text: str) -> dict[str, str]:
    choice, separator, text_of_it = text.partition("=")
    if not (choice and separator and text_of_it):
        raise Usage(f"--choice: {text!r} is not ID=LABEL")
    return {"id": choice, "label": text_of_it}

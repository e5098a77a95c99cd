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
    "ssh host roost report --osc --state working --status 'building' --progress 40",
)
STATES = ("working", "waiting", "idle")
TERMINAL_STATES = ("done", "error", "clear")
"""What a terminal can be told, and no report says."""
TERMINAL_OPTIONS = ("progress", "id", "app")
KINDS = ("approval", "question", "choice", "login")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--state", choices=STATES + TERMINAL_STATES, required=True, help="working, waiting (for a person) or idle")
    parser.add_argument("--waiting-for", choices=KINDS, help="what a person is to give")
    parser.add_argument("--question", metavar="Q", help="what is asked; - reads it from stdin")
    parser.add_argument("--choice", metavar="ID=LABEL", action="append", help="an answer on offer (repeatable)")
    parser.add_argument("--status", metavar="TEXT", help="what it is doing, in a few words")
    parser.add_argument("--summary", metavar="TEXT", help="what it has done")
    parser.add_argument("--model", metavar="M", help="the model it uses")
    parser.add_argument("--session-ref", metavar="S", help="the agent's own id of this session, for `roost resume`")
    told = parser.add_argument_group("where there is only a terminal (ssh, containers)")
    told.add_argument("--osc", action="store_true", help="tell it the terminal (OSC 7501); states done, error and clear too")
    told.add_argument("--progress", metavar="N", type=int, help="how much is done, 0 to 100")
    told.add_argument("--id", metavar="A/B", help="which part of the program says so; else the program itself")
    told.add_argument("--app", metavar="NAME", help="which program says so")


def run(args: argparse.Namespace) -> int:
    if args.osc:
        _tell_terminal(args)
        return 0
    if args.state in TERMINAL_STATES:
        raise Usage(f"--state {args.state} can only be told to a terminal: add --osc, or say {', '.join(STATES)}")
    for option in TERMINAL_OPTIONS:
        if getattr(args, option) is not None:
            raise Usage(f"--{option} can only be told to a terminal: add --osc")
    send_report(_report(args), os.environ)
    return 0


def _tell_terminal(args: argparse.Namespace) -> None:
    """The longest text that is given is the message, a status beside it the title."""
    from roost.program_status import emit, sequence

    for option in ("choice", "model", "session_ref"):
        if getattr(args, option) is not None:
            raise Usage(f"--{option.replace('_', '-')} cannot be told to a terminal: leave it out, or --osc")
    report = _report(args)
    said = report.get("question") or report.get("summary")
    status = report.get("status")
    ids = {"id": args.id, "app": args.app}
    texts = {"title": status if said else None, "msg": said or status}
    emit(sequence(args.state, waiting_for=args.waiting_for, progress=args.progress, ids=ids, **texts))


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

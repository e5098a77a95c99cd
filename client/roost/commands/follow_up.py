"""`roost follow-up`: what an agent is to do when it is done."""

from __future__ import annotations

from roost.commands.reply import add_waiting, send
from roost.reading import text_or_stdin

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Tell an agent what to do once it is done with what it does."
EXAMPLES = ("roost follow-up fix-login 'now the docs'",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="a job's id, its name, or the beginning of its id")
    parser.add_argument("text", metavar="TEXT", help="what comes next; - reads it from stdin")
    add_waiting(parser)


def run(args: argparse.Namespace) -> int:
    return send(args, "follow_up", text_or_stdin(args.text))

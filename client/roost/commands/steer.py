"""`roost steer`: a word to an agent about what it is doing right now."""

from __future__ import annotations

from roost.commands.reply import add_waiting, send
from roost.reading import text_or_stdin

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Tell an agent something about what it does right now, without stopping it."
EXAMPLES = ("roost steer fix-login 'leave the tests as they are'",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="a job's id, its name, or the beginning of its id")
    parser.add_argument("text", metavar="TEXT", help="what it should mind; - reads it from stdin")
    add_waiting(parser)


def run(args: argparse.Namespace) -> int:
    return send(args, "steer", text_or_stdin(args.text))

"""`roost set-model`: another model for an agent that runs."""

from __future__ import annotations

from roost.commands.reply import add_waiting, send

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Have an agent go on with another model."
EXAMPLES = ("roost set-model fix-login sonnet",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", metavar="JOB", help="a job's id, its name, or the beginning of its id")
    parser.add_argument("model", metavar="MODEL", help="its name, as the agent knows it")
    add_waiting(parser)


def run(args: argparse.Namespace) -> int:
    return send(args, "set_model", args.model)

"""`roost help`: what there is, or how one command is used."""

from __future__ import annotations

from roost.output import print_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "Say what commands there are, or how one is used."
EXAMPLES = ("roost help", "roost help run")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("verb", metavar="COMMAND", nargs="?", help="the command to explain")


def run(args: argparse.Namespace) -> int:
    from roost.cli import build_parser, load, verbs

    if args.verb:
        print_line(build_parser(args.verb, load(args.verb)).format_help().rstrip())
        return 0
    print_line("roost runs terminal coding agents, keeps them running, and tells you which one needs you.\n")
    for verb in verbs():
        print_line(f"  {verb:<11} {load(verb).HELP}")
    print_line("\n`roost help COMMAND` shows a command's options and examples, `roost --version` the version.")
    print_line("JOB is a job's id, its name, or the beginning of its id.")
    print_line('You are notified when an agent needs you; "notify": false in roost.json switches that off (docs/notifications.md).')
    return 0

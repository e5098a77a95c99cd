"""`roost ask`: a script asks the person from inside its job, and prints the answer."""

from __future__ import annotations

import os

from roost.agents_door import own_job
from roost.commands.report import KINDS
from roost.failure import Failed
from roost.output import print_json, print_line
from roost.reading import seconds, text_or_stdin
from roost.version import VERSION
from roost_protocol.errors import EXIT_NO, EXIT_OK, EXIT_TIMEOUT, RoostError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

HELP = "From inside a job: ask the person, and print what they answer."
EXAMPLES = (
    "roost ask 'Deploy?' --choice yes --choice no && ./deploy",
    "branch=$(roost ask 'Which branch?')",
    "roost ask 'Which one?' --choice a='The old one' --choice b='The new one' --timeout 10m",
)
NO = frozenset({"n", "no"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", metavar="QUESTION", help="what is asked; - reads it from stdin")
    parser.add_argument("--choice", metavar="ID[=LABEL]", action="append", default=[], help="an answer on offer (repeatable)")
    parser.add_argument(
        "--waiting-for", choices=KINDS, help="what a person is to give (default: choice where there are any, else question)"
    )
    parser.add_argument("--timeout", metavar="TIME", help="give up after so long (default: wait for ever)")
    parser.add_argument("--json", action="store_true", help='print {"answer"}, null where there was none')


def run(args: argparse.Namespace) -> int:
    own_job(os.environ)
    _check_alone()
    timeout = seconds(args.timeout) if args.timeout is not None else None
    choices = [_choice(text) for text in args.choice]
    answer = _answer(text_or_stdin(args.question), choices, timeout, args.waiting_for)
    if args.json:
        print_json({"answer": answer})
    elif answer is not None:
        print_line(answer)
    if answer is None:
        return EXIT_TIMEOUT
    return EXIT_NO if NO & {answer.strip().casefold(), dict(choices).get(answer, "").casefold()} else EXIT_OK


def _answer(question: str, choices: list[tuple[str, str]], timeout: float | None, waiting_for: str | None) -> str | None:
    from roost_agent import Agent, AgentError

    try:
        with Agent.from_env(name="roost ask", version=VERSION, nested=True, strict=True) as agent:
            return agent.ask(question, choices, timeout=timeout, waiting_for=waiting_for)
    except AgentError as error:
        raise RoostError(error.code, error.message) from None  # type: ignore[arg-type]


def _check_alone() -> None:
    """Raises `Failed` where an agent speaks for this job already: it would hear no more."""
    speaks, anyway = os.environ.get("ROOST_AGENT_PID", ""), os.environ.get("ROOST_AGENT_NESTED") == "1"
    if not anyway and speaks.isascii() and speaks.isdigit() and os.path.exists(f"/proc/{speaks}"):  # noqa: PTH110
        raise Failed(f"process {speaks} speaks for this job: ask through it, or set ROOST_AGENT_NESTED=1 to take its place for good")


def _choice(text: str) -> tuple[str, str]:
    choice, _, label = text.partition("=")
    return choice, label or choice

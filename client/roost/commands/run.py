"""`roost run`: start an agent, or any command, as a job."""

from __future__ import annotations

import os

from roost import started
from roost.caller import caller
from roost.connection import Daemon
from roost.failure import Usage
from roost.reading import text_or_stdin, working_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

HELP = "Start an agent, or any command behind --, as a job, and show it here."
EXAMPLES = (
    "roost run claude 'fix the failing login test'",
    "roost run -d -n review codex 'review the last commit' --cwd ~/src/app",
    "git diff | roost run -d codex -",
    "roost run -- make -j8 test",
)
TAKES_REST = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "roost run [options] AGENT [TASK|-] [-- ARGS...]\n       roost run [options] -- COMMAND [ARG...]"
    parser.add_argument("words", metavar="AGENT", nargs="*", help="the agent's profile, and its first task; - reads the task from stdin")
    started.add_arguments(parser)
    parser.add_argument("-n", "--name", metavar="NAME", help="what to call the job (default: the agent, numbered)")
    parser.add_argument("--cwd", metavar="DIR", help="the folder to run in (default: this one)")
    parser.add_argument("--model", metavar="M", help="the model, as the agent names it")
    parser.add_argument("--thinking", metavar="T", help="the thinking level, as the agent names it")
    parser.add_argument(
        "--env", metavar="K=V", action="append", default=[], help="set a variable; a NAME alone gives it the value it has here (repeatable)"
    )


def run(args: argparse.Namespace) -> int:
    started.check(args)
    params = _params(args)
    with Daemon(os.environ) as daemon:
        return started.start(daemon, "job.run", params, args)


def _params(args: argparse.Namespace) -> dict[str, Any]:
    """`operator.JobRun` of this command line."""
    agent, task = _agent_and_task(args)
    params: dict[str, Any] = {"cwd": working_folder(args.cwd), "agent": agent, "args": args.rest or [], "env": args.env}
    chosen = {"task": task, "model": args.model, "thinking": args.thinking, "name": args.name}
    params.update({key: value for key, value in chosen.items() if value is not None})
    return {**params, "caller": caller()}


def _agent_and_task(args: argparse.Namespace) -> tuple[str | None, str | None]:
    if len(args.words) > 2:
        words = " ".join(args.words[1:])
        raise Usage(f"too many words behind the agent ({words!r}): put the task in quotes, the agent's own options behind --")
    if not args.words:
        if not args.rest:
            raise Usage("name an agent, or a command behind --; `roost run --help` has examples")
        if args.model is not None or args.thinking is not None:
            raise Usage("--model and --thinking are for agents: a bare command has no such choice")
        return None, None
    agent = args.words[0]
    return agent, _task(args.words[1]) if len(args.words) == 2 else None


def _task(word: str) -> str:
    task = text_or_stdin(word)
    if word == "-" and not task.strip():
        raise Usage("stdin is empty: there is no task in it; without - the agent starts with none")
    return task

"""`python -P -m roost.demo [TASK]`: the demo's loop."""

import argparse
import os
import signal
import sys
import termios
import time
from contextlib import suppress

from roost.demo.agent import Agent
from roost.demo.keys import Keys
from roost.demo.screen import BEAT, ENTER, Screen
from roost.demo.terminal import Ended, Terminal, raw_terminal

ESCAPE_TIME = 0.05
"""Seconds after which an escape that nothing followed was a key."""


def main(argv: list[str] | None = None) -> int:
    """The exit code: 0 at its own end, 130 after two ctrl+c; a signal ends it as that signal does."""
    options = _options(argv)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        sys.stderr.write("the demo needs a terminal: try `roost run demo`\n")
        return 2
    agent = Agent(pace=options.pace, seed=options.seed, once=options.task is not None and not options.stay)
    try:
        with raw_terminal() as terminal:
            return _run(terminal, agent, options.task, reports=options.status)
    except Ended as ended:
        if ended.number is not None:
            signal.signal(ended.number, signal.SIG_DFL)
            os.kill(os.getpid(), ended.number)
    except termios.error:
        pass
    return 1


def _run(terminal: Terminal, agent: Agent, task: str | None, *, reports: bool) -> int:
    screen, keys = Screen(*terminal.size, reports=reports), Keys()
    terminal.write(ENTER)
    try:
        agent.said.append("roost demo: an agent that only pretends. Give it a task, answer it, leave it, come back.")
        if task:
            agent.submit(task, time.monotonic())
            # Drawn before anything is due, so that work is seen however short it is.
            terminal.write(screen.draw(agent, time.monotonic()))
        while True:
            now = time.monotonic()
            agent.tick(now)
            terminal.write(screen.draw(agent, now))
            if agent.exit_code is not None:
                return agent.exit_code
            typed, resized = terminal.wait(_patience(agent, keys, now))
            now = time.monotonic()
            for key in keys.feed(typed) if typed else keys.flush() if keys.pending else []:
                agent.press(key, now)
                terminal.write(screen.draw(agent, now))
            if resized:
                terminal.write(screen.resize(agent, now, *terminal.size))
    finally:
        with suppress(Ended):
            terminal.write(screen.end())


def _patience(agent: Agent, keys: Keys, now: float) -> float | None:
    """Seconds until something is to be done without a key; None when there is nothing, so that an idle demo sleeps."""
    times = [BEAT] if agent.state == "working" else []
    if agent.due is not None:
        times.append(max(0.0, agent.due - now))
    if keys.pending:
        times.append(ESCAPE_TIME)
    return min(times, default=None)


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="roost.demo", description="A small scripted terminal agent.", allow_abbrev=False)
    parser.add_argument("task", nargs="?", help="what it pretends to do, and then ends; without one it has a prompt")
    parser.add_argument("--pace", type=float, default=1.0, help="multiplies every delay; 0 does all at once (default: 1)")
    parser.add_argument("--seed", type=int, default=0, help="another script (default: 0)")
    parser.add_argument("--stay", action="store_true", help="stay at the prompt when the task is over")
    parser.add_argument("--no-status", dest="status", action="store_false", help="send no program status (OSC 7501)")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())

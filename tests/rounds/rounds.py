"""A round: a text is sent with `--wait`; when that returns, the agent must have dealt with it and rest."""

from __future__ import annotations

import json
import random
import re
from typing import NamedTuple

from tests.support.commands import roost

LIMIT = 60.0
"""Seconds after which a round hangs."""


class Round(NamedTuple):
    """`wrong` is what was wrong with it, or None."""

    text: str
    settled: str | None
    wrong: str | None


def start(name: str, pace: float, *options: str) -> None:
    """A demo agent that stays, `pace` times as slow as the demo is."""
    done = roost("run", "demo", "-d", "-n", name, "--", "--stay", "--pace", str(pace), *options)
    assert done.returncode == 0, done.stderr
    assert roost("wait", name, "--until", "idle", "--timeout", "60").returncode == 0


def play(name: str, count: int) -> list[Round]:
    """So many tasks, each with the approval in its middle answered: two rounds for each."""
    rounds = []
    for n in range((count + 1) // 2):
        rounds.append(_round(name, f"task number {n}", "waiting", rf"> task number {n}$[\s\S]*1\. Yes"))
        yes = random.random() < 0.5
        ends = "Nothing else was touched" if yes else "The change is there, unchecked"
        rounds.append(_round(name, "1" if yes else "2", "idle", rf"> task number {n}$[\s\S]*{ends}"))
    return rounds[:count]


def _round(name: str, text: str, expected: str, shows: str) -> Round:
    done = roost("reply", name, text, "--wait", "--timeout", str(LIMIT), "--json")
    screen = roost("screen", name).stdout
    if done.returncode == 124:
        return Round(text, None, f"it hangs: {done.stdout}")
    answer = json.loads(done.stdout) if done.stdout else {"outcome": done.stderr, "settled": None, "started": None}
    if answer["outcome"] != "submitted" or answer["settled"] != expected or not answer["started"]:
        return Round(text, answer["settled"], f"it ended as {answer}")
    return Round(text, expected, None if re.search(shows, screen, re.MULTILINE) else f"it ended early: {screen}")

"""docs/cli.md: its examples are run in a private home against a real daemon, and it leaves no verb and no option out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from roost import cli
from roost_protocol import jobs
from tests.support.home import Home

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
BLOCKS = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
ANYTHING = "..."


def examples() -> list[tuple[str, str]]:
    """Every command of the page in order, with what it prints: stdout, stderr, and `[exit N]` unless N is 0."""
    found = []
    for block in BLOCKS:
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            found.append((command, expected))
    return found


def fits(expected: str, printed: str) -> bool:
    """Whether the output is what the page shows; runs of blanks count as one, since ids and ages have widths of their own."""
    pattern = re.escape(" ".join(expected.split())).replace(re.escape(ANYTHING), ".*")
    return re.fullmatch(pattern, " ".join(printed.split())) is not None


def test_the_examples_do_what_the_page_says(lived_in: Home) -> None:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for command, expected in examples():
        done = subprocess.run(
            ["sh", "-c", command],
            env={**os.environ, "PATH": path},
            cwd=lived_in.work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        printed = done.stdout + done.stderr + (f"[exit {done.returncode}]\n" if done.returncode else "")
        assert fits(expected, printed), f"$ {command}\nshould print\n{expected}\nbut printed\n{printed}"


def test_there_are_examples_of_every_verb() -> None:
    used = {verb for command, _ in examples() for verb in re.findall(r"(?:^|\| )roost ([\w-]+)", command)}
    assert used == set(cli.verbs()) - {"help"}


@pytest.mark.parametrize("verb", [verb for verb in cli.verbs() if verb != "help"])
def test_every_option_is_on_the_page(verb: str) -> None:
    section = next(part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE) if verb in part.splitlines()[0].split(", "))
    parser = cli.build_parser(verb, cli.load(verb))
    options = {option for action in parser._actions for option in action.option_strings} - {"-h", "--help"}
    spelled = {option for option in options if re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", section)}
    # One spelling of an option is enough.
    missing = [action.option_strings for action in parser._actions if action.option_strings and not spelled & set(action.option_strings)]
    assert [names for names in missing if "--help" not in names] == []


def test_every_field_of_a_job_is_on_the_page() -> None:
    assert [name for name in jobs.Job.__struct_fields__ if f"`{name}`" not in PAGE] == []

"""A real agent's surroundings, for as long as a block lasts: for the tools beside the tests, which have no fixtures."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests.realagents.install import FOLDER, programs, server_python
from tests.realagents.model import ScriptedModel
from tests.realagents.workplace import settle_in
from tests.support.home import make_home
from tests.support.person import Person


class Way(NamedTuple):
    """`profile` starts the agent, `dialog` (over its screen) shows that it asks, the key `yes` answers; `typed` does as a reply's text.
    `model` are the scripted model's options."""

    profile: str
    dialog: str = r"(?!)"
    yes: str = "enter"
    typed: str | None = None
    model: tuple[str, ...] = ()


WAYS: Final = {
    "codex": Way("codex", r"^› 1\. ", "y", "y"),
    "pi": Way("pi"),
    "pi-gate": Way("pi", r"^ → "),
    "claude": Way("claude", r"^ *❯ 1\. ", "enter", "1"),
    "opencode": Way("opencode", r"⇆ ", "enter"),
    "gemini": Way("gemini", r"● 1\. ", "enter", "1"),
    "aider": Way("aider", model=("--no-tools",)),
}
"""By the names of the recipes."""


class Opened(NamedTuple):
    """A person in a repository of their own, the model that the agent will talk to, and the arguments that start it."""

    person: Person
    model: ScriptedModel
    argv: list[str]


@contextmanager
def opened(agent: str, name: str) -> Iterator[Opened]:
    """All that `agent` needs; `argv` are the words of `roost` that start it under `name`. $ROOST_TEST_DATA has the recipes."""
    recipes = Path(os.environ["ROOST_TEST_DATA"]) / "realagents"
    folders = programs(WAYS[agent].profile)
    (FOLDER / "work").mkdir(parents=True, exist_ok=True)
    root = Path(tempfile.mkdtemp(dir=FOLDER / "work"))
    with tempfile.TemporaryDirectory(prefix="ra-") as short:
        home = make_home(Path(short) / "p")
        try:
            with ScriptedModel(server_python(), recipes / "scripted_model.py", root, cwd=root / "repo", options=WAYS[agent].model) as model:
                place = settle_in(agent, root, recipes=recipes / "agents.py", programs=folders, port=model.port)
                # Agents look for their settings where the recipes put them: below their home.
                environ = {
                    name: value for name, value in {**os.environ, **home.environ, **place.environ}.items() if name != "XDG_CONFIG_HOME"
                }
                person = Person(environ, place.repository, model.inside)
                words = ["run", WAYS[agent].profile, "--detach", "--name", name]
                try:
                    yield Opened(person, model, [*words, *(["--", *place.args] if place.args else [])])
                finally:
                    person.end()
        finally:
            home.end_all()
            shutil.rmtree(root, ignore_errors=True)

"""What a person has who uses a real agent: a home with its settings, a git repository, the programs on PATH."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from tests.realagents.install import FOLDER


@dataclass(frozen=True, slots=True)
class Workplace:
    """`args` are what the agent needs beside its settings, as a person would type them after `--`."""

    home: Path
    repository: Path
    environ: Mapping[str, str]
    args: list[str]


def settle_in(kind: str, root: Path, *, recipes: Path, programs: list[Path], port: int) -> Workplace:
    """Makes the home and the repository below `root`, and writes the settings for `kind` (a name of the recipes)."""
    home, repository = root / "home", root / "repo"
    home.mkdir()
    _make_repository(repository, home)
    argv, environ = _recipes(recipes).AGENTS[kind]().setup(str(home), str(repository), port, {})
    path = [*map(str, programs), str(Path(sys.executable).parent), environ["PATH"]]
    # The first words start the program itself, which a person has on PATH.
    extension = argv[argv.index("-e") :] if "-e" in argv else []
    return Workplace(home, repository, {**environ, "PATH": ":".join(path)}, extension)


def _make_repository(repository: Path, home: Path) -> None:
    repository.mkdir()
    (repository / "README.md").write_text("# demo\n")
    build = repository / "build.sh"
    build.write_text("#!/bin/sh\n# a quiet build\nsleep 15\n")
    build.chmod(0o755)
    (home / ".gitconfig").write_text("[user]\nname = t\nemail = t@example.invalid\n[init]\ndefaultBranch = main\n")
    environ = {"HOME": str(home), "PATH": os.environ["PATH"]}
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run(["git", *command], cwd=repository, env=environ, check=True)


def _recipes(path: Path) -> ModuleType:
    """agents.py of the data folder, told where the agents are."""
    spec = importlib.util.spec_from_file_location("realagents_recipes", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    before = os.environ.get("REALAGENTS")
    os.environ["REALAGENTS"] = str(FOLDER)
    try:
        spec.loader.exec_module(module)
    finally:
        if before is None:
            del os.environ["REALAGENTS"]
        else:
            os.environ["REALAGENTS"] = before
    return module

"""What a person has who uses a real agent: a home with its settings, a git repository, the programs on PATH."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path

from tests.realagents.install import FOLDER, server_python

FOLLOW = """
import json, sys
sys.dont_write_bytecode = True
folder, kind, home, repository, port = sys.argv[1:]
sys.path.insert(0, folder)
import agents
print(json.dumps(agents.AGENTS[kind]().setup(home, repository, int(port), {})))
"""


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
    own = {"TMPDIR": str(root / "tmp"), "XDG_RUNTIME_DIR": str(root / "run")}
    for folder in own.values():
        Path(folder).mkdir(mode=0o700)
    _make_repository(repository, home)
    argv, environ = _follow(recipes, kind, home, repository, port)
    path = [*map(str, programs), str(Path(sys.executable).parent), environ["PATH"]]
    # The first words start the program itself, which a person has on PATH.
    options = list(dropwhile(lambda word: not word.startswith("-"), argv))
    return Workplace(home, repository, {**environ, **own, "PATH": ":".join(path)}, options)


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


def _follow(recipes: Path, kind: str, home: Path, repository: Path, port: int) -> tuple[list[str], dict[str, str]]:
    """Has the settings written by the recipes' own interpreter: they are a program of their own, with its own manners."""
    argv = [str(server_python()), "-c", FOLLOW, str(recipes.parent), kind, str(home), str(repository), str(port)]
    done = subprocess.run(argv, env={"PATH": os.environ["PATH"], "REALAGENTS": str(FOLDER)}, stdout=subprocess.PIPE, check=True)
    command, environ = json.loads(done.stdout)
    return command, environ

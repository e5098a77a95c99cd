import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.realagents.install import FOLDER, programs, server_python
from tests.realagents.model import ScriptedModel
from tests.realagents.scene import Scene
from tests.realagents.workplace import settle_in
from tests.support.home import Home
from tests.support.needs import needs, outside_data
from tests.support.person import Person, terminal_settings

# What the recipes call an agent with an extension, and the profile that starts it.
PROFILES = {"pi-gate": "pi"}


@pytest.fixture(scope="session")
def recipes() -> Path:
    """The folder with the scripted model and the agents' settings."""
    if platform.machine() != "x86_64":
        pytest.skip("need x86_64, which the pinned packages are for")
    needs("tmux", "git", "node", "npm", "unshare", "nsenter", "ip", "a network namespace")
    return outside_data("realagents")


@pytest.fixture(scope="session")
def installed(recipes: Path) -> list[Path]:
    """What is to stand on PATH."""
    return programs("codex", "pi", "claude")


@pytest.fixture
def root() -> Iterator[Path]:
    """Not below /tmp: codex takes no home in a temporary folder."""
    (FOLDER / "work").mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=FOLDER / "work"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def scene(request: pytest.FixtureRequest, recipes: Path, installed: list[Path], root: Path, home: Home) -> Iterator[Scene]:
    """The parameter names the agent as the recipes do (`codex`, `pi`, `pi-gate`)."""
    kind: str = request.param
    with ScriptedModel(server_python(), recipes / "scripted_model.py", root, cwd=root / "repo") as model:
        place = settle_in(kind, root, recipes=recipes / "agents.py", programs=installed, port=model.port)
        # The rest of the person's environment is what `home` says: the agent's HOME is the only one that differs.
        person = Person({**os.environ, **place.environ}, place.repository, model.inside)
        with person.shell() as pane:
            pane.wait_for_shell()
            yield Scene(PROFILES.get(kind, kind), person, pane, model, place, terminal_settings(pane))
        person.end()
        home.end_all()

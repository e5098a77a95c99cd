"""What is installed: built once, looked into, and run from an empty folder."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.tree import PACKAGES, ROOT, files


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("wheel")
    pip(folder, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT))
    (built,) = folder.glob("*.whl")
    yield built
    built.unlink()


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment's `bin`: the wheel, and (not installed, only on its path) what it depends on."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    pip(folder, "--python", str(python), "install", "--no-deps", "--no-index", str(wheel))
    (site,) = folder.glob("lib/*/site-packages")
    # A path file is read for its folders, but path files in those folders are not: our editable install stays out.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "bin"


def pip(home: Path, *args: str) -> None:
    """Runs pip with a HOME of its own: it asks other tools for their versions, and they leave their settings there."""
    argv = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-cache-dir", "--quiet", *args]
    environ = {**os.environ, "HOME": str(home)}
    result = subprocess.run(argv, env=environ, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def run(*argv: str | Path, cwd: Path) -> str:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    result = subprocess.run(argv, cwd=cwd, env=environ, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_wheel_has_all_of_ours_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = [name for name in archive.namelist() if ".dist-info/" in name]
    ours = {str(path.relative_to(folder.parent)) for folder in list(PACKAGES.values())[:3] for path in files(folder)}
    assert names == ours | {"roost_agent.py"}
    assert any(name.endswith("/licenses/LICENSE") for name in metadata)


def test_it_runs_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    assert run(installed / "roost", "--version", cwd=tmp_path).startswith("roost 0.")
    code = "import roost_agent, roost, roostd; from roostd.catalogue.load import catalogue; print(roostd.__file__, *catalogue())"
    where, *agents = run(installed / "python", "-P", "-c", code, cwd=tmp_path).split()
    assert Path(where).is_relative_to(installed.parent)
    assert "codex" in agents
    assert "bye" in run(installed / "roost", "conformance", "--list", cwd=tmp_path)
    assert "a small scripted terminal agent" in run(installed / "python", "-P", "-m", "roost.demo", "--help", cwd=tmp_path).lower()


def test_it_says_that_it_is_typed(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {"roost/py.typed", "roostd/py.typed", "roost_protocol/py.typed"} <= set(names)

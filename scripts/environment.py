"""Makes the project's `.venv`: `environment.py run` for what roost itself needs, `environment.py dev` for its checks.

Standard library only, any pip (the one that Python 3.11 bundles knows no dependency groups). A stamp remembers what
an environment was made for, so that a second call costs nothing; it is written last, so that a call
that was broken off is done again.
"""

import hashlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "roost-environment.json"


def identity(pyproject: bytes) -> dict[str, str]:
    """What an environment depends on. A moved folder or another Python needs a new one."""
    return {"root": str(ROOT), "python": sys.version, "pyproject": hashlib.sha256(pyproject).hexdigest()}


def stamped() -> dict[str, str]:
    try:
        found = json.loads(STAMP.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def requirements(pyproject: bytes, kind: str) -> list[str]:
    """What pip is to install beside roost itself."""
    if kind == "run":
        return []
    return list(tomllib.loads(pyproject.decode())["dependency-groups"]["dev"])


def run(*argv: str) -> None:
    # pip and venv talk on stdout, which belongs to the script that was called.
    subprocess.run(argv, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)


def make(kind: str, pyproject: bytes, wanted: dict[str, str], had: dict[str, str]) -> None:
    python = VENV / "bin" / "python"
    keeps = had.get("root") == wanted["root"] and had.get("python") == wanted["python"] and python.exists()
    sys.stderr.write(f"{'Renewing' if keeps else 'Making'} {VENV} (only when something changed)\n")
    if not keeps:
        run(sys.executable, "-m", "venv", "--clear", str(VENV))
    pip = (str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet")
    run(*pip, "--editable", str(ROOT), *requirements(pyproject, kind))
    STAMP.write_text(json.dumps({**wanted, "kind": kind}))


def main(kind: str) -> int:
    pyproject = (ROOT / "pyproject.toml").read_bytes()
    wanted, had = identity(pyproject), stamped()
    if {**had, "kind": ""} == {**wanted, "kind": ""} and had.get("kind") in (kind, "dev"):
        return 0
    kind = "dev" if had.get("kind") == "dev" else kind
    STAMP.unlink(missing_ok=True)
    try:
        make(kind, pyproject, wanted, had)
    except subprocess.CalledProcessError as error:
        hint = "; on Debian or Ubuntu: apt-get install python3-venv" if "venv" in error.cmd else ""
        sys.stderr.write(f"could not make {VENV}: {' '.join(error.cmd[:4])} ... ended with {error.returncode}{hint}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

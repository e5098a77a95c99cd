"""What a test needs and a machine may lack."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from roostd.host.mirror import engines

DATA_REASON = "need ROOST_TEST_DATA"
ORACLE_REASON = "need @xterm/headless from npm"
NEVER_NEEDED = frozenset((DATA_REASON, ORACLE_REASON))
"""What may be lacking even when strict: data from outside, and a package whose answers are recorded too."""


def needs(*tools: str) -> None:
    """Skips the test where the machine lacks one of `tools`; with ROOST_TEST_STRICT=1 every skip is a failure.

    A tool is a command's name, or a key of `ABILITIES`. Reasons read "need NAME", so that they can be counted.
    """
    for tool in tools:
        able = ABILITIES.get(tool)
        if not (able() if able else shutil.which(tool)):
            pytest.skip(f"need {tool}")


def outside_data(name: str) -> Path:
    """A file or folder of the data outside the project. Never needed: its lack is a skip even when strict."""
    folder = os.environ.get("ROOST_TEST_DATA")
    if not folder:
        pytest.skip(DATA_REASON)
    path = Path(folder) / name
    if not path.exists():
        pytest.fail(f"ROOST_TEST_DATA is {folder}, but there is no {name} in it")
    return path


def _root() -> bool:
    return os.geteuid() == 0


def _can(*argv: str) -> Callable[[], bool]:
    def ability() -> bool:
        if not shutil.which(argv[0]):
            return False
        return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0

    return ability


ABILITIES: dict[str, Callable[[], bool]] = {
    "root": _root,
    "a second uid": _can("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "true"),
    "mount": _can("unshare", "--mount", "true"),
    "a network namespace": _can("unshare", "--net", "true"),
    "pyghostty": lambda: engines.why_not("ghostty") is None,
    "/proc": lambda: Path("/proc/self/environ").exists(),
}

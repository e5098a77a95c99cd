"""Files that are read without a daemon: given to a process of its own, which runs the same code as a host and prints JSON."""

from __future__ import annotations

import json
import subprocess
import sys

from roost.failure import Failed, Usage
from roost_protocol.errors import EXIT_NO, EXIT_NOT_FOUND
from roost_protocol.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


_NO_ENGINE = 3
"""The exit code of the mirror's program that tells that nothing is wrong with the file."""


def run(module: str, words: Sequence[str], path: str | None = None) -> subprocess.CompletedProcess[bytes]:
    """What a program of the daemon's side makes of the file, which is its stdin: `/dev/fd/63` is a descriptor of ours alone.

    `-` is our own stdin. Raises `Failed` (3) where there is no such file, `Usage` for a closed stdin, OSError for what cannot be read.
    """
    argv = [sys.executable, "-P", "-m", module, *words]
    if path == "-" and sys.stdin is None:
        raise Usage("stdin is closed: there is nothing to read")
    if path in (None, "-"):
        return subprocess.run(argv, capture_output=True, check=False)
    try:
        file = open(path, "rb")  # noqa: SIM115 (closed below)
    except (FileNotFoundError, NotADirectoryError):
        raise Failed(f"{path}: there is no such file", EXIT_NOT_FOUND) from None
    with file:
        return subprocess.run(argv, stdin=file, capture_output=True, check=False)


def complaint(done: subprocess.CompletedProcess[bytes]) -> tuple[str, int]:
    """What the program could not do, empty where it did not say; and the command's exit code."""
    why = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
    return why, done.returncode if 0 <= done.returncode < 4 else EXIT_NO


def replayed(path: str, options: Sequence[str]) -> dict[str, Any]:
    """`operator.Screen` of what the file holds, with `replies` (base64). Raises `Failed`, and as `run` does."""
    done = run("roostd.host.replay", options, path)
    if done.returncode != 0:
        why, status = complaint(done)
        if done.returncode == _NO_ENGINE:
            raise Failed(why)
        raise Failed(f"{printable(path)}: {why or f'the mirror ended with {done.returncode}'}", status)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer

"""A file shown as a job's screen is, by the same code as in a host, in a process of its own and without a daemon."""

from __future__ import annotations

import json
import subprocess
import sys

from roost.failure import Failed, Usage
from roost_protocol.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


_NO_ENGINE = 3
"""The exit code that tells that nothing is wrong with the file."""


def replayed(path: str, options: Sequence[str]) -> dict[str, Any]:
    """`operator.Screen` of what the file holds (`-` is stdin), with `replies` (base64). Raises `Failed` and OSError."""
    argv = [sys.executable, "-P", "-m", "roostd.host.replay", *options]
    if path == "-":
        if sys.stdin is None:
            raise Usage("stdin is closed: there is nothing to show")
        done = subprocess.run(argv, capture_output=True, check=False)
    else:
        with open(path, "rb") as file:
            done = subprocess.run(argv, stdin=file, capture_output=True, check=False)
    if done.returncode != 0:
        why = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        if done.returncode == _NO_ENGINE:
            raise Failed(why)
        raise Failed(f"{printable(path)}: {why or 'the mirror ended with ' + str(done.returncode)}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer

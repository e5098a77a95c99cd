"""The `roost` command as a person runs it: a process of its own, in the environment of the test's home."""

from __future__ import annotations

import os
import subprocess
import sys

TIMEOUT = 120
"""Seconds after which a command that should have ended is a hang."""


def roost_argv(*args: str) -> list[str]:
    """The argv of a roost command, run by the interpreter of the tests."""
    return [sys.executable, "-P", "-m", "roost", *args]


def roost(*args: str, stdin: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    """Runs a roost command without a terminal; `environ` is added to the test's environment."""
    return subprocess.run(
        roost_argv(*args),
        input=stdin,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )

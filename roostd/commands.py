"""Where a command is: the daemon asks before it takes a job, and the job's host when it starts it."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from typing import Final

from roost_protocol.errors import RoostError

DEFAULT_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
"""Where a command is looked for when there is no PATH, or nothing in it."""


def path_of(*environs: Mapping[str, str]) -> str:
    """The PATH of a job that gets these variables, the later ones first."""
    return next((environ["PATH"] for environ in reversed(environs) if "PATH" in environ), "") or DEFAULT_PATH


def find_command(command: str, path: str, cwd: str) -> str:
    """Where the command is, as a shell in `cwd` would find it. RoostError `not_found`, or `refused` for a file that cannot be run.

    What is not UTF-8 is there as surrogates, as `os.fsdecode` has it.
    """
    is_path = "/" in command
    for folder in [""] if is_path else path.split(":"):
        full = os.path.join(cwd, folder, command)  # noqa: PTH118 (an empty folder means the current one)
        try:
            hindrance = _hindrance(full)
        except (OSError, ValueError):
            continue
        if hindrance is None:
            return full
        if is_path:
            raise RoostError("refused", f"cannot run {command}: it is {hindrance}")
    raise RoostError("not_found", f"command not found: {command}")


def _hindrance(path: str) -> str | None:
    """What a file is that keeps it from being run; None for a program. Raises OSError or ValueError where there is no file."""
    mode = os.stat(path).st_mode  # noqa: PTH116
    if stat.S_ISDIR(mode):
        return "a folder"
    if not stat.S_ISREG(mode):
        return "not a file"
    return None if os.access(path, os.X_OK) else "not executable"

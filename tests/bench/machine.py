"""What machine the numbers are from: without it they mean nothing."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess


def facts() -> dict[str, str]:
    """Names and versions, each "none" where a tool is missing; `load` is the average of the last minute as we begin."""
    return {
        "cores": str(os.cpu_count()),
        "load": f"{os.getloadavg()[0]:.2f}",
        "kernel": platform.release(),
        "python": platform.python_version(),
        "tmux": _version("tmux", "-V"),
        "node": _version("node", "--version"),
    }


def _version(tool: str, option: str) -> str:
    if shutil.which(tool) is None:
        return "none"
    return subprocess.run([tool, option], capture_output=True, text=True, check=False).stdout.strip()

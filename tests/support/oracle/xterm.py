"""The oracle itself: a Node process with @xterm/headless, installed once from npm into a folder that outlives the tests."""

from __future__ import annotations

import functools
import json
import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.needs import ORACLE_REASON
from tests.support.oracle.case import Case, to_json

PACKAGES = ("@xterm/headless@6.0.0", "@xterm/addon-unicode11@0.9.0")
SCRIPT = Path(__file__).with_name("xterm.cjs")
FOLDER = Path(pwd.getpwuid(os.getuid()).pw_dir) / ".cache" / "roost-oracle"
"""Under the person's own home: a test's HOME is gone with it."""

INSTALL_WITHIN, ANSWER_WITHIN = 120, 600
Look = dict[str, Any]


def need_oracle() -> None:
    """Skips the test where there is no Node, or npm cannot install the package; the recorded answers are there for that."""
    if not available():
        pytest.skip(ORACLE_REASON)


@functools.cache
def available() -> bool:
    """Whether the oracle can be asked; installs it the first time."""
    return bool(shutil.which("node")) and (_loads() or (_install() and _loads()))


def ask(cases: Sequence[Case]) -> list[list[Look]]:
    """The oracle's looks at every case: one for each of `case.looks` in order, and one at the end; none where it failed itself."""
    lines = "".join(json.dumps(to_json(case)) + "\n" for case in cases)
    done = subprocess.run(
        ["node", str(SCRIPT)], input=lines, env=environ(), capture_output=True, text=True, timeout=ANSWER_WITHIN, check=False
    )
    if done.returncode != 0:
        raise AssertionError(f"the oracle failed: {done.stderr[-500:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def environ() -> dict[str, str]:
    """In which node finds the packages."""
    return {**os.environ, "NODE_PATH": str(FOLDER / "node_modules")}


def _loads() -> bool:
    script = "require('@xterm/headless'); require('@xterm/addon-unicode11')"
    return subprocess.run(["node", "-e", script], env=environ(), capture_output=True, check=False).returncode == 0


def _install() -> bool:
    npm = shutil.which("npm")
    if npm is None:
        return False
    try:
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / "package.json").write_text('{"private": true}\n')
    except OSError:
        return False  # A user without a home.
    command = [npm, "install", "--no-audit", "--no-fund", *PACKAGES]
    try:
        done = subprocess.run(command, cwd=FOLDER, stdin=subprocess.DEVNULL, capture_output=True, timeout=INSTALL_WITHIN, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0

"""What is wrong with one agent's profile, as far as can be told without running a job of it."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from roost_protocol.errors import RoostError
from roost_protocol.host import Pattern
from roost_protocol.text import printable
from roostd.backtracking import BUDGET, too_slow
from roostd.jobs.starting import DEFAULT_PATH, find_command
from roostd.profile_rules import PATTERN_FLAGS
from roostd.profiles import Profile, as_list

VERSION_WITHIN: Final = 5.0
"""Seconds that an agent may take to say its version."""

SLOWEST: Final = 0.01
"""Seconds that a search of a full screen may take: a host looks ten times a second, and for many patterns."""

GIVEN_UP: Final = 1.0
"""Seconds after which a search is ended."""

ROW: Final = "│ › the quick brown fox jumps over 13 lazy dogs … (y/n) ⠋ working: /src/a_file.py --and=more   ─ │ "
FULL: Final = "\n".join([ROW] * 50)
"""50 rows of 100 columns: what a screen is full of, a little of everything."""


class Finding(NamedTuple):
    """`ok` null: it cannot be told, which is no fault."""

    check: str
    ok: bool | None
    detail: str


def checked(profile: Profile, environ: Mapping[str, str], cwd: str) -> Iterator[Finding]:
    """The command, its version, and each pattern."""
    command = _program(profile.command[0], environ)
    path = profile.env.get("PATH") or environ.get("PATH") or DEFAULT_PATH
    try:
        found = find_command(command, path, cwd)
    except RoostError as error:
        yield Finding("command", False, error.message)
    else:
        yield Finding("command", True, found)
        yield _version(found, {**environ, **profile.env})
    for state in ("waiting", "working", "idle"):
        for item in as_list(getattr(profile, state)):
            yield timed(state, item if isinstance(item, Pattern) else Pattern(item))


def timed(state: str, pattern: Pattern, limit: float = GIVEN_UP) -> Finding:
    """How long it searches nothing and a full screen; too long is wrong."""
    compiled = re.compile(pattern.pattern, PATTERN_FLAGS)
    times = [_search(compiled, text, limit) for text in ("", FULL)]
    if None in times:
        return Finding(state, False, f"{pattern.pattern}: a full screen is still searched after {limit:g} s")
    if too_slow(pattern.pattern, PATTERN_FLAGS):
        return Finding(state, False, f"{pattern.pattern}: it searches for more than {1000 * BUDGET:g} ms on a screen that almost matches")
    empty, full = (1e6 * (taken or 0.0) for taken in times)
    took = f"{empty:.0f} µs on an empty screen, {full:.0f} µs on a full one"
    return Finding(state, full <= SLOWEST * 1e6, f"{pattern.pattern}: {took}")


def _search(pattern: re.Pattern[str], text: str, limit: float) -> float | None:
    """The seconds of the fastest of three searches; None where one takes longer than the limit."""

    def too_long(number: int, frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        times = []
        for _ in range(3):
            began = time.perf_counter()
            pattern.search(text)
            times.append(time.perf_counter() - began)
        return min(times)
    except TimeoutError:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _version(command: str, environ: Mapping[str, str]) -> Finding:
    argv = [command, "--version"]
    process = None
    try:
        process = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environ, start_new_session=True
        )
        said = process.communicate(timeout=VERSION_WITHIN)[0].decode(errors="replace")
    except OSError as error:
        return Finding("version", False, f"{shlex.join(argv)} cannot be run: {error.strerror or error}")
    except subprocess.TimeoutExpired:
        return Finding("version", None, f"{shlex.join(argv)} said nothing within {VERSION_WITHIN:g} s")
    finally:
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    first = next((printable(line.strip())[:200] for line in said.splitlines() if line.strip()), "")
    if process.returncode or not first:
        return Finding("version", None, f"{shlex.join(argv)} does not tell it")
    return Finding("version", True, first)


def _program(command: str, environ: Mapping[str, str]) -> str:
    shell = environ.get("SHELL", "")
    return {"{python}": sys.executable, "{shell}": shell if shell.startswith("/") else "/bin/sh"}.get(command, command)

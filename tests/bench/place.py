"""The private place that one measurement runs in: folders, environment, roost's command line, and its end."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench import proc
from tests.support.home import Home, make_home
from tests.support.waiting import eventually

KEPT = ("PATH", "USER", "LOGNAME")
"""All that is taken over from whoever measures; above all not PYTHONDONTWRITEBYTECODE, which no user has."""

PATIENCE = 60.0
"""Seconds for anything that is waited for outside a measurement."""


class BenchError(Exception):
    """Why a measurement could not be made, in one line."""


def say(line: str) -> None:
    """Progress, for whoever waits."""
    sys.stderr.write(f"  {line}\n")
    sys.stderr.flush()


@dataclass(frozen=True, slots=True)
class Processes:
    """What runs for the jobs of a place; the jobs' own processes are not among them."""

    daemon: int
    spawner: int
    hosts: dict[str, int]
    """Host pid by job id."""

    def named(self) -> dict[int, str]:
        hosts = {pid: f"host {job}" for job, pid in self.hosts.items()}
        return {self.daemon: "daemon", self.spawner: "spawner", **hosts}


@dataclass(frozen=True, slots=True)
class Place:
    home: Home

    @property
    def environ(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        own = {"LANG": "C.UTF-8", "TERM": "xterm-256color", "SHELL": "/bin/sh", "TMUX_TMPDIR": str(self.home.root)}
        return {**kept, **own, **self.home.environ}

    def command(self, *args: str) -> list[str]:
        """The argv of a roost command, as a person's shell starts it: the installed script of this interpreter."""
        script = Path(sys.executable).with_name("roost")
        if not script.exists():
            raise BenchError(f"there is no {script}: install roost for {sys.executable}, for example with pip install -e .")
        return [str(script), *args]

    def roost(self, *args: str) -> str:
        """Runs a roost command to its end and returns what it printed; BenchError with its error line if it failed."""
        try:
            done = subprocess.run(
                self.command(*args),
                env=self.environ,
                cwd=self.home.work,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired as error:
            raise BenchError(f"roost {' '.join(args[:2])} did not end within {PATIENCE:g} s") from error
        if done.returncode != 0:
            raise BenchError(f"roost {' '.join(args[:2])} failed: {done.stderr.strip() or done.returncode}")
        return done.stdout

    def run_jobs(self, count: int, *argv: str) -> list[str]:
        """Starts so many jobs of a command; their ids."""
        return [self.roost("run", "-d", "--", *argv).split()[0] for _ in range(count)]

    def processes(self) -> Processes:
        """Daemon, spawner and hosts, by what they wrote about themselves."""
        daemon = json.loads((self.home.state / "roostd.json").read_bytes())["pid"]
        records = [json.loads(path.read_bytes()) for path in self.home.state.glob("jobs/*/host.json")]
        hosts = {record["job"]: record["pid"] for record in records if (proc.PROC / str(record["pid"])).exists()}
        if not hosts:
            raise BenchError(f"no host runs in {self.home.state}/jobs")
        return Processes(daemon, proc.parent(next(iter(hosts.values()))), hosts)


def settle(pids: Iterable[int], still: float = 3.0) -> None:
    """Waits until these processes have used no CPU time for `still` seconds."""
    pids, deadline = list(pids), time.monotonic() + PATIENCE
    used, since = -1.0, time.monotonic()
    while time.monotonic() - since < still:
        if time.monotonic() > deadline:
            raise BenchError(f"{len(pids)} processes that should be idle were still at work after {PATIENCE:g} s")
        now_used = sum(proc.cpu_seconds(pid) for pid in pids)
        if now_used != used:
            used, since = now_used, time.monotonic()
        time.sleep(0.1)


@contextmanager
def private_place() -> Iterator[Place]:
    """A place of its own; on the way out everything that runs in it is ended and its folders are removed."""
    folder = Path(tempfile.mkdtemp(prefix="rb-", dir="/tmp"))
    home = make_home(folder / "p")
    try:
        yield Place(home)
    finally:
        eventually(lambda: _removed(home), f"the end of {folder}", within=PATIENCE)


def _removed(home: Home) -> bool:
    """A process that was just being started is not found by its environment yet, and may write once more: then again."""
    home.end_all()
    shutil.rmtree(home.root.parent, ignore_errors=True)
    return not home.root.parent.exists() and not home.pids()

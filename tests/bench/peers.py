"""What roost is compared with: bare Python, tmux, and Node with @xterm/headless and node-pty."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.bench.place import BenchError, Place, say
from tests.bench.viewer import COLS, ROWS

PACKAGES = ("@xterm/headless@6.0.0", "node-pty@1.1.0")
NODE_JOB = Path(__file__).with_name("node_job.cjs")
TMUX_CONF = "set -g status off\nset -s escape-time 0\n"

BARE_PYTHON = (sys.executable, "-c", "pass")
"""What any command written in Python costs before it does anything."""


class NoPeer(Exception):
    """Why a peer cannot be had on this machine."""


@contextmanager
def tmux(place: Place, *argv: str) -> Iterator[list[str]]:
    """A tmux server of our own with one detached session that runs `argv`; gives the argv that attaches to it."""
    program = shutil.which("tmux")
    if program is None:
        raise NoPeer("no tmux")
    conf = place.home.root / "tmux.conf"
    conf.write_text(TMUX_CONF)
    base = [program, "-L", "bench", "-f", str(conf)]
    _checked([*base, "new-session", "-d", "-x", str(COLS), "-y", str(ROWS), *argv], place)
    try:
        yield [*base, "attach-session"]
    finally:
        subprocess.run([*base, "kill-server"], env=place.environ, capture_output=True, check=False)


@contextmanager
def node_jobs(place: Place, count: int, *argv: str) -> Iterator[list[int]]:
    """So many Node processes, each with one job; gives their pids."""
    node, modules = node_modules()
    environ = {**place.environ, "NODE_PATH": str(modules)}
    with ExitStack() as stack:
        started = [
            stack.enter_context(_ended_after(subprocess.Popen([node, str(NODE_JOB), *argv], env=environ, stdin=subprocess.DEVNULL)))
            for _ in range(count)
        ]
        yield [process.pid for process in started]


@contextmanager
def _ended_after(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def node_modules() -> tuple[str, Path]:
    """The node program and the folder of the peer's packages, which npm installs there once."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise NoPeer("no node and npm")
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "roost-bench"
    modules = folder / "node_modules"
    if not _loads(node, modules):
        say(f"installing {' '.join(PACKAGES)} in {folder}")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}\n')
        command = [npm, "install", "--no-audit", "--no-fund", *PACKAGES]
        subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if not _loads(node, modules):
            raise NoPeer(f"npm could not install {' '.join(PACKAGES)} in {folder}")
    return node, modules


def _loads(node: str, modules: Path) -> bool:
    script = "require('@xterm/headless'); require('node-pty')"
    environ = {**os.environ, "NODE_PATH": str(modules)}
    return subprocess.run([node, "-e", script], env=environ, capture_output=True, check=False).returncode == 0


def _checked(argv: list[str], place: Place) -> None:
    done = subprocess.run(argv, env=place.environ, cwd=place.home.work, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchError(f"{argv[0]} failed: {done.stderr.strip()}")


def or_why_not(measure: Callable[[], float]) -> tuple[float | None, str]:
    """The peer's number; or None and why there is no peer."""
    try:
        return measure(), ""
    except NoPeer as error:
        return None, str(error)

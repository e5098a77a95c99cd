"""A person with roost on PATH: runs its verbs from one shell while another shell of theirs is attached in a pane."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.support.modes import left_behind
from tests.support.tmux import Tmux
from tests.support.waiting import eventually

# Without line editing the shell itself sets no mode, so that what is found set is what a program left behind.
SHELL = ("bash", "--norc", "--noprofile", "--noediting")
DETACHED = r"^\[detached from "


class Person:
    """`environ` is the whole environment of everything they start; `inside` an argv prefix that starts it elsewhere."""

    def __init__(self, environ: Mapping[str, str], cwd: Path, inside: Sequence[str] = ()) -> None:
        path = f"{Path(sys.executable).parent}:{environ.get('PATH', os.defpath)}"
        self.environ = {**environ, "PATH": path}
        self.cwd = cwd
        self.inside = inside

    def shell(self, cols: int = 100, rows: int = 30) -> Tmux:
        """A pane with a shell in it."""
        return Tmux(SHELL, environ=self.environ, cwd=self.cwd, prefix=self.inside, cols=cols, rows=rows)

    def roost(self, *args: str, codes: Sequence[int] = (0,)) -> str:
        """Runs `roost ARGS`, expects one of `codes`, and returns what it printed."""
        done = subprocess.run(
            [*self.inside, "roost", *args],
            env=self.environ,
            cwd=self.cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        said = f"roost {shlex.join(args)} gave {done.returncode}: {done.stdout}{done.stderr}"
        assert done.returncode in codes, said
        return done.stdout

    def job(self, name: str) -> dict[str, Any]:
        """The job's row of `roost ls --json`."""
        jobs: list[dict[str, Any]] = json.loads(self.roost("ls", "--json"))["jobs"]
        return next(job for job in jobs if job["name"] == name)

    def wait_for_state(self, name: str, *states: str, within: float = 30) -> dict[str, Any]:
        """Waits until `roost ls` shows the job in one of `states`, and returns its row."""

        def there() -> dict[str, Any]:
            row = self.job(name)
            assert row["state"] in states, f"{name} is {row['state']}: {row['evidence']}"
            return row

        return eventually(there, f"{name} in {' or '.join(states)}", within)

    def states(self, name: str) -> list[tuple[float, str]]:
        """The job's states in order, each with the moment it began (Unix seconds), from the event log."""
        job = self.job(name)["id"]
        events = [json.loads(line) for line in self.roost("events", "--json").splitlines()]
        return [(e["at"], e["data"]["to"]) for e in events if e["kind"] == "job.state" and e["job"] == job]

    def end(self) -> None:
        """Ends the daemon and all jobs."""
        self.roost("daemon", "stop", "--jobs", codes=(0, 1, 4))


def detach(pane: Tmux) -> None:
    """Presses the detach key in an attached pane and waits for the shell."""
    pane.keys("C-\\")
    pane.wait_for(DETACHED)
    pane.wait_for_shell()


def terminal_settings(pane: Tmux) -> str:
    """`stty -g` as the pane's shell sees it: every setting, without the size."""
    pane.line("clear; stty -g; echo end of settings")
    pane.wait_for(r"^end of settings$")
    pane.wait_for_shell()
    rows = pane.screen()
    return "".join(rows[: rows.index("end of settings")])


def assert_sane(pane: Tmux, settings: str) -> None:
    """The shell is as usable as it was: same settings, no mode left on, what is typed is seen, once."""
    pane.wait_for_shell()
    left = left_behind(pane.output())
    assert not left, f"left on: {sorted(left)}"
    assert pane.tell("alternate_on") == "0", "left on the alternate screen"
    now = terminal_settings(pane)
    assert now == settings, f"stty said {settings} and says {now}"
    pane.line("clear; echo fi'ne'")
    pane.wait_for(r"\Afine\nhere>$")
    pane.paste("# pasted")
    pane.wait_for(r"^here> # pasted$")
    pane.keys("C-u")
    pane.wait_for_shell()

"""A terminal that takes nothing any more when its person leaves, or the job ends, is as it was once it goes on, and says how it ended."""

from __future__ import annotations

import os
import re
import select
import termios
from collections.abc import Iterator

import pytest

from roost.attach.terminal import RESTORE
from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.support import processes
from tests.support.commands import roost, roost_argv
from tests.support.home import Home
from tests.support.modes import left_behind
from tests.support.terminal import Terminal
from tests.support.waiting import DEADLINE, eventually

MODES = "\\033[?1049h\\033[?1003h\\033[?1006h\\033[?2004h\\033[?1004h\\033[>1u\\033]11;red\\007"
FLOOD = ("sh", "-c", f"stty raw -echo; printf '{MODES}ready'; while [ \"$(head -c1)\" != x ]; do :; done; yes")
BACKGROUND = b"\x1b]11;?\x07"


@pytest.fixture(autouse=True)
def home_with_jobs(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    monkeypatch.chdir(home.work)
    monkeypatch.setenv("PS1", "here> ")
    yield home
    home.end_all()


def stall(terminal: Terminal) -> None:
    """Its job writes more than it takes."""
    terminal.expect("ready")
    os.write(terminal.master, b"x")
    eventually(lambda: not select.select([], [terminal.slave], [], 0.01)[1], "that nothing more fits into the terminal")


def assert_as_before(terminal: Terminal) -> None:
    assert not left_behind(terminal.output)
    assert terminal.mirror.feed(BACKGROUND).replies == PyteMirror(80, 24).feed(BACKGROUND).replies


def test_who_detaches_is_told_so_before_the_shell_has_it() -> None:
    roost("run", "-d", "-n", "j", "--", *FLOOD)
    with Terminal(["bash", "--norc", "--noprofile", "--noediting", "-i"]) as terminal:
        terminal.expect("here> ")
        terminal.send(" ".join(roost_argv("attach", "j")) + "\r")
        stall(terminal)
        os.write(terminal.master, b"\x1c")
        eventually(lambda: not processes.descendants(terminal.process.pid), "the command's end")
        terminal.expect(re.escape(RESTORE))
        terminal.expect(r"\[detached from j \(\w+\)\]\r\nhere> ")
        assert_as_before(terminal)


@pytest.mark.parametrize("leaves", [True, False], ids=["the person leaves", "the job ends"])
def test_one_that_is_stopped_is_as_it_was_once_it_goes_on(leaves: bool) -> None:
    script = f"stty raw -echo; printf '{MODES}ready'; while [ \"$(head -c1)\" != x ]; do :; done"
    with Terminal(roost_argv("run", "-n", "j", "--", "sh", "-c", script)) as terminal:
        terminal.expect("ready")
        termios.tcflow(terminal.slave, termios.TCOOFF)
        os.write(terminal.master, b"\x1c" if leaves else b"x")
        if leaves:
            assert terminal.process.wait(DEADLINE) == 0
        else:
            roost("wait", "j")
        termios.tcflow(terminal.slave, termios.TCOON)
        terminal.expect(r"\[detached from j .*\]\r+\n" if leaves else r"\[j done\]\r\n")
        terminal.wait()
        assert terminal.restored
        assert_as_before(terminal)


def test_a_job_that_ends_leaves_nothing_on() -> None:
    with Terminal(roost_argv("run", "-n", "j", "--", *FLOOD)) as terminal:
        stall(terminal)
        roost("stop", "j", "--force")
        assert terminal.process.wait(DEADLINE) == 1
        terminal.expect(re.escape(RESTORE))
        terminal.expect(r"\[j stopped.*\]\r\n")
        assert terminal.restored
        assert_as_before(terminal)

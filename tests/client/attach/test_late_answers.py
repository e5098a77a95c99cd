"""A terminal at the far end of a slow line: what it answers late is nobody's typing, neither the job's nor the shell's."""

from __future__ import annotations

import array
import fcntl
import os
import re
import select
import socket
import subprocess
import termios
import threading
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from roost.attach import terminal as terminals
from roost.attach.keys import parse
from roost.attach.loop import Loop
from roost.attach.signals import Signals
from tests.support.commands import roost, roost_argv
from tests.support.home import Home
from tests.support.terminal import Terminal
from tests.support.waiting import eventually

CAT = ("sh", "-c", "stty raw -echo; printf ready; exec cat -v")
MOUSE = ("sh", "-c", "stty raw -echo; printf '\\033[?1003hready'; exec cat >/dev/null")
REPORT = b"\x1b[M !!"
STAYS = 1.0
"""Seconds in which one that does not wait would long have ended."""


class FarTerminal(Terminal):
    """Answers when it is told to."""

    answers = b""

    def _answer(self, replies: bytes) -> None:
        self.answers += replies

    def answer(self) -> None:
        os.write(self.master, self.answers)
        self.answers = b""


@pytest.fixture(autouse=True)
def home_with_jobs(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    monkeypatch.chdir(home.work)
    yield home
    home.end_all()


def assert_still_there(terminal: FarTerminal) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        terminal.process.wait(STAYS)


def typed(terminal: Terminal) -> int:
    """Bytes that nobody has read; those of a line that is not complete count too."""
    before = termios.tcgetattr(terminal.slave)
    tty.setraw(terminal.slave, termios.TCSANOW)
    count = array.array("i", [0])
    fcntl.ioctl(terminal.slave, termios.FIONREAD, count)
    termios.tcsetattr(terminal.slave, termios.TCSANOW, before)
    return count[0]


def test_who_leaves_at_once_waits_for_what_was_asked() -> None:
    with FarTerminal(roost_argv("run", "-n", "j", "--", *CAT)) as terminal:
        terminal.expect("ready")
        terminal.send(b"\x1c")
        terminal.expect(r"\[detached from j ")
        assert_still_there(terminal)
        terminal.answer()
        assert terminal.wait() == 0
        assert typed(terminal) == 0


def left_to_the_shell(terminal: int) -> bytes:
    tty.setraw(terminal, termios.TCSANOW)
    return os.read(terminal, 100) if select.select([terminal], [], [], 0)[0] else b""


@pytest.mark.parametrize("pieces", [(b"\x1c2ls\r",), (b"\x1c", b"2ls\r"), (b"\x1c", b"2", b"\x1b[A", b"ls\r")])
def test_what_is_typed_behind_the_detach_key_is_the_shells(pieces: tuple[bytes, ...]) -> None:
    if os.geteuid() and "0" in Path("/proc/sys/dev/tty/legacy_tiocsti").read_text():
        pytest.skip("need TIOCSTI")
    with Terminal(roost_argv("run", "-n", "j", "--", *CAT)) as terminal:
        terminal.expect("ready")
        for piece in pieces:
            terminal.send(piece)
        assert terminal.wait() == 0
        assert left_to_the_shell(terminal.slave) == b"2ls\n"
    assert roost("screen", "j").stdout == "ready\n"


def test_what_cannot_be_given_back_stays_where_it_is_but_for_one_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminals.Terminal, "_can_type", lambda _: False)
    monkeypatch.setattr(terminals.Terminal, "_type", lambda *_: None)
    master, slave = os.openpty()
    host, ours = socket.socketpair()
    with Signals() as signals, terminals.Terminal(slave, slave) as terminal:
        loop = Loop(terminal, signals, ours, parse("ctrl-\\"), read_only=False, size=terminal.size(), first=b"")
        thread = threading.Thread(target=loop.run)
        thread.start()
        os.write(master, b"\x1c")
        eventually(lambda: loop._filter.armed, "that the key was read")
        os.write(master, b"2ls")
        thread.join()
    assert left_to_the_shell(slave) == b"ls"
    host.setblocking(False)
    assert b"2" not in host.recv(1000)
    for fd in (master, slave):
        os.close(fd)
    host.close()
    ours.close()


def test_what_is_typed_when_the_job_ends_was_meant_for_it() -> None:
    with FarTerminal(roost_argv("run", "-n", "j", "--", "sh", "-c", "stty raw -echo; printf ready; head -c1 >/dev/null")) as terminal:
        terminal.expect("ready")
        terminal.send("x")
        terminal.expect(r"\[j done\]|\x1b\[24;1H|\x1b\[\d;1H")
        os.write(terminal.master, b"y\r")
        terminal.answer()
        assert terminal.wait() == 0
        assert typed(terminal) == 0


def test_colours_that_are_told_after_the_job_changed_them_come_back() -> None:
    script = r"stty raw -echo; printf '\033]11;red\007ready'; head -c1 >/dev/null"
    with FarTerminal(roost_argv("run", "-n", "j", "--", "sh", "-c", script), before=b"\x1b]11;#123456\x07") as terminal:
        terminal.expect("ready")
        terminal.send("x")
        terminal.expect(rb"\x1b\]111\x1b")
        terminal.expect(rb"\x1b\[24;1H|\x1b\[\d;1H")
        terminal.answer()
        terminal.expect(re.escape(b"\x1b]11;#123456"))
        assert terminal.wait() == 0


def test_what_comes_at_last_is_not_typed_into_the_job() -> None:
    with FarTerminal(roost_argv("run", "-n", "j", "--", *CAT)) as terminal:
        terminal.expect("ready")
        early, late = terminal.answers[:1], terminal.answers[1:]
        terminal.answers = early + late[:9]
        terminal.answer()
        terminal.answers = late[9:] + b"end"
        terminal.answer()
        terminal.expect("end")
        os.write(terminal.master, b"\x1b]11;rgb:0000/0000/0000\x1b\\over")
        terminal.expect("over")
        assert "readyendover" in terminal.screen()[0]


def test_reports_of_the_mouse_that_were_under_way_are_not_left_to_the_shell() -> None:
    roost("run", "-d", "-n", "j", "--", *MOUSE)
    with FarTerminal(roost_argv("attach", "j")) as terminal:
        terminal.expect("ready")
        terminal.answer()
        eventually(lambda: typed(terminal) == 0, "that the answers are read")
        terminal.send(b"\x1c")
        terminal.expect(rb"\[detached from j \(\w+\)\]\r\n\x1b\[c")
        assert_still_there(terminal)
        os.write(terminal.master, REPORT)
        terminal.answer()
        assert terminal.wait() == 0
        assert typed(terminal) == 0

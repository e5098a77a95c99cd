"""Real programs under the mirror: it answers them, shows what tmux shows of the same bytes, and repaints in between."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import pytest

from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.roostd.host.mirror.looks import everything_of
from tests.support.needs import needs
from tests.support.tmux import Tmux
from tests.support.waiting import DEADLINE, eventually

COLS, ROWS = 80, 24

# The program, then what is typed and what must be on the screen after it.
PROGRAMS: dict[str, tuple[list[str], list[tuple[str, str]]]] = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        [
            ("", "here>"),
            ("echo one two\x01\x1b[C\x1b[C\x1b[C\x1b[C\x1b[CX\x05 three\r", "\nXone two three"),
            ("printf '\\e[31mred\\e[m %s\\n' $(seq 60)\r", "red 60"),
            ("clear; ls -d /\r", "/\nhere>"),
            ("\x12seq", "reverse-i-search"),
            ("\x07", "here>"),
        ],
    ),
    "less": (
        ["less", "-R", "page.txt"],
        [("", "line 22"), (" ", "line 45"), ("/line 77\r", "line 77"), ("G", "line 200"), ("q", "")],
    ),
    "vim": (
        ["vim", "-u", "NONE", "-i", "NONE", "-n", "page.txt"],
        [
            ("", "line 23"),
            ("ihello \x1b", "hello line 1"),
            (":set number\r", "  1 hello line 1"),
            ("dd10j\x06", "line 40"),
            (":vsplit\r", "page.txt"),
        ],
    ),
    "python": (
        [sys.executable, "-i", "-q"],
        [("", ">>>"), ("for n in range(40): print('n is', n)\r\r", "n is 39"), ("'a' * 200\r", "a'\n>>>")],
    ),
}
SETTINGS = {"TERM": "xterm-256color", "PS1": "here> ", "HISTFILE": "", "PYTHON_HISTORY": os.devnull, "LESS": "", "LESSHISTFILE": "-"}


class Program:
    """A program in a PTY of which the mirror is the terminal."""

    def __init__(self, argv: Sequence[str], cwd: Path) -> None:
        self.mirror, self.output = PyteMirror(COLS, ROWS), b""
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLS, 0, 0))
        self._process = subprocess.Popen(
            argv,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=cwd,
            env={**os.environ, **SETTINGS},
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509 (the tests have one thread)
        )
        os.close(slave)

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def read_until(self, shown: str) -> None:
        """Feeds the mirror until it shows this, and the program has nothing more to say for a moment."""
        deadline = time.monotonic() + DEADLINE
        while self._read() or shown not in "\n".join(self.mirror.text()):
            assert time.monotonic() < deadline, f"{shown!r} did not show:\n" + "\n".join(self.mirror.text())

    def _read(self) -> bool:
        readable, _, _ = select.select([self._master], [], [], 0.2)
        try:
            data = os.read(self._master, 4_096) if readable else b""
        except OSError:  # the program has ended
            data = b""
        self.output += data
        for reply in self.mirror.feed(data).replies:
            os.write(self._master, reply)
        return bool(data)


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_looks_as_in_tmux(name: str, tmp_path: Path) -> None:
    argv, script = PROGRAMS[name]
    needs("tmux", argv[0])
    (tmp_path / "page.txt").write_text("".join(f"line {n} of the page, 漢字\n" for n in range(1, 201)))
    feed = tmp_path / "feed"
    os.mkfifo(feed)
    with (
        Program(argv, tmp_path) as program,
        Tmux(["sh", "-c", f"stty raw -echo; exec cat {feed}"], cols=COLS, rows=ROWS) as pane,
        open(feed, "wb", buffering=0) as tmux_input,
    ):
        sent = 0
        for typed, shown in script:
            program.type(typed)
            program.read_until(shown)
            tmux_input.write(program.output[sent:])
            sent = len(program.output)
            eventually(lambda: pane.output() == program.output, "all of the output in tmux")
            eventually(lambda: shows_the_same(pane, program.mirror), "the same in tmux")
            fresh = PyteMirror(COLS, ROWS)
            fresh.feed(program.mirror.repaint(1 << 20))
            assert everything_of(fresh) == everything_of(program.mirror)


def shows_the_same(pane: Tmux, mirror: PyteMirror) -> bool:
    assert pane.screen() == mirror.text()
    assert (int(pane.tell("cursor_x")), int(pane.tell("cursor_y"))) == mirror.cursor
    return True

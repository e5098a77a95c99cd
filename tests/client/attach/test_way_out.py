"""On every way out of an attach the person's terminal is as it was: xterm is fed with all that it received, and tells its modes."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator

import pytest

from roost.attach.terminal import RESTORE
from tests.support import processes
from tests.support.commands import roost, roost_argv
from tests.support.home import Home
from tests.support.modes import left_behind
from tests.support.oracle.case import Case
from tests.support.oracle.xterm import ask, need_oracle
from tests.support.terminal import Terminal
from tests.support.waiting import eventually

SIZE = (80, 24)
# What a full-screen agent switches on: alternate screen, keys and mouse in all their forms, paste, focus, synchronized output, a region,
# origin mode, no wrap, a hidden cursor of another shape, line drawing, a colour, a link.
EVERYTHING = (
    "\\033[?1049h\\033[?1h\\033=\\033[>1u\\033[>4;2m\\033[?1000h\\033[?1002h\\033[?1003h\\033[?1006h\\033[?1016h\\033[?2004h\\033[?1004h"
    "\\033[?2026h\\033[?2026l\\033[?2031h\\033[?2048h\\033[5;10r\\033[?6h\\033[?7l\\033[?45h\\033[4h\\033[20h\\033[?25l\\033[5 q"
    "\\033[1;31m\\033]8;;http://localhost/\\033\\\\ready\\033(0"
)


@pytest.fixture(autouse=True)
def home_with_jobs(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    need_oracle()
    monkeypatch.chdir(home.work)
    yield home
    home.end_all()


def test_what_no_reset_of_modes_undoes_is_undone_too() -> None:
    script = "stty raw -echo; printf '\\033[3g\\033]11;#112233\\033\\\\\\033]22;wait\\033\\\\ready'; head -c1 >/dev/null"
    with Terminal(roost_argv("run", "-n", "j", "--", "sh", "-c", script)) as terminal:
        terminal.expect("ready")
        terminal.send(b"\x1c")
        assert terminal.wait() == 0
        ((shown,),) = ask([Case("tabs", *SIZE, [terminal.output + b"\ra\tb"])])
        assert text_of(shown["rows"][shown["cursor"][1]]) == "a       b"
        assert b"\x1b]111" in terminal.output
        assert b"\x1b]22;\x1b" in terminal.output


def text_of(row: list[list[object]]) -> str:
    return "".join(str(cell[0]) for cell in row)


def detach(terminal: Terminal, host: int) -> None:
    terminal.send(b"\x1c")


def end(terminal: Terminal, host: int) -> None:
    terminal.send("x")


def by_signal(number: signal.Signals) -> Callable[[Terminal, int], None]:
    def send(terminal: Terminal, host: int) -> None:
        terminal.signal(number)

    return send


def kill_host(terminal: Terminal, host: int) -> None:
    processes.end({host})


def stop_host_and_detach(terminal: Terminal, host: int) -> None:
    os.kill(host, signal.SIGSTOP)
    terminal.send(b"\x1c")


WAYS = {
    "the detach key": detach,
    "the job's end": end,
    "SIGTERM": by_signal(signal.SIGTERM),
    "SIGHUP": by_signal(signal.SIGHUP),
    "SIGKILL": by_signal(signal.SIGKILL),
    "a host that is killed": kill_host,
    "a host that is stuck": stop_host_and_detach,
}


@pytest.mark.parametrize("way", WAYS)
def test_the_terminal_is_as_it_was(home: Home, way: str) -> None:
    script = f"stty raw -echo; printf '{EVERYTHING}'; while [ \"$(head -c1)\" != x ]; do :; done"
    with Terminal(roost_argv("run", "-n", "j", "--", "sh", "-c", script)) as terminal:
        terminal.expect("ready")
        (row,) = json.loads(roost("ls", "--json").stdout)["jobs"]
        host = json.loads((home.state / "jobs" / row["id"] / "host.json").read_bytes())["pid"]
        WAYS[way](terminal, host)
        terminal.wait()
        eventually(lambda: (terminal.read(0), RESTORE in terminal.output and terminal.restored)[1], "the terminal given back")
        (before,), (after,) = ask([Case("before", *SIZE, [b""]), Case("after", *SIZE, [terminal.output])])
        assert after["modes"] == before["modes"]
        assert not left_behind(terminal.output)
        processes.end({host})

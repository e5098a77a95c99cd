"""On every way out of an attach the person's terminal is as it was: xterm is fed with all that it received, and tells its modes; what
xterm.js does not know (kitty's keyboard, titles, colours) our own mirror tells."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator

import pytest

from roost.attach.terminal import RESTORE
from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.support import processes
from tests.support.commands import roost, roost_argv
from tests.support.home import Home
from tests.support.modes import left_behind
from tests.support.oracle.case import Case
from tests.support.oracle.xterm import ask, need_oracle
from tests.support.terminal import Terminal
from tests.support.waiting import eventually

SIZE = (80, 24)
BACKGROUND = b"\x1b]11;?\x07"
# What a full-screen agent switches on: alternate screen, keys and mouse in all their forms, paste, focus, synchronized output, a region,
# origin mode, no wrap, a hidden cursor of another shape, line drawing, a colour, a link.
EVERYTHING = (
    "\\033[?1049h\\033[?1h\\033=\\033[>1u\\033[>4;2m\\033[?1000h\\033[?1002h\\033[?1003h\\033[?1006h\\033[?1016h\\033[?2004h\\033[?1004h"
    "\\033[?2026h\\033[?2026l\\033[?2031h\\033[?2048h\\033[5;10r\\033[?6h\\033[?7l\\033[?45h\\033[4h\\033[20h\\033[?25l\\033[5 q"
    "\\033[1;31m\\033]8;;http://localhost/\\033\\\\"
    "\\033]2;the agent\\007\\033]10;red\\007\\033]11;red\\007\\033]4;1;red\\007\\033[>4;1mready\\033(0"
)
# What the person's shell has on it before: keys on both screens, a title, colours.
THEIRS = (
    b"\x1b[?1049h\x1b[>9u\x1b[?1049l\x1b[>1u\x1b[>5u\x1b]2;their own\x07"
    b"\x1b]10;#111111\x07\x1b]11;#222222\x07\x1b]12;#333333\x07\x1b]4;1;#444444\x07"
)
CRASHING = (
    "import sys; from roost.attach.loop import Loop; from roost.cli import main\n"
    "Loop._signalled = lambda *_: 1 / 0\n"
    "sys.exit(main(sys.argv[1:]))"
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
        assert terminal.mirror.feed(BACKGROUND).replies == PyteMirror(*SIZE).feed(BACKGROUND).replies
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
    "a crash": by_signal(signal.SIGWINCH),
    "a host that is killed": kill_host,
    "a host that is stuck": stop_host_and_detach,
}


def as_before() -> PyteMirror:
    mirror = PyteMirror(*SIZE)
    mirror.feed(THEIRS)
    return mirror


def known_to_us(mirror: PyteMirror) -> dict[str, object]:
    """Modes, title, colours, and the keyboard's stack of both screens: those in force, and below them."""
    colours = mirror.feed(b"\x1b]10;?;?;?\x07\x1b]4;1;?\x07").replies
    found: dict[str, object] = {"modes": mirror.modes, "title": mirror.title, "colours": colours}
    for name, switch in (("normal", b""), ("alternate", b"\x1b[?1049h")):
        mirror.feed(switch)
        found[name] = [(mirror.modes.kitty_flags, mirror.feed(b"\x1b[<u"))[0] for _ in range(3)]
    return found


@pytest.mark.parametrize("way", WAYS)
def test_the_terminal_is_as_it_was(home: Home, way: str) -> None:
    script = f"stty raw -echo; printf '{EVERYTHING}'; while [ \"$(head -c1)\" != x ]; do printf 'and seen'; done"
    start = [sys.executable, "-P", "-c", CRASHING] if way == "a crash" else roost_argv()
    with Terminal([*start, "run", "-n", "j", "--", "sh", "-c", script], before=THEIRS) as terminal:
        terminal.expect("ready")
        terminal.send("k")
        terminal.expect("and seen")  # so its host knows all that the terminal has told
        (row,) = json.loads(roost("ls", "--json").stdout)["jobs"]
        host = json.loads((home.state / "jobs" / row["id"] / "host.json").read_bytes())["pid"]
        WAYS[way](terminal, host)
        terminal.wait()
        eventually(lambda: (terminal.read(0), RESTORE in terminal.output and terminal.restored)[1], "the terminal given back")
        (before,), (after,) = ask([Case("before", *SIZE, [THEIRS]), Case("after", *SIZE, [THEIRS + terminal.output])])
        assert after["modes"] == before["modes"]
        assert known_to_us(terminal.mirror) == known_to_us(as_before())
        assert not left_behind(terminal.output)
        processes.end({host})

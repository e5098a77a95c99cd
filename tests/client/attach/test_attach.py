"""A job shown in a real terminal: typed into, left, come back to, ended; and the terminal given back on every way out."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from roost.attach.terminal import RESTORE
from tests.support import processes
from tests.support.commands import roost, roost_argv
from tests.support.home import Home
from tests.support.modes import left_behind
from tests.support.needs import needs
from tests.support.person import Person
from tests.support.terminal import Terminal
from tests.support.waiting import DEADLINE, eventually

DETACH = b"\x1c"
SHELL = ["--", "bash", "--norc", "--noprofile"]


@pytest.fixture(autouse=True)
def home_with_jobs(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    monkeypatch.chdir(home.work)
    monkeypatch.setenv("PS1", "> ")
    yield home
    home.end_all()


def job(name: str) -> dict[str, Any]:
    rows = json.loads(roost("ls", "--json").stdout)["jobs"]
    found: dict[str, Any] = next((row for row in rows if row["name"] == name), {})
    return found


def run_detached(name: str, *argv: str) -> str:
    return roost("run", "-d", "-n", name, "--", *argv).stdout.strip()


def restored(terminal: Terminal) -> bool:
    return terminal.restored and RESTORE in terminal.output


def test_a_job_is_typed_into_left_and_come_back_to() -> None:
    with Terminal(roost_argv("run", "-n", "sh", *SHELL)) as terminal:
        terminal.expect_screen("^>")
        terminal.send("echo $((40+2))\r")
        terminal.expect_screen("^42")
        terminal.send(DETACH)
        assert terminal.wait() == 0
        assert f"[detached from sh ({job('sh')['id']})]" in "\n".join(terminal.screen())
        assert restored(terminal)
    with Terminal(roost_argv("attach", "sh")) as terminal:
        terminal.expect_screen("^42")
        terminal.send("exit 3\r")
        assert terminal.wait() == 1
        assert "[sh failed: exit code 3]" in terminal.screen()
        assert restored(terminal)


@pytest.mark.parametrize(
    ("options", "script", "status", "line"),
    [
        ([], "exit 0", 0, "[j done]"),
        ([], "exit 3", 1, "[j failed: exit code 3]"),
        (["--exit-code"], "exit 3", 3, "[j failed: exit code 3]"),
        (["--exit-code"], "kill -TERM $$", 143, "[j failed: SIGTERM]"),
    ],
)
def test_a_job_that_ends_says_how_with_its_last_words(options: list[str], script: str, status: int, line: str) -> None:
    with Terminal(roost_argv("run", "-n", "j", *options, "--", "sh", "-c", f"echo last words; {script}")) as terminal:
        assert terminal.wait() == status
        shown = [row for row in terminal.screen() if row]
        assert shown[-2:] == ["last words", line]
        assert terminal.screen().index(line) == terminal.screen().index("last words") + 1, "it stands right below"
        assert terminal.restored


def test_a_job_that_ended_long_ago_shows_its_last_screen() -> None:
    run_detached("j", "sh", "-c", "echo goodbye; exit 2")
    roost("wait", "j")
    with Terminal(roost_argv("attach", "j")) as terminal:
        assert terminal.wait() == 1
        assert {"goodbye", "[j failed: exit code 2]"} <= set(terminal.screen())
        assert terminal.restored


def test_what_the_person_saw_goes_up_into_the_scrollback(home: Home) -> None:
    needs("tmux")
    person = Person(os.environ, home.work)
    try:
        run_detached("sh", "bash", "--norc", "--noprofile")
        with person.shell() as pane:
            pane.line("echo what was h''ere")
            pane.wait_for("^what was here")
            pane.line("roost attach sh")
            pane.wait_for(r"^>")
            assert "what was here" not in pane.screen()
            assert "what was here" in pane.scrollback()
            pane.keys("C-\\")
            pane.wait_for(r"^\[detached from sh")
    finally:
        person.end()


def test_the_size_follows_the_terminal() -> None:
    with Terminal(roost_argv("run", "-n", "sh", *SHELL), cols=90, rows=20) as terminal:
        terminal.expect_screen("^>")
        terminal.send("stty size\r")
        terminal.expect_screen("^20 90")
        terminal.resize(70, 30)
        terminal.send("until [ $(tput cols) = 70 ]; do :; done; stty size\r")
        terminal.expect_screen("^30 70")


def test_a_read_only_terminal_types_nothing_but_may_leave() -> None:
    run_detached("j", "sh", "-c", "echo ready; read line; echo got $line; exec sleep 600")
    with Terminal(roost_argv("attach", "--read-only", "j"), cols=120, rows=40) as terminal:
        terminal.expect_screen("^ready")
        terminal.send("typed\r")
        roost("reply", "j", "replied")
        terminal.expect_screen("^got replied")
        terminal.send(DETACH)
        assert terminal.wait() == 0
        assert restored(terminal)


@pytest.mark.parametrize(
    ("typed", "shown"), [(DETACH * 2, r"\^\\"), (b"\x1b[200~\x1c\x1b[201~", r"\^\[\[200~\^\\\^\[\[201~"), (b"\x1b", r"\^\[")]
)
def test_the_detach_key_twice_or_pasted_is_text(typed: bytes, shown: str) -> None:
    with Terminal(roost_argv("run", "-n", "j", "--", "sh", "-c", "stty raw -echo; echo ready; exec cat -v")) as terminal:
        terminal.expect_screen("ready")
        terminal.send(typed)
        terminal.expect_screen(shown)
        terminal.send(DETACH)
        assert terminal.wait() == 0


def test_another_detach_key() -> None:
    environ = {**os.environ, "ROOST_DETACH_KEYS": "ctrl-a d"}
    with Terminal(roost_argv("run", "-n", "sh", *SHELL), environ=environ) as terminal:
        terminal.expect_screen("^>")
        # The shell has ctrl-a as "to the line's beginning": pressed in front of another key it gets through.
        terminal.send(b"cho d\x01e\r")
        terminal.expect_screen("^d$")
        terminal.send(b"\x01d")
        assert terminal.wait() == 0
        assert restored(terminal)


def test_a_wrong_detach_key_is_said_before_anything_is_touched() -> None:
    run_detached("j", "sleep", "600")
    for argv in (["attach", "j"], ["run", "-n", "k", "--", "sleep", "600"]):
        with Terminal(roost_argv(*argv), environ={**os.environ, "ROOST_DETACH_KEYS": "f12"}) as terminal:
            assert terminal.wait() == 2
            assert terminal.output.startswith(b"roost: ROOST_DETACH_KEYS: the detach key 'f12' is none")
            assert terminal.restored
    assert job("k") == {}


@pytest.mark.parametrize("number", [getattr(signal, f"SIG{name}") for name in ("TERM", "HUP", "INT", "QUIT", "USR1", "USR2", "ALRM")])
def test_a_signal_gives_the_terminal_back(number: signal.Signals) -> None:
    with Terminal(roost_argv("run", "-n", "sh", *SHELL)) as terminal:
        terminal.expect_screen("^>")
        terminal.signal(number)
        assert terminal.wait() == 128 + number
        assert f"roost: ended by {number.name}; sh runs on" in "\n".join(terminal.screen())
        assert restored(terminal)
    assert job("sh")["ended"] is None


def test_killed_it_leaves_its_terminal_as_it_was_too() -> None:
    modes = "\\033[?1049h\\033[?1003h\\033[?1006h\\033[?2004h\\033[?1004h\\033[>1u"
    with Terminal(roost_argv("run", "-n", "j", "--", "sh", "-c", f"printf '{modes}ready'; exec sleep 600")) as terminal:
        terminal.expect_screen("ready")
        processes.end({terminal.process.pid})
        terminal.expect(re.escape(RESTORE))
        eventually(lambda: terminal.restored, "the terminal's settings")
    assert job("j")["ended"] is None


def test_stopped_from_outside_it_makes_room_for_the_shell() -> None:
    with Terminal(["bash", "--norc", "--noprofile", "-i"]) as terminal:
        terminal.send(" ".join(roost_argv("run", "-n", "sh", *SHELL)) + "\r")
        terminal.expect(rb"\x1b\[H\x1b\[2J")
        terminal.send("echo $((40+2))\r")
        terminal.expect_screen("^42")
        (attached,) = processes.descendants(terminal.process.pid)
        os.kill(attached, signal.SIGTSTP)
        terminal.expect(b"Stopped")
        assert terminal.output.count(RESTORE) == 1
        terminal.send("echo $((50+3))\r")
        terminal.expect_screen("^53")
        terminal.send("fg\r")
        terminal.expect(rb"\x1b\[H\x1b\[2J")
        terminal.expect_screen("^42")
        terminal.send("echo $((60+4))\r")
        terminal.expect_screen("^64")
        terminal.send(DETACH)
        terminal.expect_screen(r"^\[detached from sh ")


def test_stopped_without_a_warning_it_takes_the_terminal_anew() -> None:
    """No process hears of SIGSTOP: the shell finds the terminal as a job has it, and has it in its own way when it is taken again."""
    modes = "\\033[?1049h\\033[?1003h\\033[?1006h\\033[?2004h\\033[>1u"
    run_detached("j", "sh", "-c", f"stty raw -echo; printf '{modes}ready'; exec cat -v")
    with Terminal(["bash", "--norc", "--noprofile", "-i"]) as terminal:
        terminal.expect_screen("^>")
        terminal.send(" ".join(roost_argv("attach", "j")) + "\r")
        terminal.expect_screen("^ready")
        (attached,) = processes.descendants(terminal.process.pid)
        as_a_job_has_it = terminal.mirror.modes
        os.kill(attached, signal.SIGSTOP)
        terminal.expect(b"Stopped")
        terminal.send("printf '\\033[?1003l\\033[?1049l'; stty erase X; echo $((40+2))\r")
        terminal.expect_screen("^42")
        terminal.send("fg\r")
        terminal.expect_screen("^ready")
        terminal.send("more")
        terminal.expect_screen("^readymore")
        assert terminal.mirror.modes == as_a_job_has_it
        terminal.send(DETACH)
        terminal.expect_screen(r"^\[detached from j .*\n>")
        assert left_behind(terminal.output) <= {"?2004h"}, "which is the shell's own"
        terminal.send("clear; stty -a | grep -o 'erase = [^;]*'; echo $((50+3))\r")
        terminal.expect_screen("^53")
        assert terminal.screen()[0] == "erase = X"


def test_a_lost_host_gives_the_terminal_back(home: Home) -> None:
    with Terminal(roost_argv("run", "-n", "sh", *SHELL)) as terminal:
        terminal.expect_screen("^>")
        job_id = job("sh")["id"]
        host = json.loads((home.state / "jobs" / job_id / "host.json").read_bytes())["pid"]
        processes.end({host})
        assert terminal.wait() == 1
        assert f"roost: the host of sh ({job_id}) is gone; see `roost explain sh`" in "\n".join(terminal.screen())
        assert restored(terminal)
    eventually(lambda: job("sh")["state"] == "lost", "that the job is lost")


def test_a_daemon_that_dies_and_comes_back_is_not_noticed(home: Home) -> None:
    with Terminal(roost_argv("run", "-n", "sh", *SHELL)) as terminal:
        terminal.expect_screen("^>")
        processes.end({json.loads((home.state / "roostd.json").read_bytes())["pid"]})
        terminal.send("echo $((40+2))\r")
        terminal.expect_screen("^42")
        terminal.send("exit\r")
        assert terminal.wait() == 0
        assert "[sh done]" in terminal.screen()


def test_a_job_is_not_attached_to_itself() -> None:
    command = " ".join(roost_argv("attach", "j"))
    run_detached("j", "sh", "-c", f"sleep 0.2; {command}; echo gave $?; exec sleep 600")

    def refused() -> bool:
        text = roost("screen", "j").stdout.replace("\n", "")
        assert "is the job this command runs in" in text
        return "gave 1" in text

    eventually(refused)


def test_without_a_terminal_there_is_no_attach_and_run_detaches() -> None:
    done = roost("run", "-n", "j", "--", "sleep", "600")
    assert (done.returncode, done.stdout, done.stderr) == (0, job("j")["id"] + "\n", "")
    done = roost("attach", "j")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "roost: attach needs a terminal for stdin and stdout; `roost screen j` prints what the job shows\n"


def test_detached_on_a_terminal_says_how_to_go_on() -> None:
    with Terminal(roost_argv("run", "-d", "-n", "j", "--", "sleep", "600")) as terminal:
        assert terminal.wait() == 0
        assert terminal.screen()[0] == f"{job('j')['id']}  j"
        assert "`roost attach j` shows it" in terminal.screen()[1]


def test_exit_codes_and_output_come_through_without_a_terminal_too() -> None:
    done = roost("run", "-n", "j", "--exit-code", "--", "sh", "-c", r"seq 200; printf '\033[31mbye\033[m\n\n'; exit 7")
    assert (done.returncode, done.stderr) == (7, "")
    assert done.stdout.splitlines() == [*map(str, range(1, 201)), "bye"]
    assert roost("again", "j", "--exit-code").stdout == done.stdout
    silent = roost("run", "--exit-code", "--", "true")
    assert (silent.returncode, silent.stdout, silent.stderr) == (0, "", "")


def test_much_output_arrives_whole_and_in_order() -> None:
    with Terminal(roost_argv("run", "-n", "j", "--", "sh", "-c", "read go; seq 20000; echo all")) as terminal:
        eventually(lambda: job("j"))
        terminal.send("\r")
        terminal.expect(rb"\n19999\r\n20000\r\nall")
        assert terminal.wait() == 0


def test_a_persons_keyboard_cannot_be_locked_or_be_made_to_speak_otherwise() -> None:
    with Terminal(
        roost_argv("run", "-n", "j", "--", "sh", "-c", r"echo ready; read go; printf '\033[2h\033[?9001hgone on'; exec cat")
    ) as terminal:
        terminal.expect_screen("^ready")
        terminal.send("\r")
        terminal.expect_screen("gone on")
        terminal.send(DETACH)
        assert terminal.wait() == 0
    assert b"\x1b[2h" not in terminal.output
    assert b"\x1b[?9001h" not in terminal.output


def test_a_flood_does_not_keep_a_person_from_leaving() -> None:
    with Terminal(roost_argv("run", "-n", "j", "--", "yes")) as terminal:
        terminal.expect(rb"y\r\ny\r\ny")
        terminal.send(DETACH)
        assert terminal.wait() == 0
        assert restored(terminal)


@pytest.mark.parametrize(("number", "status"), [(None, 0), (signal.SIGTERM, 143)])
def test_a_terminal_that_takes_nothing_does_not_keep_a_person_from_leaving(number: signal.Signals | None, status: int) -> None:
    with Terminal(roost_argv("run", "-n", "j", "--", "yes")) as terminal:
        terminal.expect(rb"y\r\ny\r\ny")
        eventually(lambda: not takes(terminal), "that nothing more fits into the terminal")
        if number is None:
            os.write(terminal.master, DETACH)
        else:
            terminal.signal(number)
        assert terminal.process.wait(DEADLINE) == status
        assert terminal.restored
        terminal.expect(re.escape(RESTORE))
    assert job("j")["ended"] is None


@pytest.mark.parametrize(("number", "status"), [(None, 0), (signal.SIGTERM, 143)])
def test_a_terminal_that_takes_a_little_more_is_left_as_it_was_later(number: signal.Signals | None, status: int) -> None:
    """The host may fill in the meantime what the terminal took just now."""
    with Terminal(roost_argv("run", "-n", "j", "--", "yes")) as terminal:
        terminal.expect(rb"y\r\ny\r\ny")
        eventually(lambda: not takes(terminal), "that nothing more fits into the terminal")
        if number is None:
            os.write(terminal.master, DETACH)
        else:
            terminal.signal(number)
        while not takes(terminal):
            os.read(terminal.master, 256)
        assert terminal.process.wait(DEADLINE) == status
        assert terminal.restored
        terminal.expect(re.escape(RESTORE))
    assert job("j")["ended"] is None


def takes(terminal: Terminal) -> bool:
    return bool(select.select([], [terminal.slave], [], 0.01)[1])


def test_a_host_that_was_stopped_writes_nothing_once_the_person_has_left(home: Home) -> None:
    with Terminal(roost_argv("run", "-n", "j", "--", "sh", "-c", "while :; do echo tick; sleep 0.05; done")) as terminal:
        terminal.expect(rb"tick\r\ntick")
        host = json.loads((home.state / "jobs" / job("j")["id"] / "host.json").read_bytes())["pid"]
        os.kill(host, signal.SIGSTOP)
        while terminal.read(0.2):
            continue  # It takes what it is given: nothing need be left to the host.
        terminal.send(DETACH)
        assert terminal.wait() == 0
        before = terminal.output
        os.kill(host, signal.SIGCONT)
        eventually(lambda: job("j")["attached"] == 0, "that the host has heard of it")
        terminal.read(0)
        assert terminal.output == before
        assert before.endswith(b"[detached from j (%s)]\r\n\x1b[c" % job("j")["id"].encode())


def test_in_the_background_it_waits_for_the_terminal(home: Home) -> None:
    run_detached("j", "sh", "-c", "printf '\\033[?1049hready'; exec cat")
    with Terminal(["bash", "--norc", "--noprofile", "-i"]) as terminal:
        terminal.send(" ".join(roost_argv("attach", "j")) + " &\r")
        terminal.expect(b"\\[1\\]")
        terminal.send("wait\r")  # It ends as soon as the job is stopped.
        terminal.expect(b"Stopped")
        terminal.send("echo $((40+2))\r")
        terminal.expect_screen("^42")
        assert b"\x1b[?1049h" not in terminal.output
        terminal.send("fg\r")
        terminal.expect_screen("^ready")
        terminal.send(DETACH)
        terminal.expect_screen(r"^\[detached from j ")


def test_a_table_that_is_watched_is_given_back_on_ctrl_c() -> None:
    run_detached("first", "sleep", "600")
    with Terminal(roost_argv("ls", "--watch")) as terminal:
        terminal.expect_screen("^first ")
        run_detached("second", "sleep", "600")
        terminal.expect_screen("^second ")
        terminal.resize(30, 10)
        terminal.expect_screen(r"^NAME .{24,25}…$")
        terminal.send(b"\x03")
        assert terminal.wait() == 130
        assert terminal.output.endswith(b"\x1b[?7h\x1b[?25h\x1b[?1049l")
        assert terminal.restored


def test_a_watched_table_makes_room_for_the_shell_on_ctrl_z(home: Home) -> None:
    run_detached("first", "sleep", "600")
    with Terminal(["bash", "--norc", "--noprofile", "-i"]) as terminal:
        terminal.send(" ".join(roost_argv("ls", "--watch")) + "\r")
        terminal.expect_screen("^first ")
        terminal.send(b"\x1a")
        terminal.expect(rb"\x1b\[\?1049l(?s:.)*Stopped")
        terminal.send("fg\r")
        terminal.expect(rb"\x1b\[\?1049h(?s:.)*first ")
        terminal.send(b"\x03")
        terminal.expect(rb"\x1b\[\?1049l")


def test_a_crash_of_ours_gives_the_terminal_back() -> None:
    script = (
        "from roost.attach.loop import Loop; from roost.cli import main; Loop._typed = lambda *_: 1 / 0; "
        "import sys; sys.exit(main(['run', '-n', 'sh', '--', 'cat']))"
    )
    with Terminal([sys.executable, "-P", "-c", script]) as terminal:
        terminal.expect(rb"\x1b\[H\x1b\[2J")
        terminal.send("x")
        assert terminal.wait() == 1
        assert "roost: a fault in roost itself: ZeroDivisionError" in "\n".join(terminal.screen())
        assert restored(terminal)

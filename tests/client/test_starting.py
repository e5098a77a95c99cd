"""The daemon started on demand, and found again wherever its sockets have gone: with real daemons."""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
from ast import literal_eval
from collections.abc import Iterator
from pathlib import Path

import pytest

from roost import starting
from roost.failure import Unreachable
from roost.starting import daemon_environment
from tests.support import processes
from tests.support.commands import roost, roost_argv
from tests.support.daemon import Daemon
from tests.support.home import Home
from tests.support.waiting import DEADLINE, eventually


def daemons(home: Home) -> set[int]:
    """Pids of the daemons of this home: not their spawners, not their hosts."""
    return {pid for pid in home.pids() if " -m roostd --ready-fd" in processes.command_of(pid)}


def record(home: Home) -> dict[str, object]:
    value: dict[str, object] = json.loads((home.state / "roostd.json").read_bytes())
    return value


def test_the_daemon_gets_an_allow_list() -> None:
    given = dict.fromkeys(["PATH", "HOME", "LC_ALL", "XDG_RUNTIME_DIR", "ROOST_STATE_DIR", "ROOST_TEST_CRASH", "PYTHONPATH"], "x")
    given |= dict.fromkeys(["DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"], "x")
    foreign = dict.fromkeys(["ROOST_JOB_ID", "ROOST_JOB_TOKEN", "ROOST_SOCKET", "API_KEY", "LD_PRELOAD", "TERM", "CLAUDECODE"], "x")
    assert daemon_environment(given | foreign) == given | {"ROOST_DAEMON": "1"}


def test_two_commands_at_once_start_one_daemon(lived_in: Home) -> None:
    commands = [subprocess.Popen(roost_argv("ls", "--json"), stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(6)]
    answers = [command.communicate() for command in commands]
    assert answers == [(b'{"jobs": []}\n', b"")] * 6
    eventually(lambda: daemons(lived_in) == {record(lived_in)["pid"]}, "one daemon, and its starters gone")


@pytest.fixture
def somebody_starts_it(home: Home) -> Iterator[None]:
    """Another command holds the lock of who starts the daemon, and does nothing."""
    home.state.mkdir(mode=0o700)
    with (home.state / "start.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.mark.usefixtures("somebody_starts_it")
def test_a_command_that_was_stopped_while_it_starts_the_daemon_stops_no_other(home: Home) -> None:
    with subprocess.Popen(roost_argv("ls", "--json"), stdout=subprocess.PIPE) as command, Daemon(home):
        assert command.communicate(timeout=DEADLINE)[0] == b'{"jobs": []}\n'


@pytest.mark.usefixtures("somebody_starts_it")
def test_a_start_that_never_ends_is_said(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "START_PATIENCE", 0.1)
    with pytest.raises(Unreachable, match=f"another command has been starting the daemon .*{home.state}/start.lock"):
        starting.start(os.environ)


def test_a_command_substitution_returns(lived_in: Home) -> None:
    script = f'exec 7>&1; x=$({" ".join(roost_argv("run", "-d", "--", "sleep", "600"))}) && echo "got $x"'
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.split()[1]) == 8


def test_the_daemon_keeps_nothing_of_its_starter(lived_in: Home) -> None:
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    subprocess.run(roost_argv("ls"), env={**os.environ, "SECRET": "s3"}, pass_fds=[writing], capture_output=True, check=True)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read() == b""  # returns only once nobody holds the other end
    pid = record(lived_in)["pid"]
    assert isinstance(pid, int)
    assert "SECRET" not in processes.environ_of(pid)
    assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")
    assert os.getsid(pid) != os.getsid(0)


def test_it_notifies_on_the_desktop_that_it_was_started_on(lived_in: Home) -> None:
    told = lived_in.root / "told"
    program = lived_in.root / "bin" / "notify-send"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$DBUS_SESSION_BUS_ADDRESS: $3" > {told}.new && mv {told}.new {told}\n')
    program.chmod(0o755)
    desktop = {"PATH": f"{program.parent}:{os.environ['PATH']}", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/the/bus", "XDG_RUNTIME_DIR": ""}
    assert roost("run", "-d", "-n", "job", "--", "false", **desktop).returncode == 0
    eventually(told.exists, "a notification")
    assert told.read_text().startswith("unix:path=/the/bus: job ")


def test_another_environment_finds_the_same_daemon(lived_in: Home) -> None:
    assert roost("daemon", "start").returncode == 0
    elsewhere = lived_in.root / "elsewhere"
    for changed in ({"ROOST_RUNTIME_DIR": str(elsewhere)}, {"ROOST_RUNTIME_DIR": "", "XDG_RUNTIME_DIR": ""}):
        assert json.loads(roost("daemon", "status", "--json", **changed).stdout)["pid"] == record(lived_in)["pid"]
    assert not elsewhere.exists()


def test_a_daemon_of_another_state_directory_does_nothing_for_us(lived_in: Home) -> None:
    assert roost("run", "-d", "-n", "mine", "--", "cat").returncode == 0
    for command in (("ls",), ("daemon", "stop", "--jobs"), ("run", "-d", "--", "true"), ("events", "-f")):
        done = roost(*command, ROOST_STATE_DIR=str(lived_in.root / "another"))
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == (
            f"roost: this daemon keeps its state in {lived_in.state}, not in {lived_in.root / 'another'}: "
            "set ROOST_RUNTIME_DIR as well, or neither\n"
        )
    assert [job["name"] for job in json.loads(roost("ls", "--json").stdout)["jobs"]] == ["mine"]


def test_two_homes_of_one_user_have_a_daemon_each(lived_in: Home) -> None:
    homes = [lived_in.root / "one", lived_in.root / "two"]
    said = []
    for home in homes:
        home.mkdir()
        elsewhere = {"HOME": str(home), "XDG_RUNTIME_DIR": str(lived_in.root), "ROOST_STATE_DIR": "", "ROOST_RUNTIME_DIR": ""}
        assert roost("run", "-d", "-n", home.name, "--", "true", **elsewhere).returncode == 0
        (job,) = json.loads(roost("ls", "--json", **elsewhere).stdout)["jobs"]
        assert job["name"] == home.name
        said.append((elsewhere, json.loads(roost("daemon", "status", "--json", **elsewhere).stdout)))
    assert Path(said[0][1]["sockets"]["operator"]).parent == lived_in.root / "roost"
    assert Path(said[1][1]["sockets"]["operator"]).parent.name.startswith("roost-")
    for elsewhere, status in said:
        assert roost("daemon", "stop", **elsewhere).returncode == 0
        processes.end({status["pid"]})


def test_a_second_daemon_does_not_take_the_first_ones_sockets(lived_in: Home) -> None:
    roost("daemon", "start")
    environ = {**os.environ, "ROOST_STATE_DIR": str(lived_in.root / "another")}
    done = subprocess.run([sys.executable, "-P", "-m", "roostd"], env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"roostd: another daemon serves at {lived_in.runtime}/roostd.sock: set ROOST_RUNTIME_DIR")
    assert json.loads(roost("daemon", "status", "--json").stdout)["pid"] == record(lived_in)["pid"]


def test_a_stale_socket_and_record_are_no_obstacle(lived_in: Home) -> None:
    roost("daemon", "start")
    before = record(lived_in)["pid"]
    assert isinstance(before, int)
    processes.end({before})
    assert (lived_in.runtime / "roostd.sock").exists()
    assert roost("ls", "--json").stdout == '{"jobs": []}\n'
    assert record(lived_in)["pid"] != before


def test_a_swept_runtime_directory_is_made_again_by_the_daemon(lived_in: Home) -> None:
    roost("daemon", "start")
    pid = record(lived_in)["pid"]
    shutil.rmtree(lived_in.runtime)
    done = roost("daemon", "start")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"roostd runs (pid {pid})\n", "")
    shutil.rmtree(lived_in.runtime)
    assert json.loads(roost("daemon", "status", "--json").stdout)["pid"] == pid
    eventually(lambda: daemons(lived_in) == {pid}, "the same daemon alone")


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_the_end_of_a_job_is_not_the_end_of_a_daemon_that_was_started_from_inside_it(force: list[str], lived_in: Home) -> None:
    restarted = lived_in.work / "restarted"
    script = f"{shlex.join(roost_argv('daemon', 'restart'))} && touch {shlex.quote(str(restarted))}; sleep 600"
    roost("run", "-d", "-n", "starter", "--", "sh", "-c", script)
    eventually(restarted.exists)
    pid = record(lived_in)["pid"]
    roost("run", "-d", "-n", "other", "--", "sleep", "600")
    assert roost("stop", *force, "starter").returncode == 0
    states = {job["name"]: job["state"] for job in json.loads(roost("ls", "--json").stdout)["jobs"]}
    assert states["starter"] == "stopped"
    assert states["other"] in ("starting", "working", "quiet")
    assert record(lived_in)["pid"] == pid


@pytest.mark.parametrize("part", ["start", "boot"])
def test_a_reused_pid_is_not_signalled(part: str, lived_in: Home) -> None:
    # SIGUSR1 ends a process that does not expect it: the bystander lives on only if it was left alone.
    with subprocess.Popen(["sleep", "600"]) as bystander:
        try:
            roost("daemon", "start")
            kept = record(lived_in)
            processes.end(daemons(lived_in))
            shutil.rmtree(lived_in.runtime)
            stale = {**kept, "pid": bystander.pid}
            if part == "boot":
                stat = Path(f"/proc/{bystander.pid}/stat").read_text()
                stale |= {"start": int(stat.rsplit(")", 1)[1].split()[19]), "boot": "another"}
            (lived_in.state / "roostd.json").write_text(json.dumps(stale))
            assert roost("ls", "--json").stdout == '{"jobs": []}\n'
            assert processes.alive(bystander.pid)
        finally:
            bystander.kill()


def test_a_file_in_the_socket_s_place_is_said_clearly(lived_in: Home) -> None:
    lived_in.runtime.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        other.bind(str(lived_in.runtime / "roostd.sock"))
        done = roost("ls")
    assert done.returncode == 4
    assert done.stderr.startswith("roost: cannot connect to ")
    assert done.stderr.count("\n") == 1


def test_a_directory_in_the_socket_s_place_is_said_with_what_to_do(lived_in: Home) -> None:
    place = lived_in.runtime / "roostd.sock"
    place.mkdir(parents=True)
    lived_in.runtime.chmod(0o700)
    done = roost("ls")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (4, "", 1)
    assert done.stderr.startswith(f"roost: {place} stands where the daemon's socket is to be: it is a directory; remove it, or set ROOST_")
    assert place.is_dir()


def test_what_the_daemon_complains_of_is_one_line(home: Home) -> None:
    home.runtime.mkdir()
    home.runtime.chmod(0o777)
    done = roost("ls")
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.startswith(f"roost: {home.runtime}") or str(home.runtime) in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_state_directory_that_cannot_be_used_is_one_line(home: Home) -> None:
    home.state.write_text("")
    done = roost("ls")
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.startswith(f"roost: cannot use the state directory {home.state}: ")


def test_the_daemon_s_life_from_the_command_line(lived_in: Home) -> None:
    job = roost("run", "-d", "--", "sleep", "600").stdout.strip()
    before = record(lived_in)["pid"]
    assert roost("daemon", "restart").returncode == 0
    assert record(lived_in)["pid"] != before
    status = roost("daemon", "status")
    assert (status.returncode, status.stdout.splitlines()[1]) == (0, "1 live job")
    stopped = roost("daemon", "stop")
    assert (stopped.returncode, stopped.stdout) == (0, "roostd has stopped\n")
    eventually(lambda: not daemons(lived_in), "the daemon's end")
    assert [row["id"] for row in json.loads(roost("ls", "--json").stdout)["jobs"] if row["ended"] is None] == [job]
    assert roost("daemon", "stop", "--jobs").returncode == 0
    eventually(lambda: not lived_in.pids(), "the end of everything")
    assert roost("daemon", "stop").stdout == "roostd was not running\n"


def test_all_jobs_can_be_ended_without_a_daemon(home: Home) -> None:
    job = roost("run", "-d", "--", "sleep", "600").stdout.strip()
    assert roost("daemon", "stop").returncode == 0
    assert roost("daemon", "stop", "--jobs").stdout == "roostd has stopped\n"
    assert (home.state / "jobs" / job / "exit.json").exists()
    assert '"event": "serving"' in roost("daemon", "logs", "-n", "100").stdout
    assert len(roost("daemon", "logs", "-n", "1").stdout.splitlines()) == 1


def test_the_log_is_followed_by_tail(lived_in: Home) -> None:
    roost("daemon", "start")
    with subprocess.Popen(roost_argv("daemon", "logs", "-f", "-n", "1"), stdout=subprocess.PIPE) as following:
        assert following.stdout is not None
        try:
            assert following.stdout.readline()
            roost("run", "-d", "--", "true")
            assert following.stdout.readline()
        finally:
            following.kill()


def test_no_log_is_said(home: Home) -> None:
    done = roost("daemon", "logs")
    assert (done.returncode, done.stderr) == (4, f"roost: there is no log at {home.state}/roostd.log: no daemon has run here\n")


FORBIDDEN = {
    "msgspec",
    "anyio",
    "asyncio",
    "structlog",
    "pyte",
    "ptyprocess",
    "subprocess",
    "dataclasses",
    "inspect",
    "typing",
    "shutil",
    "socket",
}


LIGHT = {"typing", "shutil", "socket"}
"""What a listing may not even import; the other verbs may."""


@pytest.mark.parametrize(
    ("argv", "forbidden"),
    [
        (["ls"], FORBIDDEN),
        (["ls", "--json"], FORBIDDEN),
        (["run", "-d", "--", "true"], FORBIDDEN - LIGHT),
        (["wait", "j"], FORBIDDEN - LIGHT),
        (["reply", "j", "x"], FORBIDDEN - LIGHT),
        (["report", "--state", "idle"], FORBIDDEN - LIGHT),
    ],
)
def test_what_is_typed_all_day_imports_nothing_heavy(argv: list[str], forbidden: set[str], lived_in: Home) -> None:
    roost("run", "-d", "-n", "j", "--", "true")
    script = f"import sys; from roost.cli import main; main({argv!r}); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-S", "-P", "-c", with_paths(script)], capture_output=True, text=True, check=True)
    loaded = set(literal_eval(done.stdout.splitlines()[-1]))
    assert f"roost.commands.{argv[0]}" in loaded
    assert loaded & forbidden == set()
    assert not any(name.startswith("roost.attach") for name in loaded)


def with_paths(script: str) -> str:
    """For `python -S`, so that what `site` imports is not counted."""
    return f"import sys; sys.path += {[path for path in sys.path if path]!r}; {script}"

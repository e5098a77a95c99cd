"""`roost report`, from inside jobs of a real daemon, and what it says where there is none."""

from __future__ import annotations

import fcntl
import json
import shutil
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from roost import agents_door
from roost_protocol import agent
from roost_protocol.jobs import Choice
from tests.support.commands import roost, roost_argv
from tests.support.home import Home
from tests.support.waiting import DEADLINE, eventually

OURS = {"ROOST_SOCKET": "/nowhere/agent.sock", "ROOST_JOB_ID": "0a1b2c3d", "ROOST_JOB_TOKEN": "t0ken"}
THEIRS = {"PI_DAEMON_SOCK": "/nowhere/agent.sock", "PI_JOB_ID": "0a1b2c3d", "PI_JOB_TOKEN": "t0ken"}


class FakeDoor:
    """The agents' door, which ends so many connections without a word first; what each connection said is in `said`."""

    def __init__(self, path: Path, cuts: int = 0) -> None:
        self.said: list[list[dict[str, Any]]] = []
        self._cuts = cuts
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> FakeDoor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as lines:
                self.said.append([json.loads(lines.readline()), json.loads(lines.readline())])
                if len(self.said) > self._cuts:
                    connection.sendall(b'{"type": "ack", "seq": 1}\n')
                    lines.read()


@pytest.mark.parametrize("environ", [OURS, THEIRS, THEIRS | OURS])
def test_what_is_sent_is_what_the_schema_says(environ: dict[str, str], tmp_path: Path) -> None:
    report = {"state": "waiting", "question": "Go?", "choices": [{"id": "y", "label": "Yes"}]}
    with FakeDoor(tmp_path / "s") as door:
        name = "ROOST_SOCKET" if "ROOST_SOCKET" in environ else "PI_DAEMON_SOCK"
        for _ in range(2):
            agents_door.send_report(report, {**environ, name: str(tmp_path / "s")})
    (hello, line), (again, _) = door.said
    decoded = msgspec.convert(hello, agent.AgentHello)
    assert (decoded.job, decoded.token, decoded.capabilities) == ("0a1b2c3d", "t0ken", ["report"])
    told = msgspec.convert(line, agent.Report)
    assert (told.seq, told.state, told.question, told.choices) == (1, "waiting", "Go?", [Choice("y", "Yes")])
    assert set(line) <= {*agent.Report.__struct_fields__, "type"}
    assert again["epoch"] != hello["epoch"]


def test_a_daemon_that_goes_away_in_the_middle_is_asked_once_more(tmp_path: Path) -> None:
    with FakeDoor(tmp_path / "s", cuts=1) as door:
        agents_door.send_report({"state": "idle"}, {**OURS, "ROOST_SOCKET": str(tmp_path / "s")})
    first, second = door.said
    assert first == second


def test_a_report_waits_for_a_daemon_that_is_being_started(home: Home) -> None:
    home.state.mkdir(parents=True, mode=0o700)
    path = home.work / "s"
    environ = {**OURS, "ROOST_SOCKET": str(path), "ROOST_STATE_DIR": str(home.state)}
    with ThreadPoolExecutor(1) as pool, (home.state / "start.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        sending = pool.submit(agents_door.send_report, {"state": "idle"}, environ)
        with pytest.raises(TimeoutError):
            sending.result(timeout=2 * agents_door.GONE_AFTER)
        with FakeDoor(path) as door:
            sending.result(timeout=DEADLINE)
    assert door.said[0][1]["state"] == "idle"


def test_outside_a_job_it_says_so(home: Home) -> None:
    done = roost("report", "--state", "idle")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("roost: this is not a job of roost's: ROOST_SOCKET, ROOST_JOB_ID and ROOST_JOB_TOKEN")
    assert not home.state.exists()


def test_it_starts_no_daemon_and_shows_no_token(home: Home) -> None:
    done = roost("report", "--state", "idle", **OURS)
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr == "roost: the daemon does not answer on /nowhere/agent.sock: [Errno 2] No such file or directory\n"
    assert not home.state.exists()


def test_a_report_from_inside_a_job_is_seen_outside(lived_in: Home) -> None:
    argv = roost_argv("report", "--state", "waiting", "--waiting-for", "approval", "--question", "Deploy\x1b[2J?")
    argv += ["--choice", "y=Yes", "--choice", "n=No", "--model", "m1", "--session-ref", "s1"]
    script = lived_in.work / "script.py"
    script.write_text(f"import subprocess, time; print('gave', subprocess.run({argv!r}).returncode, flush=True); input()")
    assert roost("run", "-d", "-n", "j", "--", "python3", str(script)).returncode == 0
    done = roost("wait", "j", "--until", "waiting", "--timeout", "60")
    assert (done.returncode, done.stdout) == (0, "j waiting: approval: Deploy[2J?\n")
    (row,) = json.loads(roost("ls", "--json").stdout)["jobs"]
    assert (row["model"], row["session_ref"], row["evidence"]["signal"]) == ("m1", "s1", "report")
    assert row["choices"] == [{"id": "y", "label": "Yes"}, {"id": "n", "label": "No"}]
    eventually(lambda: "gave 0" in roost("screen", "j").stdout)


def test_a_wrong_token_is_refused(lived_in: Home) -> None:
    job = roost("run", "-d", "--", "sleep", "600").stdout.strip()
    door = str(Path(json.loads(roost("daemon", "status", "--json").stdout)["sockets"]["agent"]))
    done = roost("report", "--state", "idle", ROOST_SOCKET=door, ROOST_JOB_ID=job, ROOST_JOB_TOKEN="0" * 64)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("roost: ")
    assert done.stderr.count("\n") == 1


def test_a_door_that_was_swept_alone_is_made_anew_for_a_report(lived_in: Home) -> None:
    go = lived_in.work / "go"
    script = lived_in.work / "script.py"
    argv = roost_argv("report", "--state", "idle", "--session-ref", "s1")
    script.write_text(
        f"import os, subprocess, time\nos.mkfifo({str(go)!r})\nopen({str(go)!r}).read()\n"
        f"print('gave', subprocess.run({argv!r}).returncode, flush=True); input()"
    )
    assert roost("run", "-d", "-n", "j", "--", "python3", str(script)).returncode == 0
    eventually(go.exists)
    door = Path(json.loads(roost("daemon", "status", "--json").stdout)["sockets"]["agent"])
    shutil.rmtree(door.parent)
    go.write_text("go")
    eventually(lambda: "gave" in roost("screen", "j").stdout)
    assert "gave 0" in roost("screen", "j").stdout
    (row,) = json.loads(roost("ls", "--json").stdout)["jobs"]
    assert (row["state"], row["session_ref"]) == ("idle", "s1")

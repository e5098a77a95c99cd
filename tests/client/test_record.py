"""`roost record`: the two files, who may read them, and what ends it."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
from pathlib import Path
from typing import Any

from roost.cast import Cast, Lines
from tests.support.commands import roost, roost_argv
from tests.support.home import Home
from tests.support.waiting import DEADLINE, eventually


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def begin(job: str, file: Path, *options: str) -> subprocess.Popen[str]:
    """A recording that has begun."""
    argv = roost_argv("record", job, str(file), *options)
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    states = file.with_name(file.name + ".states.jsonl")
    eventually(lambda: process.poll() is not None or (states.exists() and "state" in states.read_text()), "the recording")
    return process


def test_a_character_that_was_cut_is_whole_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    cast = Cast(Lines(os.open(path, os.O_WRONLY | os.O_CREAT)), (80, 24), "a", 5.5)
    cast.output(0.1, b"a\xe6\xbc")
    cast.output(0.2, b"\xa2\x1b[m")
    cast.resize(0.3, 90, 30)
    cast.output(0.4, b"\xff\xe6")
    cast.close(0.5)
    head, *steps = lines(path)
    assert head == {"version": 2, "width": 80, "height": 24, "timestamp": 5, "title": "a", "env": {"TERM": "xterm-256color"}}
    assert steps == [[0.1, "o", "a"], [0.2, "o", "漢\x1b[m"], [0.3, "r", "90x30"], [0.4, "o", "\ufffd"], [0.5, "o", "\ufffd"]]


def test_a_job_is_recorded_to_its_end(lived_in: Home) -> None:
    file = lived_in.work / "a.cast"
    roost("run", "-d", "-n", "taped", "--", "sh", "-c", r"stty -echo; echo before; read line; printf 'a\033[6nb\n'; exit 3")
    process = begin("taped", file)
    assert roost("reply", "taped", "go").returncode == 0
    out, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 0, err
    assert str(file) in out
    assert "secrets" in err
    head, *steps = lines(file)
    assert head["version"] == 2
    written = "".join(step[2] for step in steps if step[1] == "o")
    assert "before" in written
    assert "a\x1b[6nb" in written
    times = [step[0] for step in steps]
    assert times == sorted(times)
    states = lines(lived_in.work / "a.cast.states.jsonl")
    assert [list(state) for state in states] == [["t", "state", "signal", "detail"]] * len(states)
    assert states[0]["t"] == 0
    assert states[-1]["state"] == "failed"
    for name in ("a.cast", "a.cast.states.jsonl"):
        assert stat.S_IMODE((lived_in.work / name).stat().st_mode) == 0o600
    assert roost("screen", "--from", str(file)).stdout.endswith("ab\n")
    assert '"state"' in roost("explain", "--recording", str(file), "--json").stdout


def test_ctrl_c_ends_it_and_the_job_runs_on(lived_in: Home) -> None:
    file = lived_in.work / "a.cast"
    roost("run", "-d", "-n", "on", "--", "sh", "-c", "read line")
    process = begin("on", file)
    assert json.loads(roost("ls", "--json").stdout)["jobs"][0]["attached"] == 0
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=DEADLINE)
    assert process.returncode == 0
    assert lines(file)[0]["version"] == 2
    assert json.loads(roost("ls", "--json").stdout)["jobs"][0]["ended"] is None


def test_what_is_there_is_left_alone_unless_by_force(lived_in: Home) -> None:
    file, states = lived_in.work / "a.cast", lived_in.work / "a.cast.states.jsonl"
    roost("run", "-d", "-n", "on", "--", "sh", "-c", "read line")
    states.write_text("mine")
    done = roost("record", "on", str(file))
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{states} exists already" in done.stderr
    assert not file.exists()
    assert states.read_text() == "mine"
    states.unlink()
    other = lived_in.work / "other"
    other.write_text("theirs")
    file.symlink_to(other)
    assert roost("record", "on", str(file)).returncode == 1
    process = begin("on", file, "--force")
    roost("stop", "--force", "on")
    process.communicate(timeout=DEADLINE)
    assert process.returncode == 0
    assert other.read_text() == "theirs"
    assert not file.is_symlink()
    assert lines(states)[-1]["state"] == "stopped"


def test_what_cannot_be_recorded_is_one_line_and_leaves_no_file(lived_in: Home) -> None:
    file = lived_in.work / "a.cast"
    roost("run", "--exit-code", "-n", "over", "--", "true")
    roost("run", "-d", "-n", "on", "--", "sh", "-c", "read line")
    file.with_name("file").touch()
    for ref, name, status, why in (
        ("on", str(file / "b.cast"), 3, f"{file / 'b.cast'}: there is no such folder to make it in"),
        ("on", str(file.with_name("file") / "b.cast"), 3, "there is no such folder to make it in"),
        ("on", str(lived_in.work), 1, "exists already"),
        ("over", str(file), 1, "has ended and writes nothing any more"),
        ("nosuch", str(file), 3, "no job"),
        ("over", "-", 2, "FILE must be named"),
    ):
        done = roost("record", ref, name)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (status, "", 1)
        assert why in done.stderr
    assert [left.name for left in lived_in.work.iterdir()] == ["file"]

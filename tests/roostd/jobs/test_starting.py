from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any

import pytest

from roost_protocol.errors import RoostError
from roost_protocol.operator import Caller
from roostd.jobs.record import LaunchSpec
from roostd.jobs.starting import caller_environ, prepare

SHELL = LaunchSpec(agent="shell", args=[])


def packed(data: bytes) -> str:
    return base64.b64encode(data).decode()


def caller(tmp_path: Path, **environ: str) -> Caller:
    return Caller(environ={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", **environ}, umask=0o027, limits={"RLIMIT_CORE": 0})


def executable(path: Path, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


def test_the_host_is_given_everything(tmp_path: Path) -> None:
    given = Caller(
        environ={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "SHELL": "/bin/sh", "TMUX": "x"},
        environ_raw={packed(b"RAW"): packed(b"\xff"), packed(b"TERM_PROGRAM"): packed(b"\xfe")},
        umask=0o027,
        limits={"RLIMIT_CORE": 0},
        cols=90,
        rows=30,
    )
    start = prepare(SHELL, given, str(tmp_path), ["MINE=1", "HOME"])
    spec = start.spec(job="a1b2c3d4", directory="/d", socket="/s", agents_door="/a", token="secret", token_hash="h")
    assert spec.argv == ["/bin/sh"]
    assert (spec.cwd, spec.umask, spec.limits, spec.cols, spec.rows) == (str(tmp_path), 0o027, {"RLIMIT_CORE": 0}, 90, 30)
    assert spec.environ["MINE"] == "1"
    assert (spec.environ["ROOST_JOB_ID"], spec.environ["ROOST_JOB_TOKEN"]) == ("a1b2c3d4", "secret")
    assert "TMUX" not in spec.environ
    assert spec.environ_raw == {packed(b"RAW"): packed(b"\xff")}
    assert "secret" not in repr(spec)


def test_a_resumed_session_is_opened_by_the_profile(tmp_path: Path) -> None:
    executable(tmp_path / "bin" / "claude")
    given = caller(tmp_path, PATH=str(tmp_path / "bin"))
    start = prepare(LaunchSpec(agent="claude", args=[]), given, str(tmp_path), resume="s-1")
    assert "s-1" in start.launch.argv
    assert start.launch.session_ref == "s-1"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"environ": {"A=B": "x"}}, "'A=B' is no variable"),
        ({"environ": {"": "x"}}, "'' is no variable"),
        ({"environ": {"A": "x\0y"}}, "'A' is no variable"),
        ({"environ": {}, "environ_raw": {"?": "?"}}, "must be base64"),
    ],
)
def test_an_environment_that_no_program_can_be_given_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(RoostError, match=message) as caught:
        caller_environ(Caller(**given))
    assert caught.value.code == "bad_request"


@pytest.mark.parametrize(
    ("spec", "cwd", "message"),
    [
        (SHELL, "/no/such/folder", "cannot run in /no/such/folder: No such file"),
        (SHELL, "/bin/sh", "cannot run in /bin/sh: it is not a folder"),
        (SHELL, "/a\0b", "cannot run in"),
        (LaunchSpec(agent=None, args=["sh"], model="m"), "/", "a bare command takes no"),
        (LaunchSpec(agent="nobody", args=[]), "/", "no agent 'nobody'"),
    ],
)
def test_what_cannot_be_started_says_why(tmp_path: Path, spec: LaunchSpec, cwd: str, message: str) -> None:
    with pytest.raises(RoostError, match=message):
        prepare(spec, caller(tmp_path), cwd)


def test_more_than_a_line_can_carry_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(RoostError, match="are the most") as caught:
        prepare(LaunchSpec(agent=None, args=["sh", *["x" * 100_000] * 11]), caller(tmp_path), "/")
    assert caught.value.code == "too_large"


def test_a_folder_that_cannot_be_entered_is_refused(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        assert prepare(SHELL, caller(tmp_path), str(tmp_path)).cwd == str(tmp_path)
        return
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    with pytest.raises(RoostError, match="permission denied"):
        prepare(SHELL, caller(tmp_path), str(closed))

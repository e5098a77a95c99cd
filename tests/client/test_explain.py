"""`roost explain --recording`: without a daemon, by the code that runs live."""

import gzip
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import roost, roost_argv
from tests.support.home import Home

CAST = [
    {"version": 2, "width": 60, "height": 8},
    [0.2, "o", "hello\r\n> "],
    [4.0, "i", "go\r"],
    [4.1, "o", "go\r\n\x1b]7501;state=working\x07"],
    [9.0, "o", "\x1b]7501;state=blocked:kind=permission\x07Run it?\x1b[31m \r\n"],
]


@pytest.fixture
def cast(tmp_path: Path) -> Path:
    path = tmp_path / "x.cast"
    path.write_text("".join(json.dumps(line) + "\n" for line in CAST))
    return path


def transitions(*argv: str) -> list[dict[str, Any]]:
    done = roost("explain", "--json", *argv)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_each_transition_is_one_object(home: Home, cast: Path) -> None:
    found = transitions("--recording", str(cast))
    assert all(list(change) == ["t", "state", "signal", "detail"] for change in found)
    assert [(change["state"], change["signal"]) for change in found] == [
        ("starting", "settling"),
        ("working", "settling"),
        ("quiet", "settling"),
        ("working", "input"),
        ("waiting", "program-status"),
    ]
    assert found[-1]["t"] == pytest.approx(9.0)
    assert not home.state.exists(), "nobody started a daemon"


def test_evidence_can_be_left_out_and_a_size_be_given(home: Home, cast: Path) -> None:
    found = transitions("--recording", str(cast), "--without", "program-status,titles", "--size", "100x30")
    assert {change["signal"] for change in found} == {"settling", "input"}


def test_a_person_gets_a_timeline_with_who_won_and_why(home: Home, cast: Path) -> None:
    done = roost("explain", "--recording", str(cast))
    assert (done.returncode, done.stderr) == (0, "")
    assert "    9.00 s  waiting: program-status, blocked\n            > program-status  waiting" in done.stdout
    assert "a stronger signal speaks" in done.stdout


def test_an_agent_is_read_by_its_profile_the_persons_own_first(home: Home, cast: Path) -> None:
    profile = {"command": ["mine"], "idle": "^> ?\\Z", "settle": 1}
    home.write_config(json.dumps({"agentProfiles": {"mine": profile}}))
    assert [change["state"] for change in transitions("--recording", str(cast), "--agent", "mine")][1] == "idle"


def test_a_gzipped_recording_from_stdin_or_a_file(home: Home, cast: Path, tmp_path: Path) -> None:
    packed = tmp_path / "packed.gz"
    packed.write_bytes(gzip.compress(cast.read_bytes()))
    assert transitions("--recording", str(packed)) == transitions("--recording", str(cast))
    done = roost("explain", "--recording", "-", "--json", stdin=cast.read_text())
    assert [json.loads(line) for line in done.stdout.splitlines()] == transitions("--recording", str(cast))


@pytest.mark.parametrize("verb", ["screen --from", "explain --recording", "agents test demo --recording"])
def test_a_descriptor_of_the_shells_is_a_file(home: Home, cast: Path, verb: str) -> None:
    with cast.open("rb") as file:
        argv = roost_argv(*verb.split(), f"/dev/fd/{file.fileno()}")
        done = subprocess.run(argv, pass_fds=[file.fileno()], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1 if "agents" in verb else 0, "")
    assert done.stdout


@pytest.mark.parametrize(
    ("argv", "status", "why"),
    [
        (["--recording", "{cast}", "--agent", "nobody"], 3, "there is no agent 'nobody'"),
        (["--recording", "{tmp}/none"], 3, "{tmp}/none: there is no such file"),
        (["--recording", "{tmp}/broken"], 2, "{tmp}/broken: line 1 names no size"),
        (["--recording", "{tmp}/bytes"], 2, "{tmp}/bytes: this is no recording with times"),
        (["--recording", "{tmp}/cut"], 2, "{tmp}/cut: line 2 is no step"),
        (["--recording", "{tmp}"], 1, "{tmp}: Is a directory"),
        (["--recording", "{cast}", "--without", "sound"], 2, "--without: 'sound' cannot be left out"),
        (["--recording", "{cast}", "--size", "big"], 2, "--size: 'big' is not COLSxROWS"),
        (["--recording", "{cast}", "--size", "９0x24"], 2, "--size: '９0x24' is not COLSxROWS"),
        (["--recording", "{cast}", "job"], 2, "name a job, or a file behind --recording, not both"),
        ([], 2, "name a job, or a file behind --recording"),
        (["job", "--agent", "pi"], 2, "--agent goes with --recording"),
    ],
)
def test_what_cannot_be_explained_is_one_line(home: Home, cast: Path, tmp_path: Path, argv: list[str], status: int, why: str) -> None:
    (tmp_path / "broken").write_text('{"version": 2}\n')
    (tmp_path / "bytes").write_bytes(b"hello\n")
    (tmp_path / "cut").write_text(json.dumps(CAST[0]) + "\n[1]\n[2, ")
    places = {"cast": str(cast), "tmp": str(tmp_path)}
    done = roost("explain", *[word.format(**places) for word in argv])
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.startswith("roost: " + why.format(**places))
    assert done.stderr.count("\n") == 1

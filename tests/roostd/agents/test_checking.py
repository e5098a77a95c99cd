import os
from pathlib import Path

from roost_protocol.host import Pattern
from roostd.agents.checking import Finding, checked, timed
from roostd.profiles import Profile


def program(path: Path, script: str) -> str:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def findings(profile: Profile) -> dict[str, Finding]:
    return {finding.check: finding for finding in checked(profile, dict(os.environ), "/")}


def test_a_command_that_tells_its_version(tmp_path: Path) -> None:
    command = program(tmp_path / "agent", 'echo; printf "agent\\033[m 1.2\\nmore\\n"')
    found = findings(Profile(name="a", command=[command]))
    assert found["command"] == Finding("command", True, command)
    assert found["version"] == Finding("version", True, "agent[m 1.2")


def test_one_that_does_not_tell_it_is_no_fault(tmp_path: Path) -> None:
    command = program(tmp_path / "agent", "exit 3")
    assert findings(Profile(name="a", command=[command]))["version"] == Finding("version", None, f"{command} --version does not tell it")


def test_one_that_is_not_there_is() -> None:
    found = findings(Profile(name="a", command=["no-such-agent"]))
    assert found == {"command": Finding("command", False, "command not found: no-such-agent")}


def test_its_own_path_counts(tmp_path: Path) -> None:
    command = program(tmp_path / "agent", "echo 1")
    assert findings(Profile(name="a", command=["agent"], env={"PATH": str(tmp_path)}))["command"].detail == command


def test_a_pattern_is_timed() -> None:
    found = timed("waiting", Pattern("^never$"))
    assert (found.check, found.ok) == ("waiting", True)
    assert "µs on an empty screen" in found.detail


def test_one_that_never_ends_is_wrong() -> None:
    found = timed("waiting", Pattern(r"(?:\w|\s|.)*(?:\w|\s|.)*(?:\w|.|\s)*§"), limit=0.2)
    assert found == Finding("waiting", False, r"(?:\w|\s|.)*(?:\w|\s|.)*(?:\w|.|\s)*§: a full screen is still searched after 0.2 s")

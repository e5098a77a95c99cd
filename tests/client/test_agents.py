"""`roost agents`, without a daemon."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import roost
from tests.support.home import Home

CAST = '{"version": 2, "width": 40, "height": 5}\n[0.5, "o", "Sure? "]\n[2.5, "o", "\\u001b[2Jno"]\n[3.5, "o", "."]\n'


def configure(home: Home, **keys: Any) -> Path:
    return home.write_config(json.dumps({"agentProfiles": {"mine": {"command": ["sh"], "waiting": r"^Sure\? ?\Z", **keys}}}))


def objects(*argv: str, code: int = 0) -> list[dict[str, Any]]:
    done = roost("agents", *argv, "--json")
    assert (done.returncode, done.stderr) == (code, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_list_says_whose_profile_counts(home: Home) -> None:
    path = home.write_config(json.dumps({"agentProfiles": {"codex": {"command": ["my-codex"]}}}))
    found = {agent["name"]: agent for agent in objects()}
    assert (found["codex"]["source"], found["codex"]["command"], found["codex"]["resumes"]) == (str(path), ["my-codex"], False)
    assert found["pi"]["source"] == "built in"
    assert found["pi"]["patterns"]["working"] > 0
    assert objects("list") == list(found.values())
    assert "codex" in roost("agents").stdout
    assert not home.state.exists()


def test_a_good_agent_is_all_right(home: Home) -> None:
    path = configure(home)
    found = objects("check", "demo")
    assert [(one["check"], one["ok"]) for one in found[:3]] == [("roost.json", True), ("profile", True), ("command", True)]
    assert {one["ok"] for one in found} <= {True, None}
    assert objects("check", "mine", code=0)[1] == {"check": "profile", "ok": True, "detail": str(path)}


def test_what_is_wrong_is_found(home: Home) -> None:
    configure(home, command=["no-such-agent"])
    done = roost("agents", "check", "mine")
    assert done.returncode == 1
    assert "WRONG  command     command not found: no-such-agent" in done.stdout
    configure(home, waiting="(")
    found = objects("check", "demo", code=1)
    assert (found[0]["check"], found[0]["ok"]) == ("roost.json", False)
    assert "agentProfiles.mine.waiting" in found[0]["detail"]
    assert found[1]["ok"] is True
    assert [(one["check"], one["ok"]) for one in objects("check", "mine", code=1)] == [("roost.json", False), ("profile", None)]
    assert "WRONG  roost.json  " in roost("agents", "check", "mine").stdout


def test_a_recording_is_read_by_the_patterns(home: Home, tmp_path: Path) -> None:
    configure(home, idle=r"^> \Z")
    file = tmp_path / "a.cast"
    file.write_text(CAST)
    match, never = objects("test", "mine", "--recording", str(file))
    assert (match["t"], match["state"], match["region"], match["detail"]) == (0.5, "waiting", "screen", "Sure?")
    assert never == {"never": [r"^> \Z"]}
    shown = roost("agents", "test", "mine", "--recording", "-", stdin=CAST)
    assert shown.returncode == 0
    assert shown.stdout.splitlines()[-1] == r"never matched: ^> \Z"
    assert roost("agents", "test", "shell", "--recording", str(file)).returncode == 1


@pytest.mark.parametrize(
    ("argv", "code", "why"),
    [
        (["check"], 2, "name the agent"),
        (["list", "codex"], 2, "list takes no name"),
        (["frob"], 2, "is none of list, check and test"),
        (["test", "codex"], 2, "test needs --recording FILE"),
        (["check", "codex", "--recording", "x"], 2, "--recording goes with test"),
        (["check", "codex", "--size", "80x24"], 2, "--size goes with test"),
        (["check", "codx"], 3, "did you mean codex?"),
        (["test", "codex", "--recording", "/nonexistent"], 3, "there is no such file"),
        (["test", "codex", "--recording", "-"], 2, "this is no recording with times"),
    ],
)
def test_what_cannot_be_done_is_one_line(home: Home, argv: list[str], code: int, why: str) -> None:
    done = roost("agents", *argv)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (code, "", 1)
    assert why in done.stderr

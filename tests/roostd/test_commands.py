from __future__ import annotations

from pathlib import Path

import pytest

from roost_protocol.errors import RoostError
from roostd.commands import DEFAULT_PATH, find_command, path_of


def executable(path: Path, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


def test_a_command_is_found_where_the_job_would_find_it(tmp_path: Path) -> None:
    tool = executable(tmp_path / "bin" / "tool")
    executable(tmp_path / "other" / "tool", 0o644)
    assert find_command("tool", f"/nowhere:{tmp_path}/other:{tmp_path}/bin", "/") == str(tool)
    assert find_command("tool", "bin", str(tmp_path)) == str(tool)
    assert find_command("tool", "", str(tool.parent)) == str(tool)
    assert find_command("bin/tool", "/nowhere", str(tmp_path)) == str(tool)
    assert find_command(str(tool), "", "/") == str(tool)


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("tool", "not_found", "command not found: tool"),
        ("./tool", "not_found", "command not found: ./tool"),
        ("plain/tool", "refused", "cannot run plain/tool: it is not executable"),
        ("/dev", "refused", "cannot run /dev: it is a folder"),
        ("./plain", "refused", r"cannot run \./plain: it is a folder"),
        ("/dev/null", "refused", "cannot run /dev/null: it is not a file"),
        ("plain", "not_found", "command not found: plain"),
    ],
)
def test_a_command_that_is_none_is_named(tmp_path: Path, command: str, code: str, message: str) -> None:
    executable(tmp_path / "plain" / "tool", 0o644)
    with pytest.raises(RoostError, match=message) as caught:
        find_command(command, str(tmp_path / "plain"), str(tmp_path))
    assert caught.value.code == code


def test_the_path_is_that_of_the_job() -> None:
    assert path_of({"PATH": "/a"}, {"PATH": "/b"}, {}) == "/b"
    assert path_of({"PATH": "/a"}, {}) == "/a"
    assert path_of({"PATH": "/a"}, {"PATH": ""}) == DEFAULT_PATH
    assert path_of({}) == DEFAULT_PATH

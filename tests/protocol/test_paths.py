"""Where things lie, by an environment."""

from __future__ import annotations

import pytest

from roost_protocol import paths
from roost_protocol.errors import RoostError


@pytest.mark.parametrize(
    ("environ", "state"),
    [
        ({"HOME": "/h"}, "/h/.local/state/roost"),
        ({"HOME": "/h/"}, "/h/.local/state/roost"),
        ({"HOME": "/h", "XDG_STATE_HOME": "/x"}, "/x/roost"),
        ({"HOME": "/h", "XDG_STATE_HOME": "x"}, "/h/.local/state/roost"),
        ({"ROOST_STATE_DIR": "/s/"}, "/s"),
    ],
)
def test_state_dir(environ: dict[str, str], state: str) -> None:
    assert paths.state_dir(environ) == state


@pytest.mark.parametrize(
    ("environ", "runtime"),
    [
        ({}, "/tmp/roost-7"),
        ({"XDG_RUNTIME_DIR": "/run/user/7"}, "/run/user/7/roost"),
        ({"XDG_RUNTIME_DIR": "run"}, "/tmp/roost-7"),
        ({"XDG_RUNTIME_DIR": "/run/user/7", "ROOST_RUNTIME_DIR": "/r"}, "/r"),
    ],
)
def test_runtime_dir(environ: dict[str, str], runtime: str) -> None:
    assert paths.runtime_dir(environ, 7) == runtime


@pytest.mark.parametrize("environ", [{"ROOST_STATE_DIR": "s"}, {}, {"HOME": "h"}])
def test_a_state_dir_that_cannot_be_told_is_refused_by_name(environ: dict[str, str]) -> None:
    with pytest.raises(RoostError, match="ROOST_STATE_DIR"):
        paths.state_dir(environ)


@pytest.mark.parametrize("name", ["ROOST_STATE_DIR", "XDG_STATE_HOME", "HOME"])
def test_a_directory_that_is_not_utf_8_is_refused(name: str) -> None:
    with pytest.raises(RoostError, match="is not UTF-8: set ROOST_STATE_DIR"):
        paths.state_dir({name: "/s\udcffd"})
    with pytest.raises(RoostError, match="is not UTF-8: set ROOST_RUNTIME_DIR"):
        paths.runtime_dir({"ROOST_RUNTIME_DIR": "/s\udcffd"}, 7)


def test_the_agents_door_lies_in_a_folder_of_its_own() -> None:
    assert paths.agent_socket("/r") == "/r/agent/agent.sock"
    assert paths.operator_socket("/r") == "/r/roostd.sock"

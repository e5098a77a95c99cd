"""Which engine mirrors a job's terminal is configured, and shows nowhere but in speed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.commands import roost
from tests.support.home import Home


@pytest.mark.parametrize(("configured", "engine"), [({}, "pyte"), ({"mirror": "ghostty"}, "ghostty")])
def test_the_configured_engine_mirrors_new_jobs(home: Home, configured: dict[str, str], engine: str) -> None:
    home.write_config(json.dumps(configured))
    try:
        job = roost("run", "-d", "--", "sh", "-c", "printf 'shown\\033[31mred'; exec sleep 600").stdout.strip()
        assert roost("wait", job, "--until", "quiet").returncode == 0
        host = json.loads((home.state / "jobs" / job / "host.json").read_bytes())["pid"]
        assert ("ghostty" in Path(f"/proc/{host}/maps").read_text()) == (engine == "ghostty")
        assert json.loads(roost("screen", job, "--json").stdout)["rows"][0] == "shownred"
    finally:
        home.end_all()

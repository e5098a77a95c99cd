"""The daemon dies at each named point of a run: the command starts another one, and the person sees one job, once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.commands import roost
from tests.support.daemon import Daemon
from tests.support.home import Home


@pytest.mark.parametrize("place", ["accept", "commit", "spawn", "ack"])
def test_a_run_survives_the_daemon(place: str, home: Home) -> None:
    ran = home.work / "ran"
    with Daemon(home, ROOST_TEST_CRASH=place) as daemon:
        done = roost("run", "-d", "-n", "once", "--", "sh", "-c", f"echo x >> {ran}; exec sleep 600")
        assert (done.returncode, done.stderr) == (0, "")
        assert daemon.wait() < 0
        (row,) = json.loads(roost("ls", "--json").stdout)["jobs"]
        assert (row["id"], row["name"], row["ended"]) == (done.stdout.strip(), "once", None)
        assert roost("stop", "once").stdout == "once stopped\n"
        assert Path(ran).read_text() == "x\n"


def test_a_wait_goes_on_with_the_next_daemon(home: Home) -> None:
    with Daemon(home) as daemon:
        roost("run", "-d", "-n", "j", "--", "sh", "-c", "read line; exit 4")
        daemon.kill()
        assert roost("reply", "j", "go").returncode == 0
        done = roost("wait", "j", "--until", "failed", "--timeout", "60")
        assert (done.returncode, done.stdout) == (0, "j failed: exit code 4\n")

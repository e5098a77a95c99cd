"""A real daemon, real hosts, real programs: what a person asks, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.daemon import Daemon
from tests.support.home import Home


@pytest.fixture
def daemon(home: Home) -> Iterator[Daemon]:
    with Daemon(home) as daemon:
        yield daemon


def test_the_daemon_says_who_it_is(daemon: Daemon) -> None:
    status = daemon.operator().ask("daemon.status")
    assert status["pid"] == daemon.process.pid
    assert status["jobs"] == 0
    assert status["sockets"]["operator"] == str(daemon.home.runtime / "roostd.sock")


def test_a_job_runs_to_its_end(daemon: Daemon) -> None:
    operator = daemon.operator()
    job = operator.run("sh", "-c", "echo hello; exit 3")
    assert (job["name"], job["agent"], job["command"]) == ("sh", "generic", ["sh", "-c", "echo hello; exit 3"])
    waited = operator.ask("job.wait", jobs=[job["id"]], until=["done", "failed"])
    assert waited["wanted"]
    (row,) = waited["jobs"]
    assert (row["state"], row["exit_code"]) == ("failed", 3)
    assert "hello" in operator.ask("job.screen", job="sh")["lines"]

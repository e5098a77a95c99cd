"""Jobs that were promised and then cannot be started: each comes to an end that is told, and none is followed by nobody."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from tests.support import processes
from tests.support.daemon import Daemon, Operator, Refused, caller
from tests.support.home import Home
from tests.support.waiting import eventually
from tests.system.test_recovery import disk


@contextmanager
def no_room_for_files(daemon: Daemon) -> Iterator[None]:
    """Lets the daemon open nothing more, as if it had everything open that it may."""
    pid = daemon.process.pid
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    first_free = next(fd for fd in count() if not Path(f"/proc/{pid}/fd/{fd}").is_symlink())
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (first_free, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)


def without_spawner(daemon: Daemon) -> None:
    """Its spawner is gone, and it knows."""
    processes.end({daemon.spawner})
    eventually(lambda: any(line["event"] == "the spawner ended" for line in daemon.log))


def ended(operator: Operator, name: str, state: str) -> str:
    """How a job has ended, once it has."""
    (row,) = operator.ask("job.wait", jobs=[name], until=[state], timeout=20)["jobs"]
    assert row["state"] == state
    detail: str = row["evidence"]["detail"]
    return detail


def test_a_python_that_is_gone_is_told_and_the_job_is_lost(home: Home) -> None:
    python = home.root / "bin" / "python"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    with Daemon(home, str(python), PYTHONPATH=os.pathsep.join(filter(None, sys.path))) as daemon:
        without_spawner(daemon)
        python.unlink()
        operator = daemon.operator()
        with pytest.raises(Refused, match=f"cat could not be started: the spawner cannot be started: {python}: No such") as caught:
            operator.run("cat", name="cat")
        assert caught.value.code == "internal"
        (row,) = operator.ask("job.list")["jobs"]
        assert (row["name"], row["state"]) == ("cat", "lost")
        assert operator.ask("job.stop", job="cat")["state"] == "lost"
        assert operator.ask("job.remove", job="cat") == {}


def test_a_daemon_that_has_no_spawner_serves_all_the_same(home: Home) -> None:
    site = home.root / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text("import sys; sys.executable = '/nonexistent/python'")
    path = os.pathsep.join([str(site), *filter(None, sys.path)])
    with Daemon(home, PYTHONPATH=path, ROOST_DAEMON="1") as daemon:  # with its mark, since it could not start itself anew either
        eventually(lambda: any(line["event"] == "warming the spawner failed" for line in daemon.log))
        operator = daemon.operator()
        with pytest.raises(Refused, match="the spawner cannot be started"):
            operator.run("cat", name="cat")
        assert operator.ask("job.get", job="cat")["state"] == "lost"


def test_a_job_that_cannot_even_be_given_up_is_given_up_once_there_is_room(daemon: Daemon) -> None:
    without_spawner(daemon)
    operator = daemon.operator()
    with no_room_for_files(daemon):
        with pytest.raises(Refused, match="OSError"):
            operator.run("cat", name="cat")
        stopping = operator.begin("job.stop", job="cat")
    assert operator.answer(stopping)["state"] == "stopped"
    (row,) = operator.ask("job.list")["jobs"]
    assert (daemon.home.state / "jobs" / row["id"] / "exit.json").exists()
    assert operator.run("true", name="next")["name"] == "next"


@pytest.fixture
def promised(home: Home) -> Iterator[Daemon]:
    """A daemon that has found a promise of the one before: `cat`, which only its client's coming again starts."""
    with Daemon(home, ROOST_TEST_CRASH="commit") as daemon:
        daemon.operator().begin("job.run", "r", args=["cat"], **caller())
        daemon.wait()
        daemon.restart()
        yield daemon


@pytest.mark.parametrize("told", ["stopped", "refused"])
def test_a_reply_to_a_job_that_never_starts_is_refused(told: str, promised: Daemon) -> None:
    operator = promised.operator()
    reply = operator.begin("job.reply", "reply", job="cat", text="hello", timeout=30)
    other = promised.operator()
    eventually(lambda: "job.reply" in [event["kind"] for event in other.items("event.subscribe")], "the reply's promise")
    if told == "stopped":
        assert other.ask("job.stop", job="cat")["state"] == "stopped"
    else:
        with pytest.raises(Refused):
            other.run("cat", request_id="r", cwd="/nonexistent")
    outcome = operator.answer(reply)
    assert (outcome["outcome"], outcome["why"]) == ("refused", "the job ended before it was typed")


def test_a_promise_that_cannot_be_kept_for_want_of_room_ends_once_there_is_some(promised: Daemon) -> None:
    operator = promised.operator()
    disk(promised, full=True)
    with pytest.raises(Refused, match="make room in") as caught:
        operator.run("cat", request_id="r")
    assert caught.value.code == "full"
    disk(promised, full=False)
    assert "make room in" in ended(operator, "cat", "lost")

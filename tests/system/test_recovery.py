"""The daemon killed at each named place, and what the next one makes of it."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.support import processes
from tests.support.daemon import Daemon, Message, Operator, Refused, caller, enter_through
from tests.support.home import Home
from tests.support.waiting import eventually


def state_of(operator: Operator, job: str) -> str:
    state: str = operator.ask("job.get", job=job)["state"]
    return state


def numbers(operator: Operator) -> list[int]:
    return [event["seq"] for event in operator.items("event.subscribe", since=0)]


def test_a_killed_daemon_finds_its_jobs_again(daemon: Daemon) -> None:
    operator = daemon.operator()
    live = operator.run("sh", "-c", "read line; exit 4", name="live")
    away = operator.run("sh", "-c", "read line; exit 5", name="away")
    socket = operator.ask("job.attach", job="away")["socket"]
    daemon.kill()
    enter_through(socket)
    eventually((daemon.home.state / "jobs" / away["id"] / "exit.json").exists)
    daemon.restart()
    operator = daemon.operator()
    (row,) = operator.ask("job.wait", jobs=["away"], until=["failed"], timeout=20)["jobs"]
    assert (row["id"], row["exit_code"]) == (away["id"], 5)
    assert operator.ask("job.reply", job="live", text="go")["outcome"] in ("submitted", "typed")
    (row,) = operator.ask("job.wait", jobs=["live"], until=["failed"], timeout=20)["jobs"]
    assert (row["id"], row["exit_code"]) == (live["id"], 4)
    seen = numbers(operator)
    assert seen == list(range(1, len(seen) + 1))


@pytest.mark.parametrize("place", ["accept", "commit", "spawn", "ack"])
def test_a_run_survives_a_kill_at_every_place(home: Home, place: str) -> None:
    with Daemon(home, ROOST_TEST_CRASH=place) as daemon:
        operator = daemon.operator()
        with pytest.raises(ConnectionResetError):
            operator.run("sh", "-c", "echo ran >> log; exit 3", name="one", request_id="r", cwd=str(home.work))
        assert daemon.wait() == -signal.SIGKILL
        daemon.restart()
        operator = daemon.operator()
        job = operator.run("sh", "-c", "echo ran >> log; exit 3", name="one", request_id="r", cwd=str(home.work))
        (row,) = operator.ask("job.wait", jobs=[job["id"]], until=["failed"], timeout=20)["jobs"]
        assert (row["state"], row["exit_code"]) == ("failed", 3)
        assert (home.work / "log").read_text() == "ran\n"
        assert [row["id"] for row in operator.ask("job.list", all=True)["jobs"]] == [job["id"]]
        assert [path.name for path in (home.state / "jobs").iterdir()] == [job["id"]]
        events = list(operator.items("event.subscribe", since=0))
        assert [event["kind"] for event in events].count("job.created") == 1
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))


def test_whoever_asks_a_new_daemon_first_hears_how_things_are_now(daemon: Daemon) -> None:
    operator = daemon.operator()
    jobs = [operator.run("sh", "-c", f"read line; exit {code}") for code in (3, 4, 5)]
    sockets = [operator.ask("job.attach", job=job["id"])["socket"] for job in jobs]
    daemon.kill()
    for job, path in zip(jobs, sockets, strict=True):
        enter_through(path)
        eventually((daemon.home.state / "jobs" / job["id"] / "exit.json").exists)
    daemon.restart()
    rows = daemon.operator().ask("job.list")["jobs"]
    assert [(row["state"], row["exit_code"]) for row in rows] == [("failed", 3), ("failed", 4), ("failed", 5)]


def test_a_run_whose_answer_was_lost_is_answered_by_the_next_daemon_though_nothing_new_is_said(daemon: Daemon) -> None:
    """Its first status is durable and acked: the host does not say it again."""
    operator = daemon.operator()
    job = operator.run("sleep", "600", request_id="once")
    operator.ask("job.wait", jobs=[job["id"]], until=["quiet"], timeout=20)
    daemon.kill()
    daemon.restart()
    again = daemon.operator().run("sleep", "600", request_id="once")
    assert (again["id"], again["state"]) == (job["id"], "quiet")


def test_a_kill_while_it_adopts_is_one_more_adoption(daemon: Daemon) -> None:
    operator = daemon.operator()
    job = operator.run("cat", name="cat")
    daemon.kill()
    daemon.restart(ROOST_TEST_CRASH="adopt")
    assert daemon.wait() == -signal.SIGKILL
    daemon.restart()
    operator = daemon.operator()
    assert operator.ask("job.stop", job="cat")["state"] == "stopped"
    assert operator.ask("job.get", job="cat")["id"] == job["id"]


def test_a_job_whose_client_never_comes_again_is_lost(home: Home) -> None:
    with Daemon(home, ROOST_TEST_CRASH="commit") as daemon:
        operator = daemon.operator()
        number = operator.begin("job.run", "r", args=["cat"], **caller())
        with pytest.raises(ConnectionResetError):
            operator.answer(number)
        daemon.wait()
        daemon.restart()
        operator = daemon.operator()
        (row,) = operator.ask("job.wait", jobs=["cat"], until=["lost"], timeout=30)["jobs"]
        assert row["evidence"]["detail"] == "the daemon died before it could start"
        assert (home.state / "jobs" / row["id"] / "exit.json").exists()


def test_a_promised_job_can_be_stopped_before_it_starts(home: Home) -> None:
    with Daemon(home, ROOST_TEST_CRASH="commit") as daemon:
        operator = daemon.operator()
        operator.begin("job.run", "r", args=["cat"], **caller())
        daemon.wait()
        daemon.restart()
        operator = daemon.operator()
        assert operator.ask("job.stop", job="cat")["state"] == "stopped"
        assert operator.run("cat", request_id="r")["state"] == "stopped"


def test_a_wish_to_stop_outlives_the_daemon(daemon: Daemon) -> None:
    operator = daemon.operator()
    script = "trap 'test -f allowed && exit 0' TERM HUP; touch up; while :; do sleep 0.1; done"
    job = operator.run("sh", "-c", script, name="slow", cwd=str(daemon.home.work))
    eventually((daemon.home.work / "up").exists)
    operator.begin("job.stop", "s", job="slow")
    eventually(lambda: stop_is_durable(daemon, job["id"]))
    daemon.kill()
    daemon.restart()
    (daemon.home.work / "allowed").touch()
    assert daemon.operator().ask("job.stop", "s", job="slow")["state"] == "stopped"


def stop_is_durable(daemon: Daemon, job: str) -> bool:
    connection = sqlite3.connect(daemon.home.state / "roostd.db")
    try:
        (raw,) = connection.execute("SELECT record FROM jobs WHERE id = ?", (job,)).fetchone()
    finally:
        connection.close()
    return bool(json.loads(raw)["stop"] == "asked")


def test_a_host_that_died_with_the_daemon_is_lost(daemon: Daemon) -> None:
    job = daemon.operator().run("sh", "-c", "setsid sleep 600 & cat", name="cat")
    daemon.kill()
    processes.end([daemon.host(job["id"])["pid"]])
    daemon.restart()
    operator = daemon.operator()
    operator.ask("job.wait", jobs=["cat"], until=["lost"], timeout=20)
    eventually(lambda: not processes.with_environ("ROOST_JOB_ID", job["id"]))


def test_what_a_lost_job_left_running_is_ended_whenever_the_daemon_dies(daemon: Daemon) -> None:
    job = daemon.operator().run("sh", "-c", "setsid sleep 600 & cat", name="cat")
    daemon.kill()
    processes.end([daemon.host(job["id"])["pid"]])
    with suppress(AssertionError):  # It may die before it is ready.
        daemon.restart(ROOST_TEST_CRASH="end")
    assert daemon.wait() == -signal.SIGKILL
    daemon.restart()
    assert state_of(daemon.operator(), "cat") == "lost"
    assert not processes.with_environ("ROOST_JOB_ID", job["id"])


def test_leftovers_of_no_job_are_removed(daemon: Daemon) -> None:
    daemon.kill()
    stray = daemon.home.state / "jobs" / "deadbeef"
    stray.mkdir()
    (stray / "exit.json").write_text("{}")
    (daemon.home.state / "jobs" / "a-file").touch()
    daemon.restart()
    assert daemon.operator().ask("job.list", all=True) == {"jobs": []}
    assert not stray.exists()


def test_a_live_host_without_a_record_is_taken_up(daemon: Daemon) -> None:
    job = daemon.operator().run("cat", name="cat")
    daemon.kill()
    for path in daemon.home.state.glob("roostd.db*"):
        path.unlink()
    daemon.restart()
    operator = daemon.operator()
    (row,) = operator.ask("job.list")["jobs"]
    assert (row["id"], row["name"], row["command"], row["cwd"]) == (job["id"], "cat", ["cat"], job["cwd"])
    assert operator.ask("job.stop", job=job["id"])["state"] == "stopped"


def test_a_daemon_that_ends_lets_jobs_run(daemon: Daemon) -> None:
    job = daemon.operator().run("cat", name="cat")
    assert daemon.operator().ask("daemon.stop") == {}
    assert daemon.wait() == 0
    assert processes.alive(daemon.host(job["id"])["pid"])
    assert not (daemon.home.runtime / "roostd.sock").exists()
    daemon.restart()
    assert daemon.operator().ask("job.stop", job="cat")["state"] == "stopped"


def test_swept_sockets_come_back(daemon: Daemon) -> None:
    operator = daemon.operator()
    job: Message = operator.run("cat", name="cat")
    host = daemon.host(job["id"])["socket"]
    for path in sorted(daemon.home.runtime.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    daemon.home.runtime.rmdir()
    daemon.process.send_signal(signal.SIGUSR1)
    eventually((daemon.home.runtime / "roostd.sock").exists)
    assert state_of(operator, "cat") != "lost"
    assert not could_be_swept(daemon.home.runtime)
    assert daemon.operator().ask("job.attach", job="cat")["socket"] == host
    daemon.agent().send({"type": "bye"})
    assert daemon.operator().ask("job.stop", job="cat")["state"] == "stopped"


def could_be_swept(folder: Path) -> bool:
    """Whether what sweeps temporary folders would take this one: it leaves what is locked (systemd-tmpfiles(8))."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(fd)
    return True


def disk(daemon: Daemon, full: bool) -> None:
    """Lets nothing be written to the jobs' table, as on a full disk; or lets it again."""
    trigger = "CREATE TRIGGER full_{0} BEFORE {0} ON jobs BEGIN SELECT raise(ABORT, 'database or disk is full'); END"
    with closing(sqlite3.connect(daemon.home.state / "roostd.db", isolation_level=None)) as connection:
        connection.execute(trigger.format("INSERT") if full else "DROP TRIGGER full_INSERT")


def test_a_full_disk_is_refused_and_forgotten_once_there_is_room(daemon: Daemon) -> None:
    operator = daemon.operator()
    job = operator.run("sh", "-c", "read line; exit 3", name="before")
    disk(daemon, full=True)
    for verb, params in (
        ("job.run", {"args": ["cat"], **caller()}),
        ("job.rename", {"job": "before", "name": "after"}),
        ("job.reply", {"job": "before", "text": "lost"}),
    ):
        with pytest.raises(Refused, match="make room in") as caught:
            operator.ask(verb, **params)
        assert caught.value.code == "full"
    assert [row["name"] for row in operator.ask("job.list", all=True)["jobs"]] == ["before"]
    assert [path.name for path in (daemon.home.state / "jobs").iterdir()] == [job["id"]]
    enter_through(operator.ask("job.attach", job="before")["socket"])
    eventually((daemon.home.state / "jobs" / job["id"] / "exit.json").exists)
    assert state_of(operator, "before") != "failed"
    disk(daemon, full=False)
    (row,) = operator.ask("job.wait", jobs=["before"], until=["failed"], timeout=20)["jobs"]
    assert row["exit_code"] == 3
    assert operator.ask("job.rename", job="before", name="after")["name"] == "after"
    seen = numbers(operator)
    assert seen == list(range(1, len(seen) + 1))


def test_what_fills_the_disk_can_be_ended(daemon: Daemon) -> None:
    operator = daemon.operator()
    job = operator.run("cat", name="filler")
    disk(daemon, full=True)
    with pytest.raises(Refused, match="it was told to end") as caught:
        operator.ask("job.stop", job="filler")
    assert caught.value.code == "full"
    eventually((daemon.home.state / "jobs" / job["id"] / "exit.json").exists)
    disk(daemon, full=False)
    operator.ask("job.wait", jobs=["filler"], until=["stopped"], timeout=20)
    assert state_of(operator, "filler") == "stopped"


def test_all_jobs_are_told_to_end_on_a_full_disk_and_that_is_said(daemon: Daemon) -> None:
    operator = daemon.operator()
    jobs = [operator.run("cat", name=name)["id"] for name in ("one", "two")]
    disk(daemon, full=True)
    with pytest.raises(Refused, match="it was told to end") as caught:
        operator.ask("daemon.stop", jobs=True)
    assert caught.value.code == "full"
    for job in jobs:
        eventually((daemon.home.state / "jobs" / job / "exit.json").exists)
    disk(daemon, full=False)
    assert operator.ask("daemon.stop", jobs=True) == {}
    assert daemon.wait() == 0


def test_a_store_that_is_none_is_one_clear_line(daemon: Daemon) -> None:
    daemon.kill()
    for path in daemon.home.state.glob("roostd.db*"):
        path.unlink()
    (daemon.home.state / "roostd.db").write_bytes(b"no database" * 1000)
    with pytest.raises(AssertionError, match=r"roostd\.db cannot be opened \(file is not a database\)"):
        daemon.restart()

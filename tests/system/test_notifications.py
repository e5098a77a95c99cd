"""Who is told what, when and how often: a real daemon, real jobs, and a notifier that writes down what it is given."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.support import processes
from tests.support.daemon import Daemon, Message, Operator, Wire, enter_through
from tests.support.home import Home
from tests.support.waiting import eventually

AGENT = r"""
printf '> '
while read line; do
    printf '\033[2J\033[H'
    case $line in
        ask) printf 'Run it? ' ;;
        ring) printf '\033]9;look here\007\n> ' ;;
        *) printf 'fine\n> ' ;;
    esac
done
exit 3
"""
PROFILE = {"command": ["sh", "-c", AGENT], "waiting": r"^Run it\? ?\Z", "idle": r"^> ?\Z", "settle": 0.5}


class Notified:
    """What the notifier of a home was given."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.file = home.root / "told"

    def configure(self, **notify: Any) -> None:
        command = ["sh", "-c", 'line=$(cat); env > "$0.env"; printf "%s\\n" "$line" >> "$0"', str(self.file)]
        document = {"agentProfiles": {"agent": PROFILE}, "notify": {"command": command, "cooldown": 0, **notify}}
        self.home.write_config(json.dumps(document))

    @property
    def all(self) -> list[Message]:
        return [json.loads(line) for line in self.file.read_text().splitlines()] if self.file.exists() else []

    def of(self, job: str) -> list[str]:
        return [told["what"] for told in self.all if told["job"]["name"] == job]

    def expect(self, count: int) -> list[Message]:
        """Waits until so much was told in all; more is a failure."""
        eventually(lambda: len(self.all) >= count, f"{count} notifications")
        assert len(self.all) == count
        return self.all


@pytest.fixture
def told(home: Home) -> Notified:
    made = Notified(home)
    made.configure()
    return made


@pytest.fixture
def daemon(told: Notified) -> Iterator[Daemon]:
    with Daemon(told.home) as daemon:
        yield daemon


def agent(operator: Operator, name: str) -> str:
    job: str = operator.run(agent="agent", name=name)["id"]
    reached(operator, name, "idle")
    return job


def reached(operator: Operator, job: str, state: str) -> None:
    operator.ask("job.wait", jobs=[job], until=[state], timeout=20)


def say(operator: Operator, job: str, text: str, state: str) -> None:
    operator.ask("job.reply", job=job, text=text, answer=True)
    reached(operator, job, state)


def test_each_transition_is_told_once_with_its_events_number(daemon: Daemon, told: Notified) -> None:
    operator = daemon.operator()
    job = agent(operator, "one")
    before = len(told.all)
    say(operator, "one", "ask", "waiting")
    (first,) = told.expect(before + 1)[before:]
    say(operator, "one", "yes", "idle")
    operator.ask("job.keys", job="one", keys=["ctrl+d"])
    reached(operator, "one", "failed")
    rest = told.expect(before + 3)[before + 1 :]
    assert [(each["what"], each["title"], each["body"]) for each in rest] == [
        ("idle", "one is idle", ">"),
        ("failed", "one failed", "exit code 3"),
    ]
    assert (first["what"], first["job"]["id"], first["job"]["state"]) == ("waiting", job, "waiting")
    events = {event["seq"]: event for event in operator.items("event.subscribe", since=0)}
    assert [events[each["id"]]["data"]["to"] for each in (first, *rest)] == ["waiting", "idle", "failed"]
    assert "_JOB_TOKEN" not in (told.home.root / "told.env").read_text()


def test_a_bell_is_told_and_a_stop_is_not(daemon: Daemon, told: Notified) -> None:
    told.configure(events=["attention", "done", "failed", "lost"])
    operator = daemon.operator()
    agent(operator, "bell")
    say(operator, "bell", "ring", "idle")
    (rang,) = told.expect(1)
    assert (rang["what"], rang["title"], rang["body"]) == ("attention", "bell rang", "look here")
    operator.ask("job.stop", job="bell")
    operator.run("true", name="next")
    told.expect(2)
    assert told.of("next") == ["done"]


def test_a_job_that_is_lost_is_told(daemon: Daemon, told: Notified) -> None:
    operator = daemon.operator()
    job = operator.run("sh", "-c", "read line", name="lost")
    reached(operator, "lost", "quiet")
    os.kill(daemon.host(job["id"])["pid"], signal.SIGKILL)
    told.expect(1)
    assert told.of("lost") == ["lost"]


def test_what_falls_into_the_cooldown_is_told_at_its_end(daemon: Daemon, told: Notified) -> None:
    told.configure(cooldown=2, events=["waiting", "idle", "failed"])
    operator = daemon.operator()
    operator.run(agent="agent", name="busy")
    reached(operator, "busy", "idle")
    say(operator, "busy", "ask", "waiting")
    say(operator, "busy", "yes", "idle")
    operator.ask("job.keys", job="busy", keys=["ctrl+d"])
    eventually(lambda: told.of("busy")[-1:] == ["failed"], "the last of them")
    assert len(told.of("busy")) <= 3


def test_who_looks_at_it_is_not_told(daemon: Daemon, told: Notified) -> None:
    operator = daemon.operator()
    agent(operator, "seen")
    before = len(told.all)
    with attached(operator, "seen"):
        eventually(lambda: operator.ask("job.get", job="seen")["attached"] == 1)
        say(operator, "seen", "ask", "waiting")
        operator.run("true", name="other")
        told.expect(before + 1)
    assert told.of("seen") == ["idle"][:before]


def attached(operator: Operator, job: str) -> Wire:
    wire = Wire(operator.ask("job.attach", job=job)["socket"])
    wire.send({"type": "attach", "protocol": 1, "version": "test", "cols": 80, "rows": 24})
    wire.expect(type="attached")
    return wire


def test_a_terminal_that_shows_another_job_is_rung(daemon: Daemon, told: Notified) -> None:
    operator = daemon.operator()
    agent(operator, "asks")
    operator.run("cat", name="shown")
    with attached(operator, "shown") as terminal:
        eventually(lambda: operator.ask("job.get", job="shown")["attached"] == 1)
        say(operator, "asks", "ask", "waiting")
        seen = bytearray()
        while b"\x07\x07" not in seen:
            seen += terminal.socket.recv(65536)
    assert b"\x1b]9;roost: asks waits for you: Run it?\x07\x07" in seen


def test_a_new_daemon_tells_nothing_that_was_so_before(daemon: Daemon, told: Notified) -> None:
    operator = daemon.operator()
    agent(operator, "before")
    say(operator, "before", "ask", "waiting")
    eventually(lambda: told.of("before")[-1:] == ["waiting"])
    away = operator.run("sh", "-c", "read line; exit 4", name="away")
    socket = operator.ask("job.attach", job="away")["socket"]
    count = len(told.all)
    daemon.kill()
    enter_through(socket)
    eventually((told.home.state / "jobs" / away["id"] / "exit.json").exists)
    daemon.restart()
    operator = daemon.operator()
    reached(operator, "away", "failed")
    operator.run("true", name="after")
    told.expect(count + 1)
    assert told.of("after") == ["done"]
    say(operator, "before", "yes", "idle")
    told.expect(count + 2)


def test_a_daemon_killed_before_it_could_tell_tells_it_never_and_the_next_one_says_so(told: Notified) -> None:
    told.configure(events=["waiting", "done"])
    with Daemon(told.home, ROOST_TEST_CRASH="notify") as daemon:
        operator = daemon.operator()
        job = agent(operator, "untold")
        operator.begin("job.reply", job="untold", text="ask")
        assert daemon.wait() == -signal.SIGKILL
        daemon.restart()
        operator = daemon.operator()
        reached(operator, "untold", "waiting")
        operator.run("true", name="next")
        told.expect(1)
        assert told.of("next") == ["done"]
        assert [line["jobs"] for line in daemon.log if line["event"].startswith("perhaps not notified")] == [[job]]


def test_off_is_off(daemon: Daemon, told: Notified) -> None:
    told.home.write_config(json.dumps({"notify": False}))
    operator = daemon.operator()
    operator.run("true", name="silent")
    reached(operator, "silent", "done")
    operator.ask("daemon.stop")
    daemon.wait()
    told.configure()
    daemon.restart()
    operator = daemon.operator()
    operator.run("true", name="loud")
    told.expect(1)
    assert told.of("loud") == ["done"]


def test_a_notifier_that_fails_or_hangs_harms_nothing_and_is_logged_once(daemon: Daemon, told: Notified) -> None:
    told.configure(command=["sh", "-c", "exit 7"], desktop=["sleep", "600"])
    operator = daemon.operator()
    for number in range(3):
        operator.run("true", name=f"job{number}")
        reached(operator, f"job{number}", "done")
    eventually(lambda: len(hanging(daemon)) == 3, "three that hang")
    told.configure()
    operator.run("true", name="last")
    eventually(lambda: told.of("last") == ["done"], "the one that can be told")
    (said,) = [line for line in daemon.log if "could not be told" in line["event"]]
    assert (said["way"], said["program"], said["why"]) == ("command", "sh", "it exited with 7")
    assert len(hanging(daemon)) == 3


def hanging(daemon: Daemon) -> list[int]:
    return [pid for pid in processes.descendants(daemon.process.pid) if processes.command_of(pid) == "sleep 600"]


def test_a_wrong_configuration_is_said_once(daemon: Daemon, told: Notified) -> None:
    told.home.write_config('{"notify": {"cooldown": "long"}}')
    operator = daemon.operator()
    for number in range(2):
        operator.run("true", name=f"job{number}")
        reached(operator, f"job{number}", "done")
    eventually(lambda: any("configuration is wrong" in line["event"] for line in daemon.log))
    told.configure()
    operator.run("true", name="last")
    eventually(lambda: told.of("last") == ["done"], "the one behind the mistake")
    (said,) = [line for line in daemon.log if "the configuration is wrong" in line["event"]]
    assert said["why"].endswith("notify.cooldown: must be a number of seconds from 0 to 3600")


def test_an_event_that_cannot_be_read_is_not_the_daemon_s_end(daemon: Daemon) -> None:
    spoil = "CREATE TRIGGER spoilt AFTER INSERT ON events BEGIN UPDATE events SET data = x'7b' WHERE seq = new.seq; END"
    with closing(sqlite3.connect(daemon.home.state / "roostd.db", isolation_level=None)) as connection:
        connection.execute(spoil)
    operator = daemon.operator()
    operator.run("true", name="one")
    eventually(lambda: any(line["event"] == "looking for what is to be told failed" for line in daemon.log))
    eventually(lambda: operator.ask("job.get", job="one")["state"] == "done")

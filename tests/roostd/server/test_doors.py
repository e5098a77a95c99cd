"""Both doors as their peers find them: what is let in, what is refused, and that a refusal closes nothing that can go on."""

from __future__ import annotations

import os
import socket
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.daemon import Daemon, Operator, Refused, Wire
from tests.support.home import Home
from tests.support.needs import needs
from tests.support.waiting import eventually


def raw(daemon: Daemon) -> Wire:
    return Wire(daemon.home.runtime / "roostd.sock")


def test_the_sockets_are_this_users_alone(daemon: Daemon) -> None:
    for path in (daemon.home.runtime / "roostd.sock", daemon.home.runtime / "agent" / "agent.sock"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    for path in daemon.home.state.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_hello_and_a_request_may_come_together(daemon: Daemon) -> None:
    with raw(daemon) as wire:
        wire.send_raw(b'{"type":"hello","protocol":7,"peer":{"name":"x"}}\n{"id":1,"verb":"job.list"}\n')
        assert wire.expect(type="hello")["protocol"] == 1
        wire.expect(id=1, ok={"jobs": []})


def test_the_first_line_must_be_a_hello(daemon: Daemon) -> None:
    with raw(daemon) as wire:
        wire.expect(type="hello")
        wire.send({"id": 5, "verb": "job.list"})
        assert wire.expect(id=5)["error"]["code"] == "bad_request"
        assert wire.receive() is None


@pytest.mark.parametrize(
    ("line", "number", "code"),
    [
        (b"not json", 0, "bad_request"),
        (b'{"verb":"job.list"}', 0, "bad_request"),
        (b'{"id":9,"verb":7}', 9, "bad_request"),
        (b'{"id":9,"verb":"job.dance"}', 9, "unsupported"),
        (b'{"id":9,"verb":"job.get"}', 9, "bad_request"),
        (b'{"id":9,"verb":"job.get","params":{"job":""}}', 9, "bad_request"),
        (b'{"id":9,"verb":"job.get","params":[]}', 9, "bad_request"),
        (b'{"id":9,"verb":"job.get","params":{"job":"none"}}', 9, "not_found"),
        (b"\xff\xfe", 0, "bad_request"),
        (b'{"id":9,"verb":"job.get","params":' + b"[" * 100_000, 0, "bad_request"),
        (b'{"x":' * 50_000, 0, "bad_request"),
    ],
)
def test_a_bad_line_is_answered_and_the_next_is_served(daemon: Daemon, line: bytes, number: int, code: str) -> None:
    operator = daemon.operator()
    operator.send_raw(line + b"\n")
    answer = operator.expect(id=number)
    assert answer["error"]["code"] == code
    assert "\n" not in answer["error"]["message"]
    assert operator.ask("job.list") == {"jobs": []}


def test_unknown_fields_are_passed_over(daemon: Daemon) -> None:
    assert daemon.operator().ask("job.list", all=False, later="x") == {"jobs": []}


def test_a_line_over_its_bound_ends_the_connection(daemon: Daemon) -> None:
    operator = daemon.operator()
    operator.send_raw(b"x" * (1024 * 1024 + 1) + b"\n")
    assert operator.expect(id=0)["error"]["code"] == "too_large"
    assert operator.receive() is None


def test_a_slow_request_holds_up_no_other(daemon: Daemon) -> None:
    operator = daemon.operator()
    operator.run("cat", name="cat")
    waiting = operator.begin("job.wait", jobs=["cat"], until=["done", "stopped"])
    assert operator.ask("daemon.status")["jobs"] == 1
    stopping = operator.begin("job.stop", job="cat")
    answers = {message["id"]: message for message in (operator.receive(), operator.receive()) if message}
    assert answers[waiting]["ok"]["wanted"]
    assert answers[stopping]["ok"]["state"] == "stopped"


def test_who_does_not_read_is_cut_off_and_nobody_else(daemon: Daemon) -> None:
    deaf = daemon.operator()
    daemon.operator().run("cat", "x" * 20_000, name="big")
    deaf.send_raw(b'{"id":1,"verb":"job.list"}\n' * 1000)
    assert len(daemon.operator().ask("job.list")["jobs"]) == 1
    heard = []
    while (message := deaf.receive()) is not None:
        heard.append(message)
    assert len(heard) < 1000
    assert heard[-1]["error"]["code"] == "full"


def test_a_client_that_leaves_takes_only_its_waiting_along(daemon: Daemon) -> None:
    leaving = daemon.operator()
    job = leaving.run("cat", name="cat")
    leaving.begin("job.wait", jobs=["cat"], until=["done"])
    leaving.begin("job.stop", job="cat")
    leaving.close()
    operator = daemon.operator()
    assert operator.ask("job.wait", jobs=[job["id"]], until=["stopped"], timeout=20)["wanted"]


def test_another_user_is_refused_at_both_doors(daemon: Daemon) -> None:
    needs("a second uid")
    runtime = daemon.home.runtime
    for folder in (*runtime.parents, runtime, runtime / "agent"):
        if folder.is_relative_to(daemon.home.root.parents[1]):
            folder.chmod(0o755)
    for path in (runtime / "roostd.sock", runtime / "agent" / "agent.sock"):
        path.chmod(0o666)
        said = told_to_another_user(path)
        assert b'"unauthorized"' in said
        assert said.count(b"\n") == 1


def told_to_another_user(path: Path) -> bytes:
    """All that a process of another user gets from this socket. A fork, since that user may not be able to run this Python."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(str(path))
                while data := connection.recv(4096):
                    os.write(writing, data)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


def test_an_idle_daemon_does_not_wake(daemon: Daemon) -> None:
    operator = daemon.operator()
    operator.ask("job.list")
    daemon.agent()
    switches = eventually(lambda: settled_switches(daemon))
    meanwhile(40_000_000)
    assert voluntary_switches(daemon) == switches


def meanwhile(rounds: int) -> None:
    """Another program works for a while: whatever the daemon does by itself in that time, a timer has made it do."""
    subprocess.run([sys.executable, "-c", f"sum(range({rounds}))"], check=True)


def voluntary_switches(daemon: Daemon) -> int:
    tasks = f"/proc/{daemon.process.pid}/task"
    total = 0
    for task in os.listdir(tasks):  # noqa: PTH208
        with open(f"{tasks}/{task}/status") as status:
            total += next(int(line.split()[1]) for line in status if line.startswith("voluntary_ctxt_switches"))
    return total


def settled_switches(daemon: Daemon) -> int:
    before = voluntary_switches(daemon)
    meanwhile(8_000_000)
    return before if voluntary_switches(daemon) == before else 0


def test_a_second_reader_of_events_may_be_slow(daemon: Daemon) -> None:
    slow = daemon.operator()
    slow.begin("event.subscribe", since=0, follow=True)
    operator = daemon.operator()
    for n in range(5):
        operator.run("sh", "-c", "exit 0", name=f"n{n}")
    operator.ask("job.wait", jobs=[f"n{n}" for n in range(5)], until=["done"], timeout=20)
    expected = list(operator.items("event.subscribe", since=0))
    assert [slow.expect(id=1)["item"] for _ in expected] == expected


def test_events_that_are_no_longer_there_say_so(daemon: Daemon, home: Home) -> None:
    operator: Operator = daemon.operator()
    operator.run("sh", "-c", "exit 0", name="one")
    operator.ask("job.wait", jobs=["one"], until=["done"], timeout=20)
    daemon.kill()
    with sqlite3.connect(home.state / "roostd.db") as connection:
        connection.execute("UPDATE events SET at = 1 WHERE seq < (SELECT max(seq) FROM events)")
    connection.close()
    daemon.restart()
    with pytest.raises(Refused, match="the first there is has seq") as caught:
        daemon.operator().ask("event.subscribe", since=0)
    assert caught.value.code == "gone"

"""What goes over the wire, and that a daemon which dies costs nothing but time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from roost import connection
from roost.cli import EXIT_NO_READER, main
from roost.failure import Unreachable
from roost_protocol import agent, host, operator
from roost_protocol.errors import RoostError
from tests.client.fake_daemon import CLOSE, JOB, FakeDaemon
from tests.support.commands import roost_argv
from tests.support.home import Home
from tests.support.needs import needs
from tests.support.waiting import DEADLINE, eventually

Json = dict[str, Any]
NO_CALLER = {"cwd", "caller"}

STATUS = {"pid": 1, "version": "9", "started": 1.0, "jobs": 2, "last_event": 3, "sockets": {"operator": "/o", "agent": "/a"}}
SCREEN = {"job": "0a1b2c3d", "cols": 80, "rows": 24, "lines": ["hello", ""], "title": None}
REPLIED = {"job": "0a1b2c3d", "n": 1, "outcome": "submitted", "why": None}

LINES: list[tuple[list[str], str, type[msgspec.Struct], Json, Json]] = [
    (["ls"], "job.list", operator.JobList, {"all": False}, {"jobs": [JOB]}),
    (["ls", "-a", "--json"], "job.list", operator.JobList, {"all": True}, {"jobs": []}),
    (["run", "-d", "--", "make", "-j8"], "job.run", operator.JobRun, {"agent": None, "args": ["make", "-j8"], "env": []}, JOB),
    (
        ["run", "pi", "-d", "do it", "-n", "x", "--model", "m", "--thinking", "t", "--env", "A=b", "--env", "C", "--", "-v", "--", "-d"],
        "job.run",
        operator.JobRun,
        {"agent": "pi", "args": ["-v", "--", "-d"], "env": ["A=b", "C"], "task": "do it", "model": "m", "thinking": "t", "name": "x"},
        JOB,
    ),
    (["again", "j", "-d"], "job.again", operator.JobAgain, {"job": "j"}, JOB),
    (["resume", "j", "--json"], "job.resume", operator.JobAgain, {"job": "j"}, JOB),
    (["reply", "j", "yes"], "job.reply", operator.JobReply, {"job": "j", "text": "yes"}, REPLIED),
    (["reply", "j", "--", "-1"], "job.reply", operator.JobReply, {"job": "j", "text": "-1"}, REPLIED),
    (["reply", "--answer", "j", "go"], "job.reply", operator.JobReply, {"job": "j", "text": "go", "answer": True}, REPLIED),
    (["reply", "j", "--choice", "2"], "job.reply", operator.JobReply, {"job": "j", "text": "2", "kind": "choice"}, REPLIED),
    (["steer", "j", "mind"], "job.reply", operator.JobReply, {"job": "j", "text": "mind", "kind": "steer"}, REPLIED),
    (["follow-up", "j", "then"], "job.reply", operator.JobReply, {"job": "j", "text": "then", "kind": "follow_up"}, REPLIED),
    (["set-model", "j", "m"], "job.reply", operator.JobReply, {"job": "j", "text": "m", "kind": "set_model"}, REPLIED),
    (
        ["reply", "--wait", "j", "go"],
        "job.reply",
        operator.JobReply,
        {"job": "j", "text": "go", "wait": True},
        {**REPLIED, "settled": "idle"},
    ),
    (["keys", "j", "esc", "ctrl+c"], "job.keys", operator.JobKeys, {"job": "j", "keys": ["esc", "ctrl+c"]}, {}),
    (["screen", "j", "--lines", "9"], "job.screen", operator.JobScreen, {"job": "j", "ansi": False, "lines": 9, "cells": False}, SCREEN),
    (
        ["wait", JOB["id"], JOB["name"], "--until", "done,failed", "--any", "--timeout", "10m"],
        "job.wait",
        operator.JobWait,
        {"jobs": [JOB["id"]], "until": ["done", "failed"], "any": True, "since": 7},
        {"jobs": [JOB], "wanted": True},
    ),
    (["explain", "j"], "job.explain", operator.JobRef, {"job": "j"}, {"job": JOB, "evidence": []}),
    (["stop", "j", "--force"], "job.stop", operator.JobStop, {"job": "j", "force": True}, JOB),
    (["rm", "j", "--stop"], "job.remove", operator.JobRemove, {"job": "j", "stop": True}, {}),
    (["rename", "j", "k"], "job.rename", operator.JobRename, {"job": "j", "name": "k"}, JOB),
    (["daemon", "start"], "daemon.status", msgspec.Struct, {}, STATUS),
    (["daemon", "status"], "daemon.status", msgspec.Struct, {}, STATUS),
]


def fields_of(params: msgspec.Struct) -> set[str]:
    return set(type(params).__struct_fields__)


@pytest.mark.parametrize(
    ("argv", "verb", "struct", "params", "answer"), LINES, ids=lambda value: value[0] if isinstance(value, list) else ""
)
def test_what_a_command_sends_is_what_the_schema_says(
    argv: list[str], verb: str, struct: type[msgspec.Struct], params: Json, answer: Json, home: Home
) -> None:
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.get"] = lambda _: JOB
        daemon.answers[verb] = lambda _: answer
        assert main(argv) == 0
    hello, *_, line = daemon.lines
    assert len(daemon.lines) == (5 if verb == "job.wait" else 2)
    assert msgspec.json.decode(hello, type=operator.Hello).protocol == operator.PROTOCOL
    request = msgspec.json.decode(line, type=operator.Request)
    assert request.verb == verb
    decoded = msgspec.json.decode(request.params, type=struct)
    sent = json.loads(bytes(request.params))
    assert set(sent) <= fields_of(decoded)
    assert {key: value for key, value in sent.items() if key not in NO_CALLER} == params
    assert (request.request_id is not None) == (verb in connection.CHANGES)


def test_the_caller_is_what_the_schema_says(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home.work)
    monkeypatch.setenv("FROM_HERE", "ünï")
    os.environb[b"RAW\xff"] = b"\xfe"
    try:
        with FakeDaemon(home.runtime / "roostd.sock") as daemon:
            daemon.answers["job.run"] = lambda _: JOB
            assert main(["run", "-d", "--cwd", "sub/..", "--", "true"]) == 0
    finally:
        del os.environb[b"RAW\xff"]
    run = msgspec.json.decode(msgspec.json.decode(daemon.lines[1], type=operator.Request).params, type=operator.JobRun)
    assert run.cwd == str(home.work)
    assert run.caller.environ["FROM_HERE"] == "ünï"
    assert run.caller.environ_raw == {"UkFX/w==": "/g=="}
    umask = os.umask(0)
    os.umask(umask)
    assert run.caller.umask == umask
    assert run.caller.limits["RLIMIT_NOFILE"] > 0
    assert {"environ", "environ_raw", "umask", "limits", "cols", "rows"} == set(json.loads(daemon.lines[1])["params"]["caller"])


def test_the_protocols_are_those_of_the_schema() -> None:
    from roost import agents_door
    from roost.attach import loop, session

    assert (connection.PROTOCOL, agents_door.PROTOCOL, session.PROTOCOL) == (operator.PROTOCOL, agent.PROTOCOL, host.PROTOCOL)
    kinds = (host.OUTPUT, host.REPAINT, host.ENDED, host.INPUT, host.RESIZE)
    assert kinds == (loop.OUTPUT, loop.REPAINT, loop.ENDED, loop.INPUT, loop.RESIZE)


def dies_first(times: int, answer: Json) -> Callable[[Json], object]:
    """Closes the connection so many times instead of answering."""
    left = [times]

    def reply(_: Json) -> object:
        left[0] -= 1
        return CLOSE if left[0] >= 0 else answer

    return reply


def test_a_lost_request_is_sent_again_with_the_same_id(home: Home) -> None:
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.reply"] = dies_first(2, REPLIED)
        assert main(["reply", "j", "yes"]) == 0
    assert len(daemon.requests) == 3
    assert len({request["request_id"] for request in daemon.requests}) == 1


@pytest.mark.parametrize(
    ("outcome", "why", "line"),
    [
        ("submitted", None, "submitted"),
        ("delivered", None, "delivered: the agent has taken it"),
        ("typed", None, "typed, but the terminal has not reacted; look with `roost screen`"),
        ("pending", None, "pending: kept, and delivered as soon as the agent takes it"),
        ("refused", "a dialog\x1b is open", "refused: a dialog is open"),
    ],
)
def test_what_became_of_a_reply_is_said_once(
    outcome: str, why: str | None, line: str, home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.reply"] = lambda _: {**REPLIED, "outcome": outcome, "why": why}
        assert main(["reply", "j", "yes"]) == (1 if outcome in ("typed", "pending", "refused") else 0)
    assert capsys.readouterr().out == f"{line}\n"


@pytest.mark.parametrize(("options", "seconds"), [([], 30.0), (["--timeout", "2m"], 120.0), (["--timeout", "0"], 0.0)])
def test_a_reply_is_waited_for_so_long_and_no_longer(options: list[str], seconds: float, home: Home) -> None:
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.reply"] = lambda _: REPLIED
        assert main(["reply", "j", "yes", *options]) == 0
    assert seconds - DEADLINE <= daemon.requests[0]["timeout"] <= seconds


def test_two_requests_have_two_ids(home: Home) -> None:
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.reply"] = lambda _: REPLIED
        assert [main(["reply", "j", "yes"]), main(["reply", "j", "yes"])] == [0, 0]
    assert len({request["request_id"] for request in daemon.requests}) == 2


def test_of_several_requests_only_the_unanswered_are_sent_again(home: Home) -> None:
    dying = dies_first(1, JOB)
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.stop"] = lambda request: JOB if request["params"]["job"] == "a" else dying(request)
        assert main(["stop", "a", "b"]) == 0
    assert [request["params"]["job"] for request in daemon.requests] == ["a", "b", "b"]


def test_what_is_left_of_a_deadline_is_sent_again(home: Home) -> None:
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.get"] = lambda _: JOB
        daemon.answers["job.wait"] = dies_first(1, {"jobs": [JOB], "wanted": False})
        assert main(["wait", "j", "--timeout", "1h"]) == 1
    first, second = (request["timeout"] for request in daemon.requests if request["verb"] == "job.wait")
    assert 0 < second < first <= 3600


def test_who_is_waited_for_is_settled_when_the_waiting_begins(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    other = {**JOB, "id": "ffffffff", "name": "other"}
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.get"] = lambda request: other if request["params"]["job"] == "other" else JOB
        daemon.answers["job.wait"] = dies_first(2, {"jobs": [JOB, other], "wanted": True})
        assert main(["wait", "fix-login", "other", "0a1b"]) == 0
    assert daemon.verbs() == ["daemon.status"] + ["job.get"] * 3 + ["job.wait"] * 3
    assert [request["params"]["since"] for request in daemon.requests[4:]] == [7] * 3
    assert [request["params"]["jobs"] for request in daemon.requests[4:]] == [["0a1b2c3d", "ffffffff"]] * 3
    assert capsys.readouterr().out == "fix-login working\nother working\n"


def test_who_is_not_there_is_not_waited_for(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    missing = [{"error": {"code": "not_found", "message": "there is no job b"}}]
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.get"] = lambda request: missing if request["params"]["job"] == "b" else JOB
        assert main(["wait", "a", "b"]) == 3
    assert daemon.verbs() == ["daemon.status", "job.get", "job.get"]
    assert capsys.readouterr() == ("", "roost: there is no job b\n")


def test_who_is_waited_for_in_vain_is_said(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    rows = {
        "a": {**JOB, "id": "a", "name": "first", "state": "working"},
        "b": {**JOB, "id": "b", "name": None, "state": "quiet"},
        "c": {**JOB, "id": "c", "state": "idle"},
    }
    late = [{"error": {"code": "timeout", "message": "job.wait was not done in time"}}]

    def waited(request: Json) -> object:
        return {"jobs": [rows["c"]], "wanted": True} if request["params"]["jobs"] == ["c"] and request["timeout"] == 0 else late

    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.wait"] = waited
        daemon.answers["job.get"] = lambda request: rows[request["params"]["job"]]
        assert main(["wait", "a", "b", "c", "a", "--timeout", "1"]) == 124
        assert capsys.readouterr() == ("", "roost: first is still working, b is still quiet after 1s\n")
        assert main(["wait", "c", "c", "--timeout", "10m"]) == 124
        assert capsys.readouterr() == ("", "roost: the time (10m) was over first\n")


@pytest.mark.parametrize(
    ("argv", "verb"),
    [
        (["ls"], "job.list"),
        (["events"], "job.list"),
        (["wait", "j"], "job.get"),
        (["reply", "j", "x"], "job.reply"),
        (["screen", "j"], "job.screen"),
        (["explain", "j"], "job.explain"),
        (["daemon", "status"], "daemon.status"),
    ],
)
def test_a_deadline_of_our_own_is_said_in_a_person_s_words(
    argv: list[str], verb: str, home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers[verb] = lambda _: [{"error": {"code": "timeout", "message": f"{verb} was not done in time"}}]
        assert main(argv) == 124
    assert capsys.readouterr() == ("", "roost: the daemon did not answer in time; see `roost daemon logs`\n")


@pytest.mark.parametrize(("argv", "verb"), [(["ls", "--watch"], "job.watch"), (["events", "-f", "--since", "0"], "event.subscribe")])
@pytest.mark.parametrize("kind", ["pipe", "terminal"])
def test_who_follows_ends_with_its_reader(kind: str, argv: list[str], verb: str, home: Home) -> None:
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.list"] = lambda _: {"jobs": [JOB]}
        daemon.answers[verb] = lambda _: []
        reading, writing = os.pipe() if kind == "pipe" else os.openpty()
        with subprocess.Popen(roost_argv(*argv), stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.PIPE) as following:
            os.close(writing)
            try:
                eventually(lambda: verb in daemon.verbs(), "the subscription")
                os.close(reading)
                assert following.wait(DEADLINE) != 0
            finally:
                following.kill()
            assert following.stderr is not None
            assert kind == "terminal" or (following.returncode, following.stderr.read()) == (EXIT_NO_READER, b"")


def test_a_daemon_that_keeps_no_deadline_is_not_waited_for(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "GRACE", 0.0)
    with FakeDaemon(home.runtime / "roostd.sock") as daemon, connection.Daemon(os.environ) as asking:
        daemon.answers["job.wait"] = lambda _: []
        with pytest.raises(RoostError, match="the daemon did not answer in time; see `roost daemon logs`") as caught:
            asking.ask("job.wait", {"jobs": ["j"]}, timeout=0.0)
    assert caught.value.code == "timeout"


def test_a_daemon_that_dies_of_every_request_is_given_up(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "RESEND_FOR", 0.0)
    with FakeDaemon(home.runtime / "roostd.sock") as daemon, connection.Daemon(os.environ) as asking:
        daemon.answers["job.list"] = lambda _: CLOSE
        with pytest.raises(Unreachable, match="went away each time"):
            asking.ask("job.list")


LIVED, RESEND_FOR = connection.LIVED, connection.RESEND_FOR


def losses(*greeted_and_lost: tuple[float | None, float]) -> None:
    patience = connection.Patience()
    for greeted, now in greeted_and_lost:
        patience.lost(greeted, now)


def test_a_daemon_that_has_served_may_be_lost_again() -> None:
    losses((0.0, 0.0), *((at - LIVED - 1, at) for at in (RESEND_FOR + 1, 2 * RESEND_FOR + 2, 9 * RESEND_FOR)))
    losses((None, 0.0), (1.0, RESEND_FOR + 1), (None, 2 * RESEND_FOR), (2 * RESEND_FOR, 2 * RESEND_FOR + 1))


@pytest.mark.parametrize("greeted", [None, RESEND_FOR + 1 - LIVED, RESEND_FOR + 1])
def test_a_daemon_that_has_not_served_is_given_up_after_a_while(greeted: float | None) -> None:
    losses((0.0, 0.0), (greeted, RESEND_FOR))
    with pytest.raises(Unreachable, match="went away each time"):
        losses((0.0, 0.0), (greeted, RESEND_FOR + 1))


def test_who_follows_outlives_any_number_of_daemons_that_have_served(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "RESEND_FOR", 0.0)
    monkeypatch.setattr(connection, "LIVED", -1.0)  # Every daemon that has greeted us has served.
    item: Json = {"item": {"jobs": []}}
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.watch"] = lambda _: cut(daemon, [item]) if len(daemon.requests) < 5 else [item, {"ok": {}}]
        assert main(["ls", "--watch", "--json"]) == 0
    assert len(daemon.requests) == 5


def test_a_subscription_goes_on_behind_what_came(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    def event(seq: int) -> Json:
        return {"item": {"seq": seq, "at": 0.0, "kind": "job.state", "job": "a", "data": {}}}

    def replies(request: Json) -> object:
        since = request["params"]["since"]
        return [event(since + 1), event(since + 2), *([{"ok": {}}] if since == 9 else [])]

    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["event.subscribe"] = lambda request: cut(daemon, replies(request))
        assert main(["events", "-f", "--json", "--since", "5"]) == 0
    assert [json.loads(line)["seq"] for line in capsys.readouterr().out.splitlines()] == [6, 7, 8, 9, 10, 11]
    assert [request["params"] for request in daemon.requests] == [{"since": since, "follow": True} for since in (5, 7, 9)]
    for request in daemon.requests:
        msgspec.convert(request["params"], operator.EventSubscribe)


def test_a_person_reads_the_names_of_jobs_beside_their_ids(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    events = [("0a1b2c3d", "job.state", {"to": "idle"}), ("0a1b2c3d", "job.renamed", {"from": "fix-login", "to": "x"})]
    items = [{"item": {"seq": n, "at": 0.0, "kind": kind, "job": job, "data": data}} for n, (job, kind, data) in enumerate(events, 1)]
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.list"] = lambda _: {"jobs": [JOB]}
        daemon.answers["event.subscribe"] = lambda _: [*items, {"ok": {}}]
        assert main(["events"]) == 0
    assert daemon.requests[0]["params"] == {"all": True}
    assert [line.split()[3:6] for line in capsys.readouterr().out.splitlines()] == [
        ["0a1b2c3d", "fix-login", "job.state"],
        ["0a1b2c3d", "x", "job.renamed"],
    ]


def cut(daemon: FakeDaemon, replies: object) -> object:
    """Answers, and ends the connection unless the subscription has ended by itself."""
    if isinstance(replies, list) and "ok" not in replies[-1]:
        daemon.cut_after_answer = True
    return replies


def test_changes_of_the_list_are_printed_as_they_come(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.watch"] = lambda _: [{"item": {"jobs": [JOB]}}, {"item": {"jobs": []}}, {"ok": {}}]
        assert main(["ls", "--watch", "--json"]) == 0
        assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [{"jobs": [JOB]}, {"jobs": []}]
        assert main(["ls", "--watch"]) == 0
    blocks = capsys.readouterr().out.split("\n\n")
    assert [len(block.splitlines()) for block in blocks] == [2, 1]
    msgspec.convert(daemon.requests[0]["params"], operator.JobWatch)


@pytest.mark.parametrize(
    ("hello", "message"),
    [
        (
            {"type": "hello", "protocol": 0, "peer": {"name": "roostd", "version": "0.0"}},
            "the daemon (version 0.0) speaks operator protocol 0",
        ),
        ({"type": "hello"}, "the daemon (version unknown) speaks operator protocol None"),
        ({"error": {"code": "unauthorized", "message": "not your daemon"}}, "not your daemon"),
    ],
)
def test_a_daemon_that_does_not_fit_is_said_in_one_line(hello: Json, message: str, home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeDaemon(home.runtime / "roostd.sock", hello=hello) as daemon:
        daemon.answers["job.list"] = lambda _: {"jobs": []}
        assert main(["ls"]) in (1, 4)
    err = capsys.readouterr().err
    assert err.startswith(f"roost: {message}")
    assert err.count("\n") == 1


def test_a_newer_daemon_is_spoken_to_in_our_protocol(home: Home) -> None:
    hello = {"type": "hello", "protocol": 7, "peer": {"name": "roostd", "version": "9"}, "new": 1}
    with FakeDaemon(home.runtime / "roostd.sock", hello=hello) as daemon:
        daemon.answers["job.list"] = lambda _: {"jobs": [], "new": 2}
        assert main(["ls", "--json"]) == 0


def test_a_socket_of_another_user_is_refused(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    needs("a second uid")
    path = home.runtime / "roostd.sock"
    home.runtime.mkdir()
    for folder in (home.runtime, home.root, home.root.parent, home.root.parent.parent):
        folder.chmod(0o777)
    server = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print(flush=True); s.accept()"
    argv = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", python_for_everybody(), "-c", server, str(path)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            assert main(["ls"]) == 4
        finally:
            process.kill()
            path.unlink()
    assert capsys.readouterr().err.startswith(f"roost: the socket {path} belongs to user 65534, not to you: refused")
    assert not home.state.exists()


def python_for_everybody() -> str:
    """An interpreter that another user can read too: a virtual environment's own may lie in a private folder."""
    return str(Path(sys.executable).resolve())

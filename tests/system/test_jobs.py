"""A real daemon, real hosts, real programs: what a person asks, and what comes of it."""

from __future__ import annotations

import base64
import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support import processes
from tests.support.commands import roost
from tests.support.daemon import Daemon, Message, Operator, Refused, caller
from tests.support.home import Home
from tests.support.waiting import eventually


def ended(operator: Operator, job: str) -> Message:
    (row,) = operator.ask("job.wait", jobs=[job], until=["done", "failed", "stopped", "lost"], timeout=20)["jobs"]
    found: Message = row
    return found


def test_the_daemon_says_who_it_is(daemon: Daemon) -> None:
    status = daemon.operator().ask("daemon.status")
    assert status["pid"] == daemon.process.pid
    assert status["jobs"] == 0
    assert status["sockets"]["operator"] == str(daemon.home.runtime / "roostd.sock")


def test_a_job_runs_to_its_end(operator: Operator) -> None:
    job = operator.run("sh", "-c", "echo hello; exit 3")
    assert (job["name"], job["agent"], job["command"]) == ("sh", "generic", ["sh", "-c", "echo hello; exit 3"])
    row = ended(operator, job["id"])
    assert (row["state"], row["exit_code"], row["exit_signal"]) == ("failed", 3, None)
    assert "hello" in operator.ask("job.screen", job="sh")["lines"]
    attach = operator.ask("job.attach", job="sh")
    assert attach["socket"] is None
    assert b"hello" in base64.b64decode(attach["screen"])
    assert operator.ask("job.get", job="sh")["seen"] is True
    assert operator.ask("daemon.status")["jobs"] == 0


def test_a_live_job_is_listed_explained_answered_and_stopped(daemon: Daemon, operator: Operator) -> None:
    job = operator.run("sh", "-c", "read line; echo got $line; read more", name="asker")
    assert operator.ask("job.attach", job="asker")["socket"] == daemon.host(job["id"])["socket"]
    reply = operator.ask("job.reply", job="asker", text="apples", request_id="r1")
    assert (reply["n"], reply["outcome"]) == (1, "submitted")
    assert operator.ask("job.reply", job="asker", text="apples", request_id="r1") == reply
    assert operator.ask("job.reply", job="asker", text="pears", request_id="r2")["n"] == 2
    row = ended(operator, "asker")
    lines = operator.ask("job.screen", job="asker")["lines"]
    assert [line for line in lines if line.startswith("got")] == ["got apples"]
    assert row["state"] == "done"
    with pytest.raises(Refused, match="the job has ended"):
        operator.ask("job.reply", job="asker", text="late")


def test_explain_names_what_left_the_session(operator: Operator) -> None:
    operator.run("sh", "-c", "setsid sleep 1000 < /dev/null > /dev/null 2>&1 & exec cat", name="cat")

    def left() -> list[Message]:
        found: list[Message] = operator.ask("job.explain", job="cat")["left"]
        return found if [process["name"] for process in found] == ["sleep"] else []

    pid = eventually(left, "the helper under its own name")[0]["pid"]
    assert f"left its session and runs on: sleep ({pid})" in roost("explain", "cat").stdout.splitlines()


def test_explain_names_the_evidence(operator: Operator) -> None:
    operator.run("cat", name="cat")
    live = operator.ask("job.explain", job="cat")
    assert live["evidence"]
    operator.ask("job.stop", job="cat")
    over = operator.ask("job.explain", job="cat")
    assert over["evidence"][0]["signal"] == "process"


def test_a_stopped_job_is_stopped_whatever_its_code(operator: Operator) -> None:
    operator.run("sh", "-c", "trap 'exit 0' TERM; echo up; while :; do sleep 600 & wait; done", name="polite")
    eventually(lambda: "up" in operator.ask("job.screen", job="polite")["lines"])
    row = operator.ask("job.stop", job="polite", request_id="s1")
    assert (row["state"], row["exit_code"]) == ("stopped", 0)
    assert operator.ask("job.stop", job="polite", request_id="s1") == row
    assert operator.ask("job.stop", job="polite") == row


def test_force_stops_what_does_not_listen(operator: Operator) -> None:
    job = operator.run("sh", "-c", "trap '' TERM HUP; echo up; while :; do sleep 600; done", name="deaf")
    eventually(lambda: "up" in operator.ask("job.screen", job="deaf")["lines"])
    row = operator.ask("job.stop", job="deaf", force=True)
    assert (row["state"], row["exit_signal"]) == ("stopped", "SIGKILL")
    assert not processes.with_environ("ROOST_JOB_ID", job["id"])


@pytest.mark.parametrize("force", [False, True])
def test_a_job_is_stopped_whose_host_is_suspended(force: bool, daemon: Daemon, operator: Operator) -> None:
    job = operator.run("cat", name="frozen")
    host = daemon.host(job["id"])["pid"]
    os.kill(host, signal.SIGSTOP)
    assert operator.ask("job.stop", job="frozen", force=force, timeout=20)["state"] == "stopped"
    eventually(lambda: not processes.alive(host))


def test_keys_reach_the_job_once(operator: Operator) -> None:
    operator.run("sh", "-c", "read line; echo got $line; read more", name="keys")
    for _ in range(2):
        operator.ask("job.keys", job="keys", keys=["x", "enter"], request_id="k1")
    eventually(lambda: "got x" in operator.ask("job.screen", job="keys")["lines"])
    with pytest.raises(Refused) as caught:
        operator.ask("job.keys", job="keys", keys=["x", "hyper+q"])
    assert caught.value.code == "bad_request"
    assert operator.ask("job.get", job="keys")["state"] not in ("done", "failed")


def test_a_retry_of_keys_reaches_the_first_job_after_a_rename(daemon: Daemon, operator: Operator) -> None:
    script = "read line; echo got $line; read more"
    operator.run("sh", "-c", script, name="one")
    operator.ask("job.keys", job="one", keys=["x", "enter"], request_id="k1")
    operator.ask("job.rename", job="one", name="first")
    operator.run("sh", "-c", script, name="one")
    daemon.kill()
    daemon.restart()
    operator = daemon.operator()
    operator.ask("job.keys", job="one", keys=["x", "enter"], request_id="k1")
    operator.ask("job.keys", job="one", keys=["y", "enter"], request_id="k2")
    eventually(lambda: "got y" in operator.ask("job.screen", job="one")["lines"])
    lines = operator.ask("job.screen", job="first")["lines"]
    assert [line for line in lines if line] == ["x", "got x"]


def test_names_are_unique_among_shown_jobs(operator: Operator) -> None:
    first = operator.run("cat")
    second = operator.run("/bin/cat")
    assert (first["name"], second["name"]) == ("cat", "cat-2")
    with pytest.raises(Refused) as caught:
        operator.run("cat", name="cat")
    assert caught.value.code == "conflict"
    with pytest.raises(Refused) as caught:
        operator.ask("job.rename", job="cat-2", name="cat")
    assert caught.value.code == "conflict"
    for verb, params in (("job.rename", {"job": "cat-2"}), ("job.run", {"args": ["cat"], **caller()})):
        with pytest.raises(Refused, match="is the id of a job") as caught:
            operator.ask(verb, **params, name=first["id"])
        assert caught.value.code == "conflict"
    assert operator.ask("job.rename", job="cat-2", name="tiger", request_id="n1")["name"] == "tiger"
    operator.ask("job.rename", job="tiger", name="lion")
    assert operator.ask("job.rename", job="cat-2", name="tiger", request_id="n1")["name"] == "lion"
    assert operator.ask("job.get", job=second["id"][:6])["name"] == "lion"


def test_again_makes_a_new_job_that_takes_the_name(operator: Operator) -> None:
    old = operator.run("sh", "-c", "exit 1", name="again")
    ended(operator, "again")
    new = operator.ask("job.again", job="again", request_id="a1", caller=caller()["caller"])
    assert new["id"] != old["id"]
    assert (new["name"], new["previous"], new["command"]) == ("again", old["id"], old["command"])
    assert operator.ask("job.again", job="again", request_id="a1", caller=caller()["caller"])["id"] == new["id"]
    assert [job["id"] for job in operator.ask("job.list")["jobs"]] == [new["id"]]
    assert [job["name"] for job in operator.ask("job.list", all=True)["jobs"]] == [None, "again"]
    ended(operator, "again")
    with pytest.raises(Refused, match="no session of again is known"):
        operator.ask("job.resume", job="again", caller=caller()["caller"])


def test_a_live_job_is_not_started_again(operator: Operator) -> None:
    operator.run("cat", name="live")
    with pytest.raises(Refused, match="still runs: stop it first"):
        operator.ask("job.again", job="live", caller=caller()["caller"])


def test_a_removed_job_leaves_nothing(daemon: Daemon, operator: Operator) -> None:
    job = operator.run("cat", name="cat")
    with pytest.raises(Refused, match="still runs"):
        operator.ask("job.remove", job="cat")
    assert operator.ask("job.remove", job="cat", stop=True, request_id="d1") == {}
    assert operator.ask("job.remove", job="cat", stop=True, request_id="d1") == {}
    assert operator.ask("job.list", all=True) == {"jobs": []}
    assert not (daemon.home.state / "jobs" / job["id"]).exists()
    with pytest.raises(Refused) as caught:
        operator.ask("job.get", job="cat")
    assert caught.value.code == "not_found"


@pytest.mark.parametrize(
    ("params", "code", "message"),
    [
        ({"args": ["no-such-command"]}, "not_found", "command not found: no-such-command"),
        ({"args": ["/etc"]}, "refused", "cannot run /etc: it is a folder"),
        ({"args": ["/etc/passwd"]}, "refused", "cannot run /etc/passwd: it is not executable"),
        ({"args": ["./none"]}, "not_found", "command not found: ./none"),
        ({"args": ["cat"], "cwd": "/no/such"}, "bad_request", "cannot run in /no/such"),
        ({"args": []}, "bad_request", "no command"),
        ({"args": ["cat"], "env": ["LD_PRELOAD=x"]}, "bad_request", "LD_PRELOAD"),
        ({"agent": "cladue"}, "not_found", "did you mean claude"),
        ({"args": ["cat"], "task": "t"}, "bad_request", "a bare command takes no task"),
        ({"args": ["cat"], "name": "no name"}, "bad_request", "a name has letters, .* 'no name' has not"),
    ],
)
def test_what_cannot_run_is_refused_before_anything_is_made(
    daemon: Daemon, operator: Operator, params: Message, code: str, message: str
) -> None:
    with pytest.raises(Refused, match=message) as caught:
        operator.ask("job.run", **{**caller(), **params})
    assert caught.value.code == code
    assert operator.ask("job.list", all=True) == {"jobs": []}
    assert not list((daemon.home.state / "jobs").iterdir())


def test_a_job_gets_the_callers_environment_and_its_own_identity(operator: Operator, home: Home) -> None:
    given = {**os.environ, "MINE": "1", "TMUX": "x", "ROOST_JOB_ID": "other"}
    raw = {base64.b64encode(b"RAW").decode(): base64.b64encode(b"\xff").decode()}
    script = "printf '%s|' $MINE \"$TMUX\" $TERM $EXTRA $RAW; umask; pwd; test $ROOST_JOB_ID = other && echo leaked"
    job = operator.ask(
        "job.run",
        args=["sh", "-c", script],
        caller={"environ": given, "environ_raw": raw, "umask": 0o027},
        cwd=str(home.work),
        env=["EXTRA=e"],
    )
    ended(operator, job["id"])
    lines = operator.ask("job.screen", job=job["id"])["lines"]
    assert lines[0] == "1||xterm-256color|e||0027"  # a terminal shows nothing of a byte that is no UTF-8
    assert lines[1] == str(home.work)
    assert "leaked" not in lines


def test_the_same_request_runs_one_job(operator: Operator) -> None:
    first = operator.begin("job.run", "same", args=["cat"], **caller())
    second = operator.begin("job.run", "same", args=["cat"], **caller())
    answers = {first: operator.receive(), second: operator.receive()}
    assert len({answer["ok"]["id"] for answer in answers.values() if answer}) == 1
    assert len(operator.ask("job.list")["jobs"]) == 1
    with pytest.raises(Refused, match=r"was used for job\.run"):
        operator.ask("job.reply", "same", job="cat", text="x")


def test_wait_is_armed_and_true_at_once(daemon: Daemon, operator: Operator) -> None:
    operator.run("sh", "-c", "read line", name="w1")
    operator.run("sh", "-c", "exit 0", name="w2")
    assert operator.ask("job.wait", jobs=["w1", "w2"], until=["done"], any=True)["wanted"]
    with pytest.raises(Refused) as caught:
        operator.ask("job.wait", jobs=["w1"], until=["done"], timeout=0.05)
    assert caught.value.code == "timeout"
    waiting = operator.begin("job.wait", jobs=["w1", "w2"], until=["done"])
    daemon.operator().ask("job.keys", job="w1", keys=["enter"])
    assert operator.answer(waiting)["wanted"]
    assert not operator.ask("job.wait", jobs=["w1"], until=["waiting"])["wanted"]


ASKS_BRIEFLY = r"""
say() { printf '\033]7501;state=%s\033\\' "$1"; }
say idle; read line; say working; sleep 0.2; say blocked; sleep 0.2; say working; read line; say idle; read line
"""


def test_wait_does_not_miss_what_is_over_at_once(operator: Operator) -> None:
    operator.run("sh", "-c", ASKS_BRIEFLY, name="brief")
    operator.run("sleep", "600", name="other")
    operator.ask("job.wait", jobs=["brief"], until=["idle"], timeout=20)
    since = operator.ask("daemon.status")["last_event"]
    waiting = operator.begin("job.wait", jobs=["brief"], until=["waiting"])
    operator.ask("job.keys", job="brief", keys=["enter"])
    assert operator.answer(waiting)["jobs"][0]["state"] == "waiting"
    now = operator.ask("daemon.status")["last_event"]
    operator.ask("job.wait", jobs=["brief"], until=["working"], timeout=20)
    late = operator.ask("job.wait", jobs=["brief", "other"], until=["waiting"], any=True, since=since, timeout=5)
    assert late["wanted"]
    assert [row["state"] for row in late["jobs"]] == ["waiting", operator.ask("job.get", job="other")["state"]]
    assert late["jobs"][0]["evidence"]["signal"] == "program-status"
    with pytest.raises(Refused, match="not done in time"):
        operator.ask("job.wait", jobs=["brief"], until=["waiting"], since=now, timeout=0.0)


def test_who_has_settled_is_waited_for_no_longer_while_the_others_come(daemon: Daemon, operator: Operator) -> None:
    """Each in its time: the first may be sent on before the last is there."""
    for name in ("one", "two"):
        operator.run("sh", "-c", ASKS_BRIEFLY, name=name)
    operator.ask("job.wait", jobs=["one", "two"], until=["idle"], timeout=20)
    waiting, person = operator.begin("job.wait", jobs=["one", "two"], until=["waiting"]), daemon.operator()
    for name in ("one", "two"):
        since = person.ask("daemon.status")["last_event"]
        person.ask("job.keys", job=name, keys=["enter"])
        person.ask("job.wait", jobs=[name], until=["waiting"], since=since, timeout=20)
    assert [row["state"] for row in operator.answer(waiting)["jobs"]] == ["waiting", "waiting"]


def test_events_are_replayed_and_followed_without_a_gap(daemon: Daemon, operator: Operator) -> None:
    job = operator.run("sh", "-c", "exit 0", name="told")
    ended(operator, "told")
    operator.ask("job.rename", job="told", name="retold")
    replayed = list(operator.items("event.subscribe", since=0))
    assert [event["seq"] for event in replayed] == list(range(1, len(replayed) + 1))
    assert {event["job"] for event in replayed} == {job["id"]}
    assert (replayed[0]["kind"], replayed[-1]["kind"]) == ("job.created", "job.renamed")
    assert replayed[-2]["data"]["to"] == "done"
    following = daemon.operator().items("event.subscribe", since=1, follow=True)
    assert [next(following) for _ in replayed[1:]] == replayed[1:]
    operator.ask("job.remove", job="retold")
    assert next(following)["kind"] == "job.removed"


def test_watch_sends_the_list_when_it_changes(daemon: Daemon, operator: Operator) -> None:
    watched = daemon.operator().items("job.watch")
    assert next(watched) == {"jobs": []}
    operator.run("cat", name="seen")
    assert next(item for item in watched if item["jobs"])["jobs"][0]["name"] == "seen"


def test_stop_with_jobs_ends_them_all(daemon: Daemon, operator: Operator) -> None:
    jobs = [operator.run("cat")["id"] for _ in range(3)]
    assert operator.ask("daemon.stop", jobs=True) == {}
    assert daemon.wait() == 0
    assert not any(processes.with_environ("ROOST_JOB_ID", job) for job in jobs)
    eventually(lambda: not daemon.home.pids())


def test_no_secret_is_kept_or_told(daemon: Daemon, operator: Operator) -> None:
    job = operator.ask(
        "job.run",
        args=["sh", "-c", "echo $ROOST_JOB_TOKEN > token; echo $SECRET > secret; cat"],
        caller={"environ": {**os.environ, "SECRET": "hidden-treasure"}},
        cwd=str(daemon.home.work),
        env=["OTHER=buried-treasure"],
    )
    token = eventually(lambda: (daemon.home.work / "token").read_text().strip() if (daemon.home.work / "secret").exists() else "")
    assert len(token) == 64
    told = json.dumps([operator.ask("job.list"), list(operator.items("event.subscribe")), operator.ask("job.explain", job=job["id"])])
    operator.ask("job.stop", job=job["id"])
    kept = b"".join(path.read_bytes() for path in daemon.home.state.rglob("*") if path.is_file())
    arguments = b"".join(processes.command_of(pid).encode() for pid in daemon.home.pids())
    for secret in (token, "hidden-treasure", "buried-treasure"):
        assert secret not in told
        assert secret.encode() not in kept + arguments


def test_a_wide_screen_with_all_its_history_is_shown(operator: Operator) -> None:
    row = "─" * 199
    printed = f"for n in range(2500): print({row!r})\nprint('over'); input()"
    wide = {**caller(), "caller": {**caller()["caller"], "cols": 200, "rows": 60}}
    operator.ask("job.run", args=[sys.executable, "-c", printed], name="wide", **wide)
    eventually(lambda: "over" in operator.ask("job.screen", job="wide")["lines"])
    screen = operator.ask("job.screen", job="wide", lines=2000, ansi=True)
    assert sum(line == row for line in screen["lines"]) > 1700


def test_a_killed_host_is_lost_at_once_and_its_processes_are_gone(daemon: Daemon, operator: Operator) -> None:
    victim = operator.run("sh", "-c", "sleep 600 & setsid sleep 600 & cat", name="victim")
    other = operator.run("cat", name="other")
    host = daemon.host(victim["id"])
    os.kill(host["pid"], signal.SIGKILL)
    row = ended(operator, "victim")
    assert row["state"] == "lost"
    eventually(lambda: not Path(host["socket"]).exists())
    assert row["evidence"]["signal"] == "daemon"
    eventually(lambda: not processes.with_environ("ROOST_JOB_ID", victim["id"]))
    assert operator.ask("job.get", job="other")["state"] != "lost"
    assert processes.alive(daemon.host(other["id"])["pid"])


def test_a_killed_spawner_costs_nothing(daemon: Daemon, operator: Operator) -> None:
    operator.run("cat", name="before")
    os.kill(daemon.spawner, signal.SIGKILL)
    assert operator.run("cat", name="after")["state"] in ("starting", "quiet", "idle", "working")
    assert operator.ask("job.get", job="before")["state"] != "lost"


def test_a_hosts_silence_does_not_keep_the_caller(daemon: Daemon, operator: Operator) -> None:
    operator.run("cat", name="first")
    spawner = daemon.spawner
    os.kill(spawner, signal.SIGSTOP)
    number = operator.begin("job.run", args=["cat"], timeout=0.2, **caller())
    with pytest.raises(Refused) as caught:
        operator.answer(number)
    assert caught.value.code == "timeout"
    assert operator.ask("job.get", job="cat")["state"] == "starting"
    os.kill(spawner, signal.SIGCONT)
    operator.ask("job.keys", job="cat", keys=["ctrl+d"])
    assert ended(operator, "cat")["state"] == "done"


def test_a_configuration_that_is_no_file_is_said_and_holds_nobody_up(daemon: Daemon) -> None:
    pipe = daemon.home.write_config("{}")
    pipe.unlink()
    os.mkfifo(pipe)
    operator = daemon.operator()
    with pytest.raises(Refused, match=f"{pipe}: cannot be read: it is no regular file") as caught:
        operator.ask("job.run", agent="shell", args=[], **caller())
    assert caught.value.code == "bad_request"
    assert operator.run("true", name="bare")["name"] == "bare"


def at_once(daemon: Daemon, verb: str, **params: Any) -> list[str]:
    """What two people hear who ask for the same: the codes of refusals, nothing for what was done."""
    people = [daemon.operator() for _ in range(2)]
    numbers = [person.begin(verb, **params) for person in people]
    heard = []
    for person, number in zip(people, numbers, strict=True):
        try:
            person.answer(number)
        except Refused as refused:
            heard.append(refused.code)
        else:
            heard.append("")
    return sorted(heard)


def test_two_removals_at_once_are_one(daemon: Daemon) -> None:
    operator = daemon.operator()
    operator.run("true", name="gone")
    ended(operator, "gone")
    assert at_once(daemon, "job.remove", job="gone") == ["", "not_found"]
    assert [event["kind"] for event in operator.items("event.subscribe")].count("job.removed") == 1


def test_a_job_that_is_started_again_twice_at_once_is_started_once(daemon: Daemon) -> None:
    operator = daemon.operator()
    operator.run("cat", name="once")
    operator.ask("job.stop", job="once")
    assert at_once(daemon, "job.again", job="once", caller=caller()["caller"]) == ["", "conflict"]
    assert [row["name"] for row in operator.ask("job.list", all=True)["jobs"]] == [None, "once"]


def test_a_name_that_has_just_moved_on_is_not_given_back(daemon: Daemon) -> None:
    operator, other = daemon.operator(), daemon.operator()
    job = operator.run("true", name="once")
    ended(operator, "once")
    again = operator.begin("job.again", job="once", caller=caller()["caller"])
    renaming = other.begin("job.rename", job="once", name="twice")
    newer = operator.answer(again)
    with suppress(Refused):
        other.answer(renaming)
    names = {row["id"]: row["name"] for row in operator.ask("job.list", all=True)["jobs"]}
    assert names[job["id"]] is None
    assert names[newer["id"]] in ("once", "twice")


def test_a_host_that_hears_nothing_is_ended_by_force(daemon: Daemon) -> None:
    operator = daemon.operator()
    job = operator.run("sleep", "600")
    record = daemon.home.state / "jobs" / job["id"] / "host.json"
    host = json.loads(record.read_bytes())["pid"]
    record.unlink()  # Nobody can find out whom to wake.
    os.kill(host, signal.SIGSTOP)
    assert operator.ask("job.stop", job=job["id"], force=True, timeout=30)["state"] == "lost"
    eventually(lambda: not processes.with_environ("ROOST_JOB_ID", job["id"]))


def test_a_host_that_answers_no_question_is_not_waited_for_without_end(daemon: Daemon) -> None:
    operator = daemon.operator()
    job = operator.run("sleep", "600", name="still")
    assert operator.ask("job.screen", job="still")["cols"]
    host = json.loads((daemon.home.state / "jobs" / job["id"] / "host.json").read_bytes())["pid"]
    os.kill(host, signal.SIGSTOP)
    try:
        for verb in ("job.screen", "job.explain"):
            with pytest.raises(Refused, match="stop --force still"):
                operator.ask(verb, job="still", timeout=60)
    finally:
        os.kill(host, signal.SIGCONT)
    assert operator.ask("job.screen", job="still")["cols"]


def test_patterns_of_a_person_s_own_are_tried_out_without_harm(home: Home) -> None:
    home.write_config(json.dumps({"agentProfiles": {"mine": {"command": ["cat"], "waiting": "\\(y/n\\) *\\Z"}}}))
    with Daemon(home) as daemon:
        operator = daemon.operator()
        assert operator.run(agent="mine")["agent"] == "mine"
        assert operator.run("true", name="bare")["name"] == "bare"
        home.write_config(json.dumps({"agentProfiles": {"mine": {"command": ["cat"], "waiting": "(a+)+$b"}}}))
        with pytest.raises(Refused, match="mine"):
            operator.run(agent="mine")

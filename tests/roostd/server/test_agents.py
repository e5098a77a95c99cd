"""The agents' door, with real tokens of real jobs."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from roostd.jobs.following import COMES_BACK
from tests.support.daemon import Daemon, Message, Operator, Refused, Wire
from tests.support.waiting import DEADLINE, eventually

REFUSED = "this token does not speak for a job that runs here"
SHOW = "echo $ROOST_JOB_TOKEN > $0; exec cat"
BUSY = "echo $ROOST_JOB_TOKEN > $0; while :; do n=x$n; echo $n; sleep 0.1; done"


class Spoken:
    """A job whose token the test knows."""

    def __init__(self, daemon: Daemon, operator: Operator, name: str = "spoken", script: str = SHOW) -> None:
        self.daemon = daemon
        self.operator = operator
        token = daemon.home.work / f"token-{name}"
        self.job: str = operator.run("sh", "-c", script, str(token), name=name)["id"]
        self.token: str = eventually(lambda: token.read_text().strip() if token.exists() else "")

    def hello(self, epoch: str = "e1", capabilities: tuple[str, ...] = ("report", "replies"), **fields: Any) -> Wire:
        """A connection that has been greeted; its hello is in `greeting`."""
        wire = self.daemon.agent()
        hello: Message = {"type": "hello", "job": self.job, "token": self.token, "epoch": epoch}
        wire.send({**hello, "capabilities": list(capabilities), **fields})
        self.greeting = wire.expect(type="hello")
        return wire

    def restart(self) -> None:
        """Another daemon in the place of one that was killed."""
        self.daemon.kill()
        self.daemon.restart()
        self.operator = self.daemon.operator()

    def becomes(self, state: str, signal: str, within: float = DEADLINE) -> None:
        eventually(lambda: (self.row["state"], self.row["evidence"]["signal"]) == (state, signal), f"{state} by {signal}", within)

    @property
    def row(self) -> Message:
        row: Message = self.operator.ask("job.get", job=self.job)
        return row

    def events(self, kind: str) -> list[Message]:
        events = self.operator.items("event.subscribe", since=0)
        return [event["data"] for event in events if event["kind"] == kind and event["job"] == self.job]


@pytest.fixture
def spoken(daemon: Daemon, operator: Operator) -> Spoken:
    return Spoken(daemon, operator)


def report(wire: Wire, seq: int, state: str, **fields: Any) -> None:
    wire.send({"type": "report", "seq": seq, "state": state, **fields})
    wire.expect(type="ack", seq=seq)


def test_a_report_is_acked_when_the_row_shows_it(spoken: Spoken) -> None:
    wire = spoken.hello(protocol=9)
    assert spoken.greeting["protocol"] == 1
    assert spoken.greeting["granted"] == ["report", "replies"]
    assert spoken.greeting["last_seq"] == 0
    assert spoken.greeting["job"]["id"] == spoken.job
    choices = [{"id": "y", "label": "Yes\x1b[2J"}]
    report(wire, 1, "waiting", question="Which\x1b]0;x\x07 one?", choices=choices, waiting_for="choice", model="m1")
    row = spoken.row
    assert (row["state"], row["question"], row["waiting_for"]) == ("waiting", "Which]0;x one?", "choice")
    assert row["choices"] == [{"id": "y", "label": "Yes[2J"}]
    assert (row["model"], row["evidence"]["signal"], row["name"]) == ("m1", "report", "spoken")
    report(wire, 2, "idle", name="renamed?", session_ref="s1")
    row = spoken.row
    assert (row["state"], row["question"], row["session_ref"], row["name"]) == ("idle", None, "s1", "spoken")


def test_a_report_that_comes_again_is_acked_and_dropped(spoken: Spoken) -> None:
    wire = spoken.hello()
    report(wire, 1, "working", status="one")
    report(wire, 1, "waiting", status="two")
    report(wire, 3, "working", status="three")
    report(wire, 2, "working", status="late")
    assert [data["status"] for data in spoken.events("job.report")] == ["one", "three"]
    assert spoken.row["state"] == "working"
    wire.close()
    spoken.hello(epoch="e1")
    assert spoken.greeting["last_seq"] == 3
    spoken.hello(epoch="e2")
    assert spoken.greeting["last_seq"] == 0


def test_what_was_acked_survives_the_daemon(spoken: Spoken) -> None:
    report(spoken.hello(), 5, "working", model="m5")
    spoken.daemon.kill()
    spoken.daemon.restart()
    spoken.operator = spoken.daemon.operator()
    spoken.hello()
    assert spoken.greeting["last_seq"] == 5
    assert spoken.row["model"] == "m5"


def test_replies_are_pushed_in_order_and_resent_until_acked(spoken: Spoken) -> None:
    wire = spoken.hello()
    first = spoken.operator.begin("job.reply", job=spoken.job, text="one", request_id="r1")
    assert wire.expect(type="reply", n=1) == {
        "type": "reply",
        "n": 1,
        "kind": "reply",
        "text": "one",
        "from": "operator",
        "request_id": "r1",
        "re": 0,
    }
    second = spoken.operator.begin("job.reply", job=spoken.job, text="two")
    wire.expect(type="reply", n=2, text="two")
    wire.send({"type": "ack", "reply": 1})
    assert spoken.operator.answer(first) == {
        "job": spoken.job,
        "n": 1,
        "outcome": "delivered",
        "why": None,
        "started": None,
        "settled": None,
    }
    wire.close()
    again = spoken.hello(epoch="e2")
    again.expect(type="reply", n=2, text="two")
    again.send({"type": "ack", "reply": 2})
    assert spoken.operator.answer(second)["outcome"] == "delivered"
    spoken.hello(epoch="e3").send({"type": "bye"})
    assert [data["outcome"] for data in spoken.events("job.reply")] == ["pending", "pending", "delivered", "delivered"]


def test_an_unacked_reply_outlives_the_daemon_and_is_not_typed(spoken: Spoken) -> None:
    wire = spoken.hello()
    spoken.operator.begin("job.reply", job=spoken.job, text="precious", request_id="r1")
    wire.expect(type="reply", n=1)
    spoken.daemon.kill()
    spoken.daemon.restart()
    spoken.operator = operator = spoken.daemon.operator()
    pending = operator.ask("job.reply", job=spoken.job, text="precious", request_id="r1", timeout=0.01)
    assert (pending["n"], pending["outcome"]) == (1, "pending")
    again = spoken.hello()
    again.expect(type="reply", n=1, text="precious")
    again.send({"type": "ack", "reply": 1})
    assert operator.ask("job.reply", job=spoken.job, text="precious", request_id="r1")["outcome"] == "delivered"
    assert "precious" not in operator.ask("job.screen", job=spoken.job)["lines"]


def test_without_the_capability_a_reply_is_typed(spoken: Spoken) -> None:
    wire = spoken.hello(capabilities=("report",))
    assert spoken.greeting["granted"] == ["report"]
    assert spoken.operator.ask("job.reply", job=spoken.job, text="typed text")["outcome"] == "submitted"
    wire.send({"type": "bye"})
    assert wire.receive() is None
    assert "typed text" in spoken.operator.ask("job.screen", job=spoken.job)["lines"]


def test_what_was_not_announced_is_refused_and_the_connection_goes_on(spoken: Spoken) -> None:
    takes = spoken.hello("e1", ("replies",))
    pending = spoken.operator.ask("job.reply", job=spoken.job, text="go on", timeout=0)
    assert pending["outcome"] == "pending"
    takes.expect(type="reply", n=1, text="go on")
    takes.send({"type": "report", "seq": 1, "state": "waiting"})
    assert takes.expect(type="error")["code"] == "unsupported"
    says = spoken.hello("e2", ("report",))
    says.send({"type": "ack", "reply": 1})
    assert says.expect(type="error")["code"] == "unsupported"
    report(says, 1, "idle")
    takes.close()
    # It was nobody's to ack: who takes replies gets it again.
    again = spoken.hello("e1", ("replies",))
    again.expect(type="reply", n=1, text="go on")
    again.send({"type": "ack", "reply": 1})
    eventually(lambda: spoken.events("job.reply")[-1]["outcome"] == "delivered")


def test_a_newer_connection_takes_over(spoken: Spoken) -> None:
    older = spoken.hello(epoch="old")
    newer = spoken.hello(epoch="new")
    older.expect(type="error", code="superseded")
    older.send({"type": "report", "seq": 1, "state": "working"})
    older.expect(type="error", code="superseded", re=1)
    report(newer, 1, "idle")
    older.close()
    report(newer, 2, "working")
    assert spoken.row["evidence"]["signal"] == "report"


def test_who_only_reports_supersedes_nobody(spoken: Spoken) -> None:
    agent = spoken.hello(epoch="agent")
    report(agent, 1, "working")
    hooks = [spoken.hello(epoch=f"hook{n}", capabilities=("report",)) for n in range(3)]
    for n, hook in enumerate(hooks):
        hook.send({"type": "report", "seq": 1, "state": "idle", "status": f"hook {n}"})
    for hook in hooks:
        hook.expect(type="ack", seq=1)
        hook.send({"type": "bye"})
        assert hook.receive() is None
    assert (spoken.row["state"], len(spoken.events("job.report"))) == ("idle", 4)
    spoken.operator.begin("job.reply", job=spoken.job, text="precious")
    agent.expect(type="reply", n=1, text="precious")
    report(agent, 2, "working")
    for n in range(3):
        spoken.hello(epoch=f"hook{n}", capabilities=("report",))
        assert spoken.greeting["last_seq"] == 1


def test_only_its_own_token_speaks_for_a_job(daemon: Daemon, operator: Operator, spoken: Spoken) -> None:
    other = Spoken(daemon, operator, "other")
    over = Spoken(daemon, operator, "over")
    operator.ask("job.stop", job="over")
    hellos = [
        (spoken.job, "f" * 64),
        (spoken.job, ""),
        (spoken.job, other.token),
        ("00000000", spoken.token),
        (over.job, over.token),
    ]
    for job, token in hellos:
        wire = daemon.agent()
        wire.send({"type": "hello", "job": job, "token": token, "epoch": "e"})
        assert wire.expect(type="error") == {"type": "error", "code": "unauthorized", "message": REFUSED, "re": None}
        assert wire.receive() is None
    assert spoken.row["state"] != "lost"


def test_every_operator_verb_is_refused(spoken: Spoken) -> None:
    wire = spoken.hello()
    for verb in ("job.list", "job.run", "job.stop", "job.reply", "daemon.stop", "event.subscribe"):
        wire.send({"id": 1, "verb": verb, "params": {"job": spoken.job}})
        wire.expect(type="error", code="unauthorized")
    report(wire, 1, "working")
    before_hello = spoken.daemon.agent()
    before_hello.send({"id": 1, "verb": "job.list"})
    before_hello.expect(type="error", code="unauthorized")
    before_hello.send({"type": "report", "seq": 1, "state": "idle"})
    before_hello.expect(type="error", code="unauthorized")
    assert before_hello.receive() is None


@pytest.mark.parametrize(
    ("line", "re"),
    [
        ('{"type":"report","seq":4,"state":"done"}', 4),
        ('{"type":"report","seq":0,"state":"idle"}', 0),
        ('{"type":"report","state":"idle"}', None),
        ('{"type":"report","seq":4,"state":"waiting","waiting_for":"money"}', 4),
        ('{"type":"report","seq":4,"state":"idle","ext":' + '{"a":' * 600 + "1" + "}" * 600 + "}", 4),
        ('{"type":"report","seq":4,"state":"idle","usage":{"a":' + "[" * 33 + "]" * 33 + "}}", 4),
        ('{"type":"report","seq":4,"state":"idle","ext":' + '{"a":' * 5000, None),
        ('{"type":"dance"}', None),
        ("nonsense", None),
        ('{"type":"hello","job":"a","token":"b","epoch":"c"}', None),
    ],
)
def test_a_bad_message_is_answered_and_the_next_is_taken(spoken: Spoken, line: str, re: int | None) -> None:
    wire = spoken.hello()
    wire.send_raw(line.encode() + b"\n")
    wire.expect(type="error", code="bad_request", re=re)
    report(wire, 4, "working", later={"unknown": 1})


def test_a_line_over_its_bound_ends_the_connection(spoken: Spoken) -> None:
    wire = spoken.hello()
    wire.send_raw(b"x" * (1024 * 1024 + 1))
    wire.expect(type="error", code="too_large")
    assert wire.receive() is None


def test_an_agent_of_a_job_that_ends_is_told_nothing_more(spoken: Spoken) -> None:
    wire = spoken.hello()
    pending = spoken.operator.begin("job.reply", job=spoken.job, text="too late")
    wire.expect(type="reply", n=1)
    spoken.daemon.operator().ask("job.stop", job=spoken.job)
    answer = spoken.operator.answer(pending)
    assert (answer["outcome"], answer["why"]) == ("pending", "the job ended before its agent acknowledged this reply")
    wire.send({"type": "report", "seq": 1, "state": "idle"})
    wire.expect(type="error", code="unauthorized")
    assert wire.receive() is None


def test_an_agent_that_comes_back_at_once_is_not_typed_at(spoken: Spoken) -> None:
    wire = spoken.hello()
    for _ in range(30):
        wire.close()
        wire = spoken.hello()
    spoken.operator.begin("job.reply", job=spoken.job, text="precious")
    wire.expect(type="reply", n=1, text="precious")


def test_a_report_stands_again_when_who_made_it_is_back(daemon: Daemon, operator: Operator) -> None:
    spoken = Spoken(daemon, operator, script=BUSY)
    wire = spoken.hello()
    report(wire, 1, "idle")
    wire.close()
    spoken.becomes("working", "settling")
    spoken.hello(epoch="another")
    wire = spoken.hello()
    spoken.becomes("idle", "report")
    before = len(spoken.events("job.state"))
    spoken.restart()
    wire = spoken.hello()
    assert spoken.greeting["last_seq"] == 1
    report(wire, 2, "idle")
    assert len(spoken.events("job.state")) == before
    spoken.restart()
    spoken.becomes("working", "settling", COMES_BACK + DEADLINE)


def test_a_report_that_no_host_has_heard_is_not_lost(spoken: Spoken) -> None:
    """Its host is too slow to be told, and two daemons are killed before it can be."""
    spoken.becomes("quiet", "settling")
    host = spoken.daemon.host(spoken.job)["pid"]
    os.kill(host, signal.SIGSTOP)
    try:
        spoken.restart()
        wire = spoken.hello()
        report(wire, 1, "waiting", waiting_for="question", question="Which one?")
        wire.close()
        spoken.restart()
    finally:
        os.kill(host, signal.SIGCONT)
    spoken.becomes("waiting", "report")
    assert spoken.row["question"] == "Which one?"


def refused(spoken: Spoken, text: str, kind: str) -> str:
    with pytest.raises(Refused) as error:
        spoken.operator.ask("job.reply", job=spoken.job, text=text, kind=kind)
    return error.value.code


def test_a_choice_reaches_the_agent_by_its_id_with_the_report_that_was_answered(spoken: Spoken) -> None:
    wire = spoken.hello()
    report(wire, 4, "waiting", question="Which?", choices=[{"id": "a", "label": "Apples"}, {"id": "b", "label": "Bread"}])
    asked = spoken.operator.begin("job.reply", job=spoken.job, text="2", kind="choice")
    told = wire.expect(type="reply", n=1)
    assert (told["kind"], told["text"], told["re"]) == ("choice", "b", 4)
    wire.send({"type": "ack", "reply": 1})
    assert spoken.operator.answer(asked)["outcome"] == "delivered"
    assert refused(spoken, text="5", kind="choice") == "not_found"
    report(wire, 5, "idle")
    assert refused(spoken, text="1", kind="choice") == "refused"


def test_a_reply_says_what_could_be_seen_though_it_comes_late_and_of_another_process_nothing(spoken: Spoken) -> None:
    wire = spoken.hello(epoch="e1")
    report(wire, 7, "waiting", question="Now?")
    spoken.operator.begin("job.reply", job=spoken.job, text="yes")
    wire.expect(type="reply", n=1, re=7)
    report(wire, 8, "waiting", question="And now?")
    wire.close()
    assert spoken.hello(epoch="e1").expect(type="reply", n=1)["re"] == 7
    assert spoken.hello(epoch="e2").expect(type="reply", n=1)["re"] == 0


def test_who_announced_it_is_steered_and_who_did_not_is_not(spoken: Spoken) -> None:
    wire = spoken.hello(capabilities=("report", "replies", "steer"))
    for n, kind in enumerate(("steer", "follow_up"), 1):
        spoken.operator.begin("job.reply", job=spoken.job, text="mind the tests", kind=kind)
        assert wire.expect(type="reply", n=n)["kind"] == kind
    assert refused(spoken, text="m2", kind="set_model") == "unsupported"
    wire = spoken.hello(capabilities=("report", "replies", "model-switch"))
    assert [wire.expect(type="reply")["n"] for _ in range(2)] == [1, 2]
    wire.send({"type": "ack", "reply": 2})
    spoken.operator.begin("job.reply", job=spoken.job, text="m2", kind="set_model")
    assert wire.expect(type="reply", n=3)["kind"] == "set_model"
    assert refused(spoken, text="x", kind="steer") == "unsupported"


def test_usage_and_context_stand_in_the_row_of_who_announced_them(spoken: Spoken) -> None:
    wire = spoken.hello(capabilities=("report", "usage"))
    report(wire, 1, "working", usage={"cost": 0.5, "of": "x\x1b"}, context={"used": 1})
    assert (spoken.row["usage"], spoken.row["context"]) == ({"cost": 0.5, "of": "x"}, None)
    report(wire, 2, "working")
    assert spoken.row["usage"] == {"cost": 0.5, "of": "x"}

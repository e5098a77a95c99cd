from __future__ import annotations

from typing import Any

import pytest

from roost_protocol.agent import Report
from roost_protocol.host import ExitRecord, Facts
from roost_protocol.jobs import Attention, Choice, Evidence
from roostd.jobs.changes import clean_tree, deeper_than, exited, heard, looked_at, lost, reported, with_facts
from roostd.jobs.machine import AlreadyEnded
from tests.roostd.jobs.made import job, record, status

EVIL = "\x1b]0;owned\x07\u202eask"


def exit_record(**fields: Any) -> ExitRecord:
    given: dict[str, Any] = {"job": "a1b2c3d4", "ended": 50.0, "exit_code": 0, "exit_signal": None}
    return ExitRecord(**{**given, **fields})


def test_a_status_moves_the_row_and_is_told() -> None:
    after, news, _ = heard(record(seen=True), status(1, "waiting", waiting_for="approval", question="Run it?"), 0)
    assert (after.job.state, after.job.since, after.status_n) == ("waiting", 11.0, 1)
    assert after.job.seen is False
    (event,) = news
    assert event.kind == "job.state"
    assert event.data["from"] == "starting"
    assert event.data["to"] == "waiting"
    assert event.data["question"] == "Run it?"
    assert event.data["evidence"] == {"signal": "pattern", "detail": "seen", "at": 11.0}


def test_a_status_that_was_had_changes_nothing() -> None:
    once = heard(record(), status(2, "working"), 0).record
    assert heard(once, status(2, "idle"), 0) == (once, (), ())
    assert heard(once, status(1, "idle"), 0) == (once, (), ())


def test_the_same_state_again_is_no_news_and_keeps_since() -> None:
    once = heard(record(), status(1, "working"), 0).record
    after, news, _ = heard(once, status(2, "working"), 0)
    assert news == []
    assert after.job.since == 11.0
    assert after.status_n == 2
    assert after.job.evidence == status(2, "working").evidence


def test_another_question_in_the_same_state_is_news() -> None:
    once = heard(record(), status(1, "waiting", question="one?"), 0).record
    _, news, _ = heard(once, status(2, "waiting", question="two?"), 0)
    assert [event.data["question"] for event in news] == ["two?"]


def test_a_host_never_says_how_its_job_ended_by_status() -> None:
    before = record()
    assert heard(before, status(1, "done"), 0).record is before


def test_attention_is_told_once() -> None:
    rung = Attention(12.0, "bell", "ding")
    once = heard(record(), status(1, "working", attention=rung), 0)
    assert [event.kind for event in once.news] == ["job.state", "job.attention"]
    again = heard(once.record, status(2, "working", attention=rung), 0)
    assert again.news == []


def test_one_bell_reckoned_anew_is_one_bell() -> None:
    once = heard(record(), status(1, "working", attention=Attention(12.0, "bell", "ding")), 0)
    again = heard(once.record, status(2, "working", attention=Attention(12.00001, "bell", "ding")), 0)
    assert (again.news, again.record.job.attention) == ([], Attention(12.0, "bell", "ding"))
    for other in (Attention(12.0, "bell", "dong"), Attention(14.0, "bell", "ding")):
        assert [event.kind for event in heard(once.record, status(2, "working", attention=other), 0).news] == ["job.attention"]


def test_who_is_attached_sees_a_change() -> None:
    assert heard(record(), status(1, "idle"), 1).record.job.seen is True


def test_idle_once_known_stays_known() -> None:
    once = heard(record(), status(1, "idle", knows_idle=True), 0).record
    assert heard(once, status(2, "quiet"), 0).record.knows_idle


@pytest.mark.parametrize(
    ("fields", "stop", "state", "detail"),
    [
        ({}, "no", "done", "exited with 0"),
        ({"exit_code": 3}, "no", "failed", "exited with 3"),
        ({"exit_code": None, "exit_signal": "SIGKILL"}, "no", "failed", "ended by SIGKILL"),
        ({"stopped": True}, "no", "stopped", "exited with 0"),
        ({"exit_code": 143}, "asked", "stopped", "exited with 143"),
        ({"exit_code": 127, "error": "no such file"}, "no", "failed", "could not be started: no such file"),
        ({"exit_code": None, "error": "never"}, "no", "lost", "never"),
        ({"exit_code": None, "error": "never"}, "asked", "stopped", "could not be started: never"),
    ],
)
def test_an_exit_record_says_how_it_ended(fields: dict[str, Any], stop: str, state: str, detail: str) -> None:
    after, news, _ = exited(record(state="working", stop=stop, question="left?"), exit_record(**fields))
    assert (after.job.state, after.job.ended, after.job.question) == (state, 50.0, None)
    assert after.job.evidence is not None
    assert after.job.evidence.detail == detail
    assert [event.data["to"] for event in news] == [state]


def test_missed_statuses_are_told_before_the_end() -> None:
    _, news, _ = exited(record(), exit_record(statuses=[status(1, "working"), status(2, "idle"), status(3, "done")]))
    assert [event.data["to"] for event in news] == ["working", "idle", "done"]


def test_the_last_facts_and_token_stay() -> None:
    facts = Facts(title="t", text="last words", last_output=40.0, attached=0)
    after = exited(record(), exit_record(facts=facts, token_hash="f" * 64)).record
    assert (after.job.text, after.job.last_output, after.token_hash) == ("last words", 40.0, "f" * 64)


def test_what_has_ended_does_not_end_again() -> None:
    with pytest.raises(AlreadyEnded):
        exited(record(state="done"), exit_record())
    with pytest.raises(AlreadyEnded):
        lost(record(state="done"), "gone", 3.0)


def test_lost_is_the_daemons_own_finding() -> None:
    after = lost(record(state="working"), "its host died", 3.0).record
    assert (after.job.state, after.job.ended) == ("lost", 3.0)
    assert after.job.evidence == Evidence("daemon", "its host died", 3.0)


def test_a_report_puts_its_words_into_the_row_but_no_state() -> None:
    report = Report(
        seq=1,
        state="waiting",
        question="Which?",
        choices=[Choice("a", "A")],
        model="m1",
        session_ref="s1",
        waiting_for="choice",
    )
    after, news, _ = reported(record(state="waiting", question="on the screen"), report)
    assert (after.job.question, after.job.choices) == ("on the screen", None)
    assert (after.job.model, after.job.session_ref, after.job.name) == ("m1", "s1", "codex")
    assert [event.kind for event in news] == ["job.report"]
    assert "seq" not in news[0].data
    working = reported(record(state="working"), report).record
    assert (working.job.state, working.job.question) == ("working", None)


def test_nothing_foreign_reaches_a_terminal() -> None:
    reply = heard(record(), status(1, "waiting", question=EVIL, choices=[Choice(EVIL, EVIL)], session_ref=EVIL), 0)
    row = reply.record.job
    assert (row.question, row.session_ref) == ("]0;ownedask", "]0;ownedask")
    assert row.choices == [Choice("]0;ownedask", "]0;ownedask")]
    report = Report(seq=1, state="waiting", question=EVIL, model=EVIL, ext={EVIL: [EVIL]})
    after, news, _ = reported(record(state="waiting"), report)
    assert "\x1b" not in repr((after.job, news))
    assert news[0].data["ext"] == {"]0;ownedask": ["]0;ownedask"]}
    assert with_facts(job(), Facts(title=EVIL, text=EVIL)).title == "]0;ownedask"


def test_how_deep_something_is_nested() -> None:
    assert not deeper_than(0, "text")
    assert not deeper_than(2, {"a": [1], "b": {}})
    assert deeper_than(1, {"a": [1]})
    assert deeper_than(1, {"a": [[]]})
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    assert deeper_than(32, deep)


def test_clean_tree_keeps_what_is_no_text() -> None:
    assert clean_tree({"a": [1, None, 2.5, True]}) == {"a": [1, None, 2.5, True]}


@pytest.mark.parametrize(
    ("facts", "seen"),
    [(Facts(), False), (Facts(attached=1), True), (Facts(looked=5.0), True), (Facts(looked=0.5), False)],
)
def test_who_looked_since_the_last_change_has_seen_it(facts: Facts, seen: bool) -> None:
    assert looked_at(job(since=1.0), facts) is seen

import json
from typing import Any

import pytest

from roost_protocol.jobs import Attention, Evidence, Job
from roost_protocol.operator import Event
from roostd.notify import notices
from roostd.notify.notices import LONGEST, Notice, Turns, holds
from tests.roostd.jobs.made import job

ID = "a1b2c3d4"


def moved(before: str, after: str, seq: int = 1) -> Event:
    return Event(seq, 5.0, "job.state", ID, {"from": before, "to": after})


def whats(*events: Event, turns: Turns | None = None) -> list[str | None]:
    turns = turns or Turns()
    found = [turns.notice(event) for event in events]
    return [None if notice is None else notice.what for notice in found]


def test_a_turns_end_is_told_and_a_mere_prompt_is_not() -> None:
    assert whats(moved("starting", "idle"), moved("idle", "working"), moved("working", "idle")) == [None, None, "idle"]
    assert whats(moved("quiet", "idle"), turns=Turns([ID])) == ["idle"]
    assert whats(moved("starting", "working"), moved("working", "quiet"), moved("quiet", "idle"), moved("idle", "quiet")) == [
        None,
        None,
        "idle",
        None,
    ]
    assert whats(moved("working", "idle"), moved("quiet", "idle"), turns=Turns([ID])) == ["idle", None]


@pytest.mark.parametrize("state", ["waiting", "done", "failed", "lost"])
def test_who_needs_a_person_or_has_ended_is_told(state: str) -> None:
    assert whats(moved("working", state)) == [state]


@pytest.mark.parametrize("state", ["starting", "working", "quiet", "stopped"])
def test_nothing_else_is(state: str) -> None:
    assert whats(moved("waiting", state)) == [None]


def test_the_same_state_again_is_no_edge() -> None:
    assert whats(moved("waiting", "waiting")) == [None]


def test_other_events_are_not_told_and_a_removed_job_is_forgotten() -> None:
    turns = Turns([ID])
    others = [Event(2, 1.0, kind, ID, {}) for kind in ("job.created", "job.reply", "job.report", "job.renamed", "job.removed")]
    assert whats(*others, moved("quiet", "idle"), turns=turns) == [None] * 6


def test_a_bell_brings_its_text_and_time() -> None:
    rang = Event(7, 5.0, "job.attention", ID, {"at": 4.5, "signal": "osc9", "text": "Approve?"})
    assert Turns().notice(rang) == Notice(7, 5.0, ID, "attention", "Approve?", 4.5)


@pytest.mark.parametrize(
    ("what", "row", "expected"),
    [
        ("waiting", {"state": "waiting"}, True),
        ("waiting", {"state": "working"}, False),
        ("waiting", {"state": "waiting", "seen": True}, False),
        ("waiting", {"state": "waiting", "attached": 1}, False),
        ("done", {"state": "done"}, True),
        ("attention", {"state": "working", "seen": True, "attention": Attention(4.0, "bell")}, True),
        ("attention", {"state": "working", "attention": None}, False),
        ("attention", {"state": "working", "attention": Attention(9.0, "bell")}, False),
        ("attention", {"state": "working", "attached": 1, "attention": Attention(4.0, "bell")}, False),
    ],
)
def test_what_was_seen_or_is_over_holds_no_more(what: Any, row: dict[str, Any], expected: bool) -> None:
    assert holds(Notice(1, 5.0, ID, what, rang=4.0), job(**row)) is expected


@pytest.mark.parametrize(
    ("what", "row", "title", "body"),
    [
        ("waiting", {"state": "waiting", "waiting_for": "approval", "question": "Run it?"}, "codex waits: approval", "Run it?"),
        ("waiting", {"state": "waiting", "text": "the title"}, "codex waits for you", "the title"),
        ("idle", {"state": "idle", "name": None, "text": "fix"}, f"{ID} is idle", "fix"),
        ("done", {"state": "done"}, "codex is done", ""),
        ("failed", {"state": "failed", "exit_code": 3}, "codex failed", "exit code 3"),
        ("failed", {"state": "failed", "exit_signal": "SIGKILL"}, "codex failed", "SIGKILL"),
        ("failed", {"state": "failed"}, "codex failed", ""),
        ("lost", {"state": "lost", "evidence": Evidence("daemon", "its host died", 1.0)}, "codex is lost", "its host died"),
        ("attention", {"state": "quiet", "text": "other"}, "codex rang", "ding dong"),
    ],
)
def test_the_words(what: Any, row: dict[str, Any], title: str, body: str) -> None:
    notice = Notice(1, 5.0, ID, what, said="ding\x1b dong" if what == "attention" else None)
    assert (notices.title(notice, job(**row)), notices.body(notice, job(**row))) == (title, body)


def test_a_long_question_is_cut() -> None:
    assert notices.body(Notice(1, 5.0, ID, "waiting"), job(state="waiting", question="x" * 999)) == "x" * LONGEST


def test_a_command_gets_the_job_as_everybody_sees_it() -> None:
    row = job(state="failed", exit_code=3)
    told = json.loads(notices.facts(Notice(9, 5.0, ID, "failed"), row))
    assert (told["id"], told["at"], told["what"], told["title"], told["body"]) == (9, 5.0, "failed", "codex failed", "exit code 3")
    assert list(told["job"]) == list(Job.__struct_fields__)

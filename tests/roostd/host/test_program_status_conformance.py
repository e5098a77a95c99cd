"""Program status from the bytes that a program writes to what is said of the job: each key and each rule of OSC 7501, revision 0.2."""

from __future__ import annotations

import base64
from typing import Self

import pytest

from roost_protocol.host import Detection
from roost_protocol.jobs import Part
from roost_protocol.states import State, WaitingFor
from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.host.observer import Observer
from roostd.host.program_status import MAX_SHOWN
from roostd.host.signals import Exited


class Job:
    """A terminal that a program speaks to; a second passes with each writing."""

    def __init__(self) -> None:
        self.mirror = PyteMirror(80, 24)
        self.observer = Observer(Detection(), 0.0)
        self.replies: list[bytes] = []
        self.now = 0.0

    def write(self, data: bytes) -> Self:
        self.now += 1.0
        fed = self.mirror.feed(data)
        self.replies += fed.replies
        self.observer.hear(fed.events, self.now)
        self.observer.look(self.mirror, self.now)
        self.observer.decide(self.now)
        return self

    def say(self, *reports: str) -> Self:
        for report in reports:
            self.write(b"\x1b]7501;" + report.encode() + b"\x1b\\")
        return self

    @property
    def parts(self) -> list[Part]:
        return self.observer.signals.records.parts()

    @property
    def ids(self) -> list[str]:
        return [part.id for part in self.parts]

    @property
    def state(self) -> State:
        return self.observer.peek(self.now).state


def b64(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


def one(report: str) -> Part | None:
    """What is left of a single report."""
    parts = Job().say(report).parts
    return parts[0] if parts else None


# --- how it is written


@pytest.mark.parametrize("end", [b"\x1b\\", b"\x07"])
def test_both_ends_of_a_string_end_it(end: bytes) -> None:
    assert Job().write(b"\x1b]7501;state=working" + end).parts == [Part("", "working")]


def test_a_report_cut_anywhere_is_the_same() -> None:
    whole = b"\x1b]7501;state=blocked:kind=auth:msg=" + b64("log in").encode() + b"\x1b\\"
    for at in range(len(whole)):
        job = Job()
        job.mirror.feed(whole[:at])
        assert job.write(whole[at:]).parts == [Part("", "blocked", "login", message="log in")]


def test_it_shows_nothing_on_the_screen_and_rings_no_bell() -> None:
    job = Job().write(b"\x1b]7501;state=blocked\x07")
    assert not "".join(job.mirror.text()).strip()
    assert job.observer.signals.attention is None


@pytest.mark.parametrize("end", [b"\x1b\\", b"\x07"])
def test_the_query_is_answered_with_the_same_bytes_before_the_device_attributes(end: bytes) -> None:
    query = b"\x1b]7501;?" + end
    assert Job().write(query + b"\x1b[c").replies == [query, b"\x1b[?62;22c"]
    assert Job().write(b"\x1b[c" + query).replies == [b"\x1b[?62;22c", query]


def test_the_query_is_no_report_and_a_report_no_query() -> None:
    job = Job().write(b"\x1b]7501;?\x1b\\").say("state=idle:msg=" + b64("x"))
    assert job.ids == [""]
    assert len(job.replies) == 1


# --- the keys


@pytest.mark.parametrize(
    ("said", "state", "waits"),
    [
        ("state=idle", "idle", None),
        ("state=working", "working", None),
        ("state=done", "idle", None),
        ("state=error", "idle", None),
        ("state=blocked", "waiting", None),
        ("state=blocked:kind=permission", "waiting", "approval"),
        ("state=blocked:kind=question", "waiting", "question"),
        ("state=blocked:kind=auth", "waiting", "login"),
    ],
)
def test_state_and_kind_are_the_jobs_state(said: str, state: State, waits: WaitingFor | None) -> None:
    job = Job().say(said)
    finding = job.observer.peek(job.now).finding
    assert (finding.signal, finding.state, finding.waiting_for) == ("program-status", state, waits)


@pytest.mark.parametrize("said", ["state=asleep", "state=", "msg=eA==", "state=Working", ""])
def test_without_a_known_state_it_is_rejected(said: str) -> None:
    assert one(said) is None


@pytest.mark.parametrize("said", ["state=working:kind=auth", "state=idle:kind=permission", "state=blocked:kind=whatever"])
def test_a_kind_that_is_none_or_goes_with_another_state_is_ignored(said: str) -> None:
    part = one(said)
    assert part is not None
    assert part.waiting_for is None


@pytest.mark.parametrize("name", ["a", "A.b_c+d-9", "x" * 32, "/".join("abcdefgh"), "/".join(["x" * 31] * 4)])
def test_an_id_within_the_grammar_is_taken(name: str) -> None:
    part = one(f"state=idle:id={name}")
    assert part is not None
    assert part.id == name


@pytest.mark.parametrize(
    "name", ["", "/", "a/", "/a", "a//b", "x" * 33, "/".join("abcdefghi"), "/".join(["x" * 32] * 4), "a=b", "a,b", "ä", "a b"]
)
def test_an_id_outside_the_grammar_rejects(name: str) -> None:
    part = one(f"state=idle:id={name}")
    assert part is None or (part.id == "" and name in ("ä", "a b")), "a pair with such characters is none, and is skipped"


@pytest.mark.parametrize(
    ("said", "progress"),
    [
        ("state=working:progress=0", 0),
        ("state=working:progress=100", 100),
        ("state=blocked:progress=42", 42),
        ("state=working:progress=101", None),
        ("state=working:progress=-1", None),
        ("state=working:progress=4.5", None),
        ("state=working:progress=", None),
        ("state=idle:progress=42", None),
        ("state=done:progress=42", None),
    ],
)
def test_progress_is_a_share_of_work(said: str, progress: int | None) -> None:
    part = one(said)
    assert part is not None
    assert part.progress == progress


def test_progress_stands_beside_the_state() -> None:
    job = Job().say("state=working:progress=42:msg=" + b64("testing"))
    assert job.observer.peek(job.now).finding.detail == "testing (42 %)"


def test_an_app_is_inherited_from_the_nearest_ancestor_that_told_one() -> None:
    job = Job().say(
        "state=idle:app=root", "state=idle:id=a/b/c", "state=idle:id=a:app=near", "state=idle:id=z", "state=idle:id=a/b/d:app=own"
    )
    assert {part.id: part.app for part in job.parts} == {"": "root", "a": "near", "a/b/c": "near", "a/b/d": "own", "z": "root"}
    assert [part.app for part in Job().say("state=idle:id=a/b").parts] == [None]


@pytest.mark.parametrize("app", ["", "x" * 33, "a/b", "a=b"])
def test_an_app_that_is_none_is_ignored(app: str) -> None:
    part = one(f"state=idle:app={app}")
    assert part is not None
    assert part.app is None


def test_title_and_message_are_text_as_long_as_they_may_be() -> None:
    part = one(f"state=idle:title={b64('t' * 192)}:msg={b64('m' * 2048)}")
    assert part == Part("", "idle", title="t" * MAX_SHOWN, message="m" * MAX_SHOWN)


@pytest.mark.parametrize(
    "texts",
    [
        "title=" + b64("t" * 193),
        "msg=" + b64("m" * 2049),
        "msg=a",
        "msg=a=b=",
        "msg=" + b64(b"\xff\xfe"),
        "msg=" + b64("two\nlines"),
        "msg=" + b64("\x1b[31m"),
        "msg=" + b64("\x7f"),
        "title=" + b64("\x9b31m"),
        "title=" + b64("a\tb"),
    ],
)
def test_a_text_that_breaks_a_rule_discards_the_whole_report(texts: str) -> None:
    job = Job().say("state=working", f"state=done:{texts}")
    assert job.parts == [Part("", "working")]


def test_bidirectional_controls_are_not_shown() -> None:
    job = Job().say("state=blocked:kind=question:msg=" + b64("rm \u202e-rf\u2066 x"))
    assert [part.message for part in job.parts] == ["rm -rf x"]
    assert job.observer.peek(job.now).finding.question == "rm -rf x"


# --- pairs


def test_a_malformed_pair_is_skipped_and_an_unknown_key_ignored() -> None:
    assert one("state=working:novalue:UPPER=x:=y:mood=good:progress=1 2:::") == Part("", "working")


def test_the_last_duplicate_wins() -> None:
    assert one("state=idle:id=a:state=working:id=b:title=!!:title=" + b64("t")) == Part("b", "working", title="t")


def test_the_limits_of_a_report() -> None:
    assert one("state=idle" + ":a=b" * 15) is not None
    assert one("state=idle" + ":a=b" * 16) is None
    assert one("state=idle:a=" + "b" * (4096 - len("state=idle:a="))) is not None
    assert one("state=idle:a=" + "b" * (4097 - len("state=idle:a="))) is None


# --- records and their lives


def test_a_report_replaces_its_record_whole() -> None:
    job = Job().say("state=blocked:kind=auth:progress=3:app=x:title=" + b64("t"), "state=blocked")
    assert job.parts == [Part("", "blocked")]


def test_a_clear_takes_a_record_and_all_beneath_it() -> None:
    tree = ["state=idle", "state=idle:id=a", "state=idle:id=a/b", "state=idle:id=ab", "state=idle:id=c"]
    assert Job().say(*tree, "state=clear:id=a").ids == ["", "ab", "c"]
    assert Job().say(*tree, "state=clear:id=nobody").ids == ["", "a", "a/b", "ab", "c"]
    assert Job().say(*tree, "state=clear").ids == []


ALL = ("state=idle", "state=working:id=w", "state=blocked:id=b", "state=done:id=d", "state=error:id=e")


def test_a_shells_prompt_takes_what_works_or_is_blocked() -> None:
    assert Job().say(*ALL).write(b"\x1b]133;A\x07").ids == ["", "d", "e"]
    assert len(Job().say(*ALL).write(b"\x1b]133;B\x07\x1b]133;C\x07\x1b]133;D;0\x07").ids) == 5


def test_the_end_of_the_process_takes_what_works_or_is_blocked() -> None:
    job = Job().say(*ALL)
    job.observer.exited(Exited(job.now, 0, None, False))
    assert job.ids == ["", "d", "e"]


def test_what_is_done_or_failed_stays_until_it_is_seen() -> None:
    job = Job().say(*ALL).write(b"and so on\r\n" * 50)
    assert len(job.ids) == 5
    job.observer.looked()
    assert job.ids == ["", "b", "w"]


def test_who_has_finished_is_idle_after_it_was_seen_too() -> None:
    job = Job().say("state=done:msg=" + b64("all well"))
    job.observer.looked()
    job.now += 100
    assert (job.ids, job.state) == ([], "idle")


def test_a_hard_reset_takes_all_a_soft_one_and_another_screen_nothing() -> None:
    assert len(Job().say(*ALL).write(b"\x1b[!p\x1b[?1049h\x1b[2J\x1b[?1049l").ids) == 5
    assert Job().say(*ALL).write(b"\x1bc").ids == []


def test_of_too_many_the_least_recently_updated_goes() -> None:
    job = Job().say(*(f"state=idle:id=n{number}" for number in range(256)), "state=working:id=n0", "state=idle:id=new")
    assert len(job.ids) == 256
    assert {"n0", "new"} <= set(job.ids)
    assert "n1" not in job.ids


# --- together


@pytest.mark.parametrize(
    ("said", "state"),
    [
        (("state=idle", "state=blocked:id=a", "state=working:id=b"), "waiting"),
        (("state=error:id=a", "state=done"), "idle"),
        (("state=done", "state=working:id=a"), "working"),
        (("state=error:id=a", "state=working"), "working"),
        (("state=idle", "state=working:id=a/b/c"), "working"),
        (("state=working:id=a", "state=clear:id=a", "state=done"), "idle"),
    ],
)
def test_the_most_urgent_is_the_jobs_state_but_while_any_works_nothing_says_that_it_is_over(said: tuple[str, ...], state: State) -> None:
    assert Job().say(*said).state == state


def test_an_error_is_kept_and_shown() -> None:
    job = Job().say("state=done:id=a", "state=error:msg=" + b64("no quota"))
    assert job.observer.peek(job.now).finding.detail == "error: no quota"


def test_nothing_of_it_is_ever_sent_back() -> None:
    job = Job().say("state=working:msg=" + b64("secret"), "state=blocked:kind=permission:title=" + b64("y"), "?x", "??", "state=idle")
    assert job.replies == []


def test_a_job_without_it_has_no_parts() -> None:
    job = Job().write(b"\x1b]0;title\x07text\x1b]133;A\x07\x1bc")
    assert job.parts == []
    assert job.observer.signals.records.revision == 0

"""The pure parts: durations, widths, the table, an event's line, evidence, a picture, how a job is spoken of."""

from __future__ import annotations

import os
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roost import durations, evidence, history, picture, table, width, wording
from tests.client.fake_daemon import JOB

NASTY = "a\x1b[2J\x1b]0;x\x07b\u202e\x9bc\nd"
SAFE = "a[2J]0;xbc d"


def job(**fields: Any) -> dict[str, Any]:
    return {**JOB, **fields}


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("1.5", 1.5), ("30s", 30), ("10m", 600), ("2h", 7200), ("1d", 86400), ("0", 0)])
def test_durations_are_read(text: str, seconds: float) -> None:
    assert durations.parse(text) == seconds


@pytest.mark.parametrize("text", ["", "m", "-1", "ten", "1w", "inf", "nan", "1e300", "10 m 5"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no time"):
        durations.parse(text)


@pytest.mark.parametrize(
    ("seconds", "text"), [(-5, "0s"), (0, "0s"), (59.9, "59s"), (60, "1m"), (3599, "59m"), (3600, "1h"), (86400, "1d"), (1e7, "115d")]
)
def test_an_age_is_in_its_largest_unit(seconds: float, text: str) -> None:
    assert durations.age(seconds) == text


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("日本", 4), ("e\u0301", 1), ("👍", 2), ("❤\ufe0f", 2), ("", 0)])
def test_width(text: str, columns: int) -> None:
    assert width.width(text) == columns


@given(st.text(), st.integers(0, 30))
def test_clipped_text_fits_and_is_whole_where_it_fits(text: str, columns: int) -> None:
    clipped = width.clip(text, columns)
    assert width.width(clipped) <= columns
    assert clipped == text or clipped.endswith("…") or columns == 0


def test_padded_text_takes_its_columns() -> None:
    assert width.pad("日", 4) == "日  "


def test_those_that_need_a_person_come_first() -> None:
    jobs = [
        job(name="d", state="done", created=1, ended=7),
        job(name="f", state="failed", created=0, ended=8, attention={"at": 1, "signal": "terminal", "text": "ding"}),
        job(name="w", state="working", created=2),
        job(name="q", state="waiting", created=3),
        job(name="i", state="idle", created=4),
        job(name="r", state="working", created=5, attention={"at": 1, "signal": "terminal", "text": "ding"}),
        job(name="p", state="waiting", created=0),
        job(name="s", state="working", created=6, stalled=True),
    ]
    rows = table.lines(jobs, table.ago(1000.0))
    assert [row.split()[0] for row in rows] == ["NAME", "p", "q", "r", "i", "s", "w", "f", "d"]
    assert rows[3].split()[2:] == ["working!", "0s", "ding"]
    assert rows[5].split()[2:] == ["working?", "0s", "-"]


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"state": "waiting", "waiting_for": "approval", "question": "Run it?", "text": "t"}, "approval: Run it?"),
        ({"state": "waiting", "text": "t"}, "t"),
        ({"state": "failed", "exit_code": 3}, "exit code 3"),
        ({"state": "failed", "exit_signal": "SIGKILL"}, "SIGKILL"),
        ({"state": "failed", "evidence": {"signal": "process", "detail": "no such file", "at": 1}}, "no such file"),
        ({"state": "working", "text": None, "title": "T"}, "T"),
        ({"state": "idle", "text": "x", "attention": {"at": 1, "signal": "terminal", "text": None}}, "x"),
        ({"state": "working"}, ""),
        ({"state": "idle", "text": NASTY}, SAFE),
        ({"state": "waiting", "question": NASTY}, SAFE),
        ({"state": "waiting", "question": "  Run it?\n\n   1. Yes   2. No "}, "Run it? 1. Yes 2. No"),
        (
            {"state": "waiting", "question": "Go?", "choices": [{"id": "y", "label": "Yes"}, {"id": "n", "label": NASTY}]},
            f"Go? [1 Yes, 2 {SAFE}]",
        ),
        ({"state": "lost", "interrupted": {"state": "working", "doing": NASTY, "resume": True}}, f"was working: {SAFE}"),
        ({"state": "lost", "interrupted": {"state": "idle", "doing": None, "resume": False}}, "was idle"),
        ({"state": "working", "text": "a \t  b"}, "a b"),
    ],
)
def test_the_text_of_a_row(fields: dict[str, Any], text: str) -> None:
    assert table.text_of(job(**fields)) == text


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ({"model": NASTY}, ("MODEL", SAFE)),
        ({"context": {"used": 50_000, "limit": 200_000}}, ("CONTEXT", "25%")),
        ({"context": {"used": 84_300}}, ("CONTEXT", "84k")),
        ({"context": {"used": "much", "limit": 0}}, None),
        ({"usage": {"cost": 1.5, "input": 3}}, ("USAGE", "$1.50")),
        ({"usage": {"input": 900, "output": 99}}, ("USAGE", "999")),
        ({"usage": {"input": 2_500_000}}, ("USAGE", "2.5M")),
        ({"usage": {"cost": float("inf"), "input": True}}, None),
    ],
)
def test_what_agents_tell_has_a_column_where_one_told_it(told: dict[str, Any], shown: tuple[str, str] | None) -> None:
    header, first, other = table.lines([job(**told), job()], table.ago(1060.0))
    if shown is None:
        assert header.split() == list(table.HEADER)
        return
    assert header.split() == [*table.HEADER[:-1], shown[0], table.HEADER[-1]]
    at = header.index(shown[0])
    assert first[at:].startswith(shown[1])
    assert other[at:].startswith("- ")


def test_what_is_not_known_is_a_dash() -> None:
    assert table.cells_of(job(name=None), table.ago(1060.0)) == ("-", "0a1b2c3d", "working", "1m", "-")


@given(st.text(), st.text(), st.integers(1, 120), st.booleans())
def test_no_row_is_wider_than_the_terminal_or_moves_its_cursor(name: str, text: str, columns: int, colour: bool) -> None:
    rows = table.lines([job(name=name, text=text, state="failed", exit_code=1)], table.ago(1000.0), columns, colour)
    assert len(rows) == 2
    for row in rows:
        plain = row.replace("\x1b[31m", "").replace("\x1b[m", "")
        assert width.width(plain) <= columns
        assert not any(char < " " or "\x7f" <= char < "\xa0" for char in plain)


def test_colour_is_on_the_state_alone() -> None:
    (_, row) = table.lines([job(name="日本", state="waiting", question="waiting")], table.ago(1000.0), 80, colour=True)
    assert row == "日本  0a1b2c3d  \x1b[1;33mwaiting\x1b[m  0s     waiting"


def test_a_table_that_stays_shows_the_time_of_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    clock = table.clock(90_000.0)
    assert (clock(89_999.0), clock(0.0)) == ("00:59:59", "Jan 01 00:00")


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (("job.state", {"from": "working", "to": "waiting", "question": NASTY}), f"job.state      working -> waiting: {SAFE}"),
        (("job.state", {"to": "starting"}), "job.state      starting"),
        (("job.created", {"name": "a", "agent": "pi"}), "job.created    name a, agent pi"),
        (("job.renamed", {"from": "a", "to": "b"}), "job.renamed    a -> b"),
        (("job.removed", {}), "job.removed"),
    ],
)
def test_an_event_is_one_line(event: tuple[str, dict[str, Any]], line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    kind, data = event
    said = history.line_of({"seq": 7, "at": 0.0, "job": "0a1b2c3d", "kind": kind, "data": data}, "fix-login")
    assert said == f"     7  1970-01-01 00:00:00  0a1b2c3d  fix-login         {line}"


def test_an_event_names_its_job_as_it_is_called_by_then() -> None:
    names = history.Names([job(id="1", name="old"), job(id="2", name=None)])

    def name(job_id: str, kind: str = "job.state", **data: object) -> str:
        return names.of({"job": job_id, "kind": kind, "data": data})

    assert [name("1"), name("2"), name("3")] == ["old", "-", "-"]
    assert name("1", "job.renamed", **{"from": "old", "to": "new"}) == "new"
    assert name("1") == "new"
    assert name("3", "job.created", name="new", previous="1") == "new"
    assert [name("1"), name("3")] == ["-", "new"]
    assert names.of({"job": "3", "kind": "job.removed"}) == "new"


def test_evidence_has_the_winner_marked_and_names_who_left() -> None:
    pieces = [
        {"signal": "program-status", "says": "waiting", "detail": NASTY, "at": 990.0, "won": True, "why": "strongest"},
        {"signal": "settling", "says": "quiet", "detail": "still", "at": None, "won": False, "why": "weaker"},
    ]
    explanation = {"job": job(state="waiting", waiting_for="approval"), "evidence": pieces, "left": [{"pid": 12, "name": "app\x1b[m"}]}
    assert evidence.lines(explanation, 1000.0, 200) == [
        "fix-login (0a1b2c3d) is waiting: approval, since 0s",
        f"> program-status  waiting  10s ago  {SAFE}  strongest",
        "  settling        quiet    -        still         weaker",
        "left its session and runs on: app[m (12)",
    ]


def test_no_evidence_is_said() -> None:
    assert evidence.lines({"job": JOB, "evidence": []}, 1000.0, 80)[1:] == ["  there is no evidence yet"]


@pytest.mark.parametrize(("stalled", "changed", "shown"), [(True, 700.0, True), (True, 100.0, True), (False, 700.0, False)])
def test_stalled_work_is_said_with_how_long_it_has_been_so(stalled: bool, changed: float, shown: bool) -> None:
    found = evidence.lines({"job": job(state="working", since=700.0, last_change=changed, stalled=stalled), "evidence": []}, 1000.0, 100)
    assert found[1:-1] == (["  stalled: spinners and counters left out, nothing has changed for 5m"] if shown else [])


def test_a_long_detail_is_squeezed_and_cut_so_that_its_reason_is_seen() -> None:
    detail = "  1. Yes\n" + "     " * 20 + "日本 " * 50
    pieces = [
        {"signal": "pattern", "says": "waiting", "detail": detail, "at": 990.0, "won": True, "why": "strongest"},
        {"signal": "settling", "says": "quiet", "detail": "still", "at": 990.0, "won": False, "why": "weaker"},
    ]
    head, won, lost = evidence.lines({"job": job(state="waiting", question=detail), "evidence": pieces}, 1000.0, 62)
    assert head == "fix-login (0a1b2c3d) is waiting: 1. Yes 日本 日本 …, since 0s"
    assert won == "> pattern   waiting  10s ago  1. Yes 日本 日本 日…   strongest"
    assert lost == "  settling  quiet    10s ago  still                  weaker"


@given(st.text(), st.text(), st.integers(20, 120))
def test_no_line_of_an_explanation_is_wider_than_the_terminal(detail: str, why: str, columns: int) -> None:
    pieces = [{"signal": "pattern", "says": "waiting", "detail": detail, "at": 1.0, "won": True, "why": why}]
    left = [{"pid": 1, "name": why}]
    for line in evidence.lines({"job": job(state="waiting", question=detail), "evidence": pieces, "left": left}, 1000.0, columns):
        assert width.width(line) <= columns


def test_a_picture_keeps_colours_alone_and_no_empty_end() -> None:
    lines = ["\x1b[1mx\x1b[2J\x1b[0my", NASTY, "", "\x1b[m  "]
    assert picture.shown(lines, ansi=True) == ["\x1b[1mx[2J\x1b[0my\x1b[m", SAFE]
    assert picture.shown(["a  ", "", " "], ansi=False) == ["a"]
    for seen in ("44", "0;1;7", "38;5;4;9", "38;2;1;2;3;48;5;1", "48:5:1", "4:3"):
        assert picture.shown(["a", f"\x1b[{seen}m  \x1b[0m"], ansi=True) == ["a", f"\x1b[{seen}m  \x1b[0m\x1b[m"]
    for unseen in ("1", "38;5;44", "38;2;4;7;9", "58;5;7", "31;3"):
        assert picture.shown(["a", f"\x1b[{unseen}m  \x1b[0m"], ansi=True) == ["a"]
    assert picture.shown([""], ansi=True) == []


@pytest.mark.parametrize(
    ("fields", "words", "by_state", "own"),
    [
        ({"state": "done", "exit_code": 0}, "done", 0, 0),
        ({"state": "failed", "exit_code": 3}, "failed: exit code 3", 1, 3),
        ({"state": "failed", "exit_signal": "SIGTERM"}, "failed: SIGTERM", 1, 143),
        ({"state": "stopped", "exit_code": 0}, "stopped", 1, 0),
        ({"state": "lost"}, "lost", 1, 1),
        ({"state": "failed", "exit_signal": "SIG_DFL; x"}, "failed: SIG_DFL; x", 1, 1),
    ],
)
def test_how_a_job_ended(fields: dict[str, Any], words: str, by_state: int, own: int) -> None:
    ended = job(**fields)
    assert (wording.outcome(ended), wording.exit_by_state(ended), wording.exit_of_job(ended)) == (words, by_state, own)


def test_a_job_is_called_by_its_name_or_its_id() -> None:
    assert (wording.label(JOB), wording.full_label(JOB)) == ("fix-login", "fix-login (0a1b2c3d)")
    assert (wording.label(job(name=None)), wording.full_label(job(name=None))) == ("0a1b2c3d", "0a1b2c3d")


@pytest.fixture(autouse=True)
def _time_zone(monkeypatch: pytest.MonkeyPatch) -> Any:
    before = os.environ.get("TZ")
    yield
    monkeypatch.undo()
    assert os.environ.get("TZ") == before
    time.tzset()

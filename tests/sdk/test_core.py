"""The protocol without I/O: numbering, acknowledging, coming again; and whatever bytes a daemon may send."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roost_agent import LONGEST_PAUSE, MAX_LINE, Core, Reply, _encoded, _joined, choose

Message = dict[str, Any]
WORKING = b',"state":"working"}\n'
IDLE = b',"state":"idle"}\n'


def core(had: int = 0) -> Core:
    return Core(lambda: b'{"type":"hello"}\n', had, lambda: 1.0)


def said(made: Core) -> list[Message]:
    """Everything that it wants to send now."""
    data = b""
    while part := made.outgoing():
        made.sent(len(part))
        data += part
    return [json.loads(line) for line in data.splitlines()]


def hear(made: Core, *messages: Message) -> list[Reply]:
    return made.received(b"".join(json.dumps(message).encode() + b"\n" for message in messages))


def greet(made: Core, last_seq: int = 0, granted: tuple[str, ...] = ("report", "replies")) -> None:
    made.connected()
    assert said(made) == [{"type": "hello"}]
    hear(made, {"type": "hello", "protocol": 1, "granted": list(granted), "last_seq": last_seq})


def reply(n: int, text: str = "yes", **more: Any) -> Message:
    return {"type": "reply", "n": n, "kind": "reply", "text": text, "from": "operator", **more}


def up() -> Core:
    made = core()
    greet(made)
    return made


def test_nothing_is_said_before_hello_is_answered() -> None:
    made = core()
    made.report(1, WORKING)
    made.connected()
    assert said(made) == [{"type": "hello"}]
    hear(made, {"type": "ack", "seq": 9}, reply(1))
    assert said(made) == []
    hear(made, {"type": "hello", "granted": ["report"], "last_seq": 0})
    assert said(made) == [{"type": "report", "seq": 1, "state": "working"}]


def test_what_was_not_acked_goes_out_again_with_its_number() -> None:
    made = up()
    made.report(1, WORKING)
    (first,) = said(made)
    made.lost(0)
    greet(made, 0)
    assert said(made) == [first]
    made.lost(0)
    greet(made, 1)
    assert said(made) == []
    made.report(2, IDLE)
    assert said(made) == [{"type": "report", "seq": 2, "state": "idle"}]


def test_a_daemon_that_has_forgotten_gets_the_newest_once_more() -> None:
    made = up()
    for version in (1, 2):
        made.report(version, WORKING)
        said(made)
        hear(made, {"type": "ack", "seq": version})
    made.lost(0)
    greet(made, 1)
    assert [message["seq"] for message in said(made)] == [2]


def test_only_the_newest_is_kept_and_numbers_never_go_back() -> None:
    made = core()
    for version in range(1, 1000):
        made.report(version, WORKING)
    made.report(1000, IDLE)
    greet(made)
    assert said(made) == [{"type": "report", "seq": 1, "state": "idle"}]
    made.lost(0)
    made.report(1001, WORKING)
    greet(made, 0)
    assert said(made) == [{"type": "report", "seq": 2, "state": "working"}]


def test_a_peer_that_takes_nothing_costs_one_line() -> None:
    made = up()
    made.report(1, WORKING)
    begun = made.outgoing()
    made.sent(5)
    for version in range(2, 100):
        made.report(version, IDLE)
        assert made.outgoing() == begun[5:]
    made.sent(len(begun) - 5)
    assert [message["seq"] for message in said(made)] == [2]


def test_a_higher_ack_covers_what_was_sent_and_nothing_later() -> None:
    made = up()
    made.report(1, WORKING)
    said(made)
    hear(made, {"type": "ack", "seq": 99})
    made.report(2, IDLE)
    assert [message["seq"] for message in said(made)] == [2]
    hear(made, {"type": "ack", "seq": 1})
    made.lost(0)
    greet(made, 1)
    assert [message["seq"] for message in said(made)] == [2]


def test_a_reply_is_given_once_and_acked_when_it_is_finished() -> None:
    made = up()
    (had,) = hear(made, reply(1, request_id="r1"), reply(1))
    assert (had.n, had.text, had.kind, had.sender, had.request_id) == (1, "yes", "reply", "operator", "r1")
    made.lost(0)
    greet(made)
    assert hear(made, reply(1)) == []
    assert said(made) == []
    made.finish(1)
    assert said(made) == [{"type": "ack", "reply": 1}]
    assert hear(made, reply(1)) == []
    assert said(made) == [{"type": "ack", "reply": 1}]


def test_a_later_one_is_acked_only_behind_the_earlier() -> None:
    made = up()
    assert [each.n for each in hear(made, reply(1), reply(3), reply(4))] == [1, 3, 4]
    made.finish(3)
    assert said(made) == []
    made.finish(1)
    assert said(made) == [{"type": "ack", "reply": 3}]
    made.lost(0)
    greet(made)
    assert said(made) == [{"type": "ack", "reply": 3}]


def test_what_another_object_of_the_process_had_is_not_given_again() -> None:
    made = core(had=2)
    greet(made)
    assert [each.n for each in hear(made, reply(2), reply(3))] == [3]
    assert said(made) == [{"type": "ack", "reply": 2}]


@pytest.mark.parametrize("code", ["superseded", "unauthorized"])
def test_it_stays_away_for_good(code: str) -> None:
    made = up()
    hear(made, {"type": "error", "code": code, "message": "no"}, reply(1))
    made.report(1, WORKING)
    made.lost(0)
    assert (made.over, made.due, said(made)) == (code, None, [])


@pytest.mark.parametrize("code", ["too_large", "bad_request", "unsupported"])
def test_a_refused_report_is_dropped_and_the_next_one_goes_out(code: str) -> None:
    made = up()
    made.report(1, WORKING)
    said(made)
    hear(made, {"type": "error", "code": code, "message": "no", "re": 1})
    made.lost(0)
    greet(made, 0)
    assert said(made) == []
    made.report(2, IDLE)
    assert [message["seq"] for message in said(made)] == [2]
    assert made.refusals[0].code == code


def test_another_error_changes_nothing() -> None:
    made = up()
    made.report(1, WORKING)
    said(made)
    for error in ({"code": "full"}, {"code": "bad_request"}, {"code": "bad_request", "re": 7}, {"code": "new"}, {"re": True}):
        hear(made, {"type": "error", "message": "no", **error})
    made.lost(0)
    greet(made, 0)
    assert [message["seq"] for message in said(made)] == [1]


def test_it_comes_again_at_once_and_then_ever_later() -> None:
    made = core()
    pauses = []
    for _ in range(12):
        made.lost(100.0)
        assert made.due is not None
        pauses.append(round(made.due - 100.0, 3))
    assert pauses == [0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, LONGEST_PAUSE, LONGEST_PAUSE, LONGEST_PAUSE, LONGEST_PAUSE]


def test_a_greeting_alone_is_no_progress_but_a_first_ack_is() -> None:
    made = core()
    for _ in range(5):
        greet(made)
        made.lost(0)
    assert made.due == 0.8
    made.report(1, WORKING)
    greet(made)
    said(made)
    hear(made, {"type": "ack", "seq": 1})
    made.lost(0)
    assert made.due == 0
    greet(made, 0)  # forgotten: the same one is acked again, and that is nothing new
    said(made)
    hear(made, {"type": "ack", "seq": 1})
    made.lost(0)
    assert made.due == 0.1


def test_bye_comes_last() -> None:
    made = up()
    hear(made, reply(1))
    made.report(1, IDLE)
    made.finish(1)
    made.close()
    assert [message["type"] for message in said(made)] == ["ack", "report"]
    hear(made, {"type": "ack", "seq": 1})
    assert [message["type"] for message in said(made)] == ["bye"]
    assert made.leaving
    made.lost(0)
    assert (made.over, made.due) == ("closed", None)


def test_closing_without_anything_left_to_say_ends_at_once_and_else_waits() -> None:
    made = core()
    made.close()
    assert made.over == "closed"
    made = core()
    made.report(1, IDLE)
    made.lost(5)
    made.lost(5)
    made.close()
    assert (made.over, made.due) == (None, 0)


def test_it_says_bye_although_nothing_is_acked_when_it_waits_no_longer() -> None:
    made = up()
    made.report(1, IDLE)
    made.close()
    assert [message["type"] for message in said(made)] == ["report"]
    made.close(waits=False)
    assert [message["type"] for message in said(made)] == ["bye"]
    made = core()
    made.report(1, IDLE)
    made.close()
    made.close(waits=False)
    assert made.over == "closed"


def test_what_was_not_granted_is_not_said() -> None:
    made = core()
    made.report(1, WORKING)
    greet(made, granted=())
    assert said(made) == []
    made.close()
    assert [message["type"] for message in said(made)] == ["bye"]


def test_where_no_report_is_granted_a_question_counts_as_asked() -> None:
    made = core()
    made.report(7, WORKING)
    greet(made, granted=("replies",))
    assert said(made) == []
    assert [each.shown for each in hear(made, reply(1), reply(2, re=0))] == [7, 7]


def test_what_a_person_could_see_is_what_the_daemon_says_however_much_was_told_since() -> None:
    made = up()
    for version in (3, 5, 6):
        made.report(version, WORKING)
        said(made)
    heard = hear(made, reply(1), *(reply(n, re=re) for n, re in ((2, 0), (3, 1), (4, 2), (5, 3), (6, 9))))
    assert [each.shown for each in heard] == [6, 0, 3, 5, 6, 6]


def test_a_line_over_the_bound_ends_the_connection() -> None:
    made = up()
    made.received(b"x" * MAX_LINE)
    with pytest.raises(ConnectionError):
        made.received(b"x")
    made.lost(0)
    greet(made)
    with pytest.raises(ConnectionError):
        made.received(b"x" * (MAX_LINE + 1) + b"\n")


HOSTILE = [
    b"{",
    b"\xff\xfe",
    b"[" * 100_000,
    b"null",
    b"[]",
    b'{"type":[]}',
    b'{"type":"reply"}',
    b'{"type":"reply","n":-1,"text":"x"}',
    b'{"type":"reply","n":true,"text":"x"}',
    b'{"type":"reply","n":1.5,"text":"x"}',
    b'{"type":"reply","n":1,"text":7}',
    b'{"type":"reply","n":' + b"9" * 5000 + b',"text":"x"}',
    b'{"type":"ack","seq":null}',
    b'{"type":"error"}',
    b'{"type":"error","code":{},"message":[],"re":"1"}',
    b'{"type":"hello","granted":null}',
    b'{"type":"news","n":1}',
    b"   ",
]


@given(st.lists(st.sampled_from(HOSTILE), max_size=8), st.lists(st.integers(1, 40), max_size=30))
def test_what_makes_no_sense_is_passed_over_in_any_chunking(lines: list[bytes], cuts: list[int]) -> None:
    made = up()
    made.report(1, WORKING)
    said(made)
    right = [json.dumps(reply(1, "é")).encode(), b'{"type":"ack","seq":1,"new":{"a":[1]}}']
    data = b"\n".join([*lines, right[0], *lines, right[1]]) + b"\n"
    heard: list[Reply] = []
    for cut in cuts:
        heard += made.received(data[:cut])
        data = data[cut:]
    heard += made.received(data)
    assert [(each.n, each.text) for each in heard] == [(1, "é")]
    made.close()
    assert [message["type"] for message in said(made)] == ["bye"]


@given(st.lists(st.binary(max_size=200), max_size=10), st.booleans())
def test_no_bytes_raise_anything_but_a_cut(chunks: list[bytes], greeted: bool) -> None:
    made = core()
    made.connected()
    if greeted:
        hear(made, {"type": "hello", "granted": ["report", "replies"], "last_seq": 0})
    try:
        for chunk in chunks:
            made.received(chunk)
    except ConnectionError:
        pass
    made.lost(0)
    assert made.due is not None or made.over in ("superseded", "unauthorized")


MESSAGES = st.one_of(
    st.builds(lambda n: {"type": "ack", "seq": n}, st.integers(-2, 9)),
    st.builds(reply, st.integers(-1, 6)),
    st.builds(lambda n: {"type": "hello", "granted": ["report", "replies"], "last_seq": n}, st.integers(0, 9)),
    st.builds(lambda n: {"type": "error", "code": "bad_request", "message": "", "re": n}, st.integers(0, 9)),
)
STEPS = st.one_of(MESSAGES, st.sampled_from(["report", "finish", "cut", "say"]))


@given(st.lists(STEPS, max_size=40))
def test_numbers_rise_and_replies_come_once_whatever_happens(steps: list[Message | str]) -> None:
    made, version, seqs, had, acked = core(), 0, [0], [0], 0
    made.connected()
    for step in steps:
        if step == "report":
            made.report(version := version + 1, WORKING)
        elif step == "finish":
            made.finish(had[-1])
        elif step == "cut":
            made.lost(0)
            made.connected()
        elif isinstance(step, dict):
            try:
                had += [each.n for each in hear(made, step)]
            except ConnectionError:  # an error in the place of a greeting
                made.lost(0)
                made.connected()
        for message in said(made):
            seqs += [message["seq"]] if message["type"] == "report" else []
            acked = message["reply"] if message["type"] == "ack" else acked
            assert acked in [0, *had]
    assert seqs == sorted(seqs)
    assert had == sorted(set(had))


YES_NO = [("yes", "yes"), ("no", "no")]
REGIONS = [("eu-1", "Europe"), ("us-1", "United States"), ("us-2", "Utah"), ("2", "second")]


@pytest.mark.parametrize(
    ("text", "choices", "meant"),
    [
        ("yes", YES_NO, "yes"),
        (" Y\n", YES_NO, "yes"),
        ("N", YES_NO, "no"),
        ("2", YES_NO, "no"),
        ("3", YES_NO, "3"),
        ("0", YES_NO, "0"),
        ("", YES_NO, ""),
        ("perhaps", YES_NO, "perhaps"),
        ("y", [("ok", "Yes"), ("yours", "Your way")], "ok"),
        ("n", [("never", "Never"), ("now", "Now")], "n"),
        ("no", [("never", "Never"), ("now", "Now")], "no"),
        ("n", [("never", "Never"), ("go", "Go")], "never"),
        ("y", [("a", "Yes, once"), ("b", "Yes, always")], "y"),
        ("y", [("a", "Yes, once"), ("b", "Not now")], "a"),
        ("eu", REGIONS, "eu-1"),
        ("us", REGIONS, "us"),
        ("united", REGIONS, "us-1"),
        ("UTAH", REGIONS, "us-2"),
        ("2", REGIONS, "2"),
        ("1", REGIONS, "eu-1"),
        ("²", REGIONS, "²"),
        ("free text", [], "free text"),
    ],
)
def test_what_a_person_meant(text: str, choices: list[tuple[str, str]], meant: str) -> None:
    assert choose(text, choices) == meant


def test_texts_are_cut_and_lists_are_bounded() -> None:
    assert json.loads(_encoded("status", "é" * 5000)) == "é" * 4096
    assert json.loads(_encoded("model", "m" * 5000)) == "m" * 256
    assert len(json.loads(_encoded("links", ["l"] * 90))) == 50
    assert json.loads(_encoded("choices", ["yes", ("n", "No")])) == [{"id": "yes", "label": "yes"}, {"id": "n", "label": "No"}]
    assert json.loads(_encoded("status", "a\ud800b\n\x00")) == "a?b\n\x00"


def nested(deep: int) -> dict[str, Any]:
    return {"in": nested(deep - 1)} if deep > 1 else {"in": 1}


def test_what_a_daemon_would_refuse_is_not_sent() -> None:
    assert json.loads(_encoded("ext", nested(32))) == nested(32)
    circle: dict[str, Any] = {}
    circle["in"] = circle
    for name, value in [
        ("ext", nested(33)),
        ("ext", circle),
        ("usage", [1]),
        ("usage", {"n": float("nan")}),
        ("waiting_for", "tea"),
        ("links", "l"),
        ("choices", "yes"),
    ]:
        with pytest.raises((TypeError, ValueError)):
            _encoded(name, value)
    with pytest.raises(TypeError):
        _encoded("ext", {"x": object()})


def test_a_report_has_room_in_a_line() -> None:
    line, lost = _joined("idle", {"ext": json.dumps({"x": "y" * MAX_LINE}), "status": '"kept"'})
    assert lost == ["ext"]
    assert json.loads(b'{"seq":1' + line) == {"seq": 1, "state": "idle", "status": "kept"}

"""The kit's pure parts: patterns and templates, the rules that hold everywhere, the fake daemon."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roost.conformance.broken import Broken
from roost.conformance.daemon import Connection, Daemon, encode
from roost.conformance.patterns import filled, fits
from roost.conformance.steps import most_in_a_second
from roost.conformance.watch import Said, Watch

Json = dict[str, Any]
JOB, TOKEN = "0a1b2c3d", "f00d" * 16
HELLO: Json = {"type": "hello", "job": JOB, "token": TOKEN, "epoch": "e", "protocol": 1, "capabilities": ["report", "replies"]}
REPORT: Json = {"type": "report", "seq": 1, "state": "working"}


def watching() -> Watch:
    watch = Watch(JOB, TOKEN)
    watch.capabilities = ["report", "replies"]
    return watch


def said(watch: Watch, *messages: Json, on: Said | None = None) -> Said:
    on = on or Said()
    for message in messages:
        watch.take(on, json.dumps(message).encode())
    return on


@pytest.mark.parametrize(
    ("pattern", "value", "does"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1}, {"a": True}, False),
        ({"a": None}, {}, True),
        ({"a": {"$absent": True}}, {"a": None}, True),
        ({"a": {"$absent": True}}, {"a": 0}, False),
        ({"a": {"$not": ""}}, {"a": "x"}, True),
        ({"a": {"$not": ""}}, {"a": ""}, False),
        ({"a": {"$any": [1, {"$least": 5}]}}, {"a": 7}, True),
        ({"a": {"$any": [1, {"$least": 5}]}}, {"a": 4}, False),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2, "c": 3}]}, True),
        ({"a": [1]}, {"a": [1, 2]}, False),
        ({"a": "$kept"}, {"a": 9}, True),
        ({"a": "$kept"}, {"a": 8}, False),
        ({"a": {"$pad": 3}}, {"a": "xxx"}, True),
        ({"a": {"b": 1}}, {"a": "b"}, False),
    ],
)
def test_patterns(pattern: Any, value: Any, does: bool) -> None:
    assert fits(pattern, value, {"kept": 9}) is does


def test_templates() -> None:
    template = {"n": "$i", "t": "number $i of $is", "d": {"$deep": 3}, "l": {"$repeat": 2, "of": "c$i"}}
    assert filled(template, {"i": 4}) == {"n": 4, "t": "number 4 of $is", "d": {"in": {"in": {}}}, "l": ["c1", "c2"]}


def test_most_in_a_second() -> None:
    assert most_in_a_second([]) == 0
    assert most_in_a_second([0.0, 0.1, 0.9, 1.0, 1.05, 1.5, 3.0]) == 4


BROKEN: dict[str, list[Json]] = {
    "hello is the first line": [REPORT],
    "hello was said twice": [HELLO, HELLO],
    "another job or token": [{**HELLO, "job": "other"}],
    "more than once": [{**HELLO, "agent": {"name": TOKEN}}],
    "says protocol 2": [{**HELLO, "protocol": 2}],
    "announces": [{**HELLO, "capabilities": ["report"]}],
    "the token stands in report": [HELLO, {**REPORT, "status": TOKEN}],
    "seq 1 came behind 1": [HELLO, REPORT, REPORT],
    "no message of version 1": [HELLO, {**REPORT, "state": "busy"}],
    "not in version 1: mood": [HELLO, {**REPORT, "mood": "good"}],
    "nested deeper than 32": [HELLO, {**REPORT, "ext": filled({"$deep": 34}, {})}],
    "reply 1 was acked, and the agent has acted on none": [HELLO, {"type": "ack", "reply": 1}],
    "behind bye": [HELLO, {"type": "bye"}, REPORT],
}


@pytest.mark.parametrize("reason", BROKEN)
def test_what_no_client_may_say(reason: str) -> None:
    *right, wrong = BROKEN[reason]
    watch = watching()
    on = said(watch, *right)
    with pytest.raises(Broken, match=reason):
        said(watch, wrong, on=on)


def test_numbers_over_connections() -> None:
    watch = watching()
    said(watch, HELLO, REPORT, {**REPORT, "seq": 4})
    said(watch, HELLO, {**REPORT, "seq": 4}, {**REPORT, "seq": 5})
    with pytest.raises(Broken, match="other contents"):
        said(watch, HELLO, {**REPORT, "seq": 4, "state": "idle"})
    with pytest.raises(Broken, match="seq never goes back"):
        said(watch, HELLO, {**REPORT, "seq": 3})


def test_epochs_over_processes() -> None:
    watch = watching()
    said(watch, HELLO)
    with pytest.raises(Broken, match="the epoch changed"):
        said(watch, {**HELLO, "epoch": "other"})
    watch.new_process()
    watch.capabilities = ["report", "replies"]
    with pytest.raises(Broken, match="another process has the same epoch"):
        said(watch, HELLO)


def test_acks_never_go_down() -> None:
    watch = watching()
    watch.finished = 2
    on = said(watch, HELLO, {"type": "ack", "reply": 2})
    with pytest.raises(Broken, match="never go down"):
        said(watch, {"type": "ack", "reply": 1}, on=on)


def test_each_reply_is_handed_over_once_in_order() -> None:
    watch = watching()
    watch.given(2)
    for n in (2, 1):
        with pytest.raises(Broken, match="once, in order"):
            watch.given(n)


@given(st.data())
def test_the_daemon_takes_any_chunking(data: st.DataObject) -> None:
    stream = b"".join(map(encode, [HELLO, REPORT, {**REPORT, "seq": 2, "status": "é"}, {"type": "bye"}]))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    daemon, connection = Daemon(JOB, watching()), Connection()
    daemon.reply(connection, "reply", "early")
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        daemon.feed(connection, stream[start:end])
    answers = [json.loads(line) for line in b"".join(connection.out).splitlines()]
    assert [answer["type"] for answer in answers] == ["hello", "reply", "ack", "ack"]
    assert connection.ending


@given(st.binary())
def test_no_bytes_of_a_client_s_break_the_kit(data: bytes) -> None:
    with suppress(Broken):
        Daemon(JOB, watching()).feed(Connection(), data + b"\n")

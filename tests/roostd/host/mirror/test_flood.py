"""A flood ends as if every line had been drawn."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roostd.host.mirror import flood
from roostd.host.mirror.history import MAX_ROWS
from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.host.mirror.screen import Screen
from tests.roostd.host.mirror.looks import PIECES, everything_of, screen_of

LINES = [
    b"plain text\r\n", b"\r\n", b"\x1b[31mred\r\n", b"\x1b[44mblue row\r\n", b"\x1b[0mreset\r\n", b"\x1b[m\r\n", b"tab\there\r\n",
    b"only a line feed\n", "wide 漢字 e\u0301 ⚠️\r\n".encode(), b"a line that is longer than the screen is wide\r\n",
    b"\x1b[Kerased\x1b[1K\x1b[2K\r\n", b"\x1b[1;4:3mlook\x1b[22m\r\n", b"x\rover\r\n", "\u00a0\u00b7\r\n".encode(),
]  # fmt: skip
BEFORE = [
    b"",
    b"before\r\n",
    b"\x1b[?1049h",
    b"\x1b[2;3r",
    b"\x1b[5;41m",
    b"\x1b]8;;a\x07",
    b"\x1b[4h",
    b"\x1b[20h",
    b"\x1b[?7l",
    b"\x1b[?2027h",
]
AFTER = [b"", b"last", b"\x1b[H\x1b[2Jx", b"\x1b[31", b"\xe6\xbc", b"\x1b[5A\x1b[K", b"\x07\x1b[6n"]


def flooded(seed: int, lines: int) -> bytes:
    chosen = random.Random(seed)
    return b"".join(chosen.choice(LINES) for _ in range(lines))


@pytest.mark.parametrize("before", BEFORE)
def test_what_is_left_out_is_not_missed(before: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    data = flooded(len(before), 30 * MAX_ROWS)
    mirror = PyteMirror(20, 6)
    mirror.feed(before)
    for at in range(0, len(data), 4_096):
        assert mirror.feed(data[at : at + 4_096]) == mirror.feed(b"")
    monkeypatch.setattr(flood, "SMALLEST", 1 << 30)
    drawn = PyteMirror(20, 6)
    drawn.feed(before)
    drawn.feed(data)
    assert everything_of(mirror) == everything_of(drawn)
    assert mirror.history_cells(MAX_ROWS) == drawn.history_cells(MAX_ROWS)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 99), st.sampled_from(BEFORE), st.sampled_from(AFTER), st.integers(500, 6_000))
def test_any_flood(seed: int, before: bytes, after: bytes, cut: int) -> None:
    data = before + flooded(seed, MAX_ROWS + 900) + after
    mirror, drawn = PyteMirror(9, 4), PyteMirror(9, 4)
    for at in range(0, len(data), cut):
        mirror.feed(data[at : at + cut])
    for at in range(0, len(data), flood.SMALLEST - 1):
        drawn.feed(data[at : at + flood.SMALLEST - 1])
    assert everything_of(mirror) == everything_of(drawn)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([(20, 6), (9, 4), (3, 1), (40, 3)]),
    st.lists(
        st.one_of(
            st.tuples(st.just("flood"), st.integers(0, 99), st.integers(1, 300)),
            st.tuples(st.just("more"), st.integers(0, 99), st.integers(1, 12)),
            st.tuples(st.just("feed"), st.sampled_from([*BEFORE, *AFTER]), st.just(0)),
            st.tuples(st.just("feed"), st.sampled_from(PIECES), st.just(0)),
            st.tuples(st.just("resize"), st.integers(1, 30), st.integers(1, 9)),
            st.tuples(st.sampled_from(["look", "history", "cells", "repaint"]), st.just(0), st.just(0)),
        ),
        max_size=30,
    ),
)
def test_looks_in_between_change_nothing(size: tuple[int, int], steps: list[tuple[str, Any, int]]) -> None:
    mirror, drawn = PyteMirror(*size), PyteMirror(*size)
    for what, value, number in steps:
        if what in ("flood", "more", "feed"):
            data = value if what == "feed" else flooded(value, number)
            mirror.feed(data)
            for at in range(0, len(data), flood.SMALLEST - 1):
                drawn.feed(data[at : at + flood.SMALLEST - 1])
                drawn.history(1)
        elif what == "resize":
            mirror.resize(value, number)
            drawn.resize(value, number)
        elif what == "look":
            assert screen_of(mirror) == screen_of(drawn)
        elif what == "history":
            assert mirror.history(number) == drawn.history(number)
            assert mirror.history_size == drawn.history_size
        else:
            assert mirror.cells() == drawn.cells()
            assert mirror.repaint() == drawn.repaint()
    assert everything_of(mirror) == everything_of(drawn)
    assert mirror.history_cells(MAX_ROWS) == drawn.history_cells(MAX_ROWS)


def test_a_look_draws_what_can_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(Screen, "draw", lambda screen, text: drawn.append(text))
    mirror = PyteMirror(20, 6)
    for look in range(1, 4):
        for number in range(100 * look, 100 * look + 100):
            mirror.feed((b"x" * 20 + b"%d\r\n" % number) * 50)
        drawn.clear()
        mirror.text()
        assert 0 < len(drawn) < 20
    assert mirror.history_size == MAX_ROWS
    assert len(drawn) >= MAX_ROWS


def test_little_is_drawn_of_much() -> None:
    lines = flood.needed(6)
    assert flood.before_last(b"x\r\n" * lines, lines, 6) == 0
    assert flood.before_last(b"x\r\n" * (lines + 500), lines, 6) == 3 * 500
    assert flood.before_last(b"x\n" * (lines + 500), lines, 6) == 0
    assert flood.before_last(b"\r\n\r\n" + b"x\n" * lines, lines, 2) == 4
    assert flood.before_last(b"\r\n\r\n" + b"x\n" * lines, lines, 3) == 0


def test_long_lines_are_drawn_at_once() -> None:
    assert flood.promises(b"x" * 100 + b"\r\n", 40)
    assert not flood.promises(b"x" * 500 + b"\r\n", 40)


@pytest.mark.parametrize("data", [b"\x07", b"\x1b[H", b"\x1b]0;t\x07", b"\x0e", b"\x7f", "\x9b".encode(), b"\x1b[6n", b"\x08", b"\x1b[?1m"])
def test_what_does_more_than_scroll(data: bytes) -> None:
    assert flood.harmless(b"text\r\n" + data, b"") is None


@pytest.mark.parametrize("cut", [b"\x1b", b"\x1b[", b"\x1b[38;2;1", b"\xc2", b"\xe6", b"\xe6\xbc", b"\xf0\x9f\x98"])
def test_what_is_cut_is_judged_later(cut: bytes) -> None:
    assert flood.harmless(b"text" + cut, b"") == cut
    assert flood.harmless({b"\xc2": b"\x9bm", b"\x1b": b"H"}.get(cut[:1], b"\xc2\x9b"), cut) is None

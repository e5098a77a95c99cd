"""What a flood pushed into the history is drawn when it is asked for, to the same end. The other engine keeps it back until a look."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roostd.host.mirror import flood, pyte_mirror
from roostd.host.mirror.ghostty_mirror import GhosttyMirror
from roostd.host.mirror.history import MAX_ROWS
from roostd.host.mirror.screen import Screen
from tests.roostd.host.mirror.looks import PIECES, everything_of, screen_of
from tests.roostd.host.mirror.test_flood import AFTER, BEFORE, flooded
from tests.support.needs import needs

SIZES = st.sampled_from([(20, 6), (9, 4), (3, 1), (40, 3)])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("flood"), st.integers(0, 99), st.integers(1, 300)),
        st.tuples(st.just("more"), st.integers(0, 99), st.integers(1, 12)),
        st.tuples(st.just("feed"), st.sampled_from([*BEFORE, *AFTER]), st.just(0)),
        st.tuples(st.just("feed"), st.sampled_from(PIECES), st.just(0)),
        st.tuples(st.just("resize"), st.integers(1, 30), st.integers(1, 9)),
        st.tuples(st.sampled_from(["look", "history", "cells", "repaint"]), st.just(0), st.just(0)),
    ),
    max_size=30,
)


@settings(max_examples=60, deadline=None)
@given(SIZES, STEPS)
def test_looks_in_between_change_nothing(size: tuple[int, int], steps: list[tuple[str, Any, int]]) -> None:
    look_in_between(pyte_mirror.PyteMirror(*size), pyte_mirror.PyteMirror(*size), steps)


@settings(max_examples=60, deadline=None)
@given(SIZES, STEPS)
def test_looks_change_nothing_in_the_library(size: tuple[int, int], steps: list[tuple[str, Any, int]]) -> None:
    needs("pyghostty")
    look_in_between(GhosttyMirror(*size), GhosttyMirror(*size), steps)


def look_in_between(mirror: pyte_mirror.PyteMirror, drawn: pyte_mirror.PyteMirror, steps: list[tuple[str, Any, int]]) -> None:
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
    mirror = pyte_mirror.PyteMirror(20, 6)
    for look in range(1, 4):
        for number in range(100 * look, 100 * look + 100):
            mirror.feed((b"x" * 20 + b"%d\r\n" % number) * 50)
        drawn.clear()
        mirror.text()
        assert 0 < len(drawn) < 20
    assert mirror.history_size == MAX_ROWS
    assert len(drawn) >= MAX_ROWS

"""What kind of change a small one is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roostd.host.animation import STEPS, Animations, Pace, content, differing, same_content


def step(animations: Animations, row: int, before: str, after: str, now: float, *, busy: bool) -> tuple[bool, bool]:
    return animations.step(row, before, after, differing(before, after), now, busy=busy)


@pytest.mark.parametrize(
    ("before", "after", "cells"),
    [("abc", "abd", 1), ("abc", "abc   ", 0), ("", "  x", 1), ("abc", "", 3), ("■■⬝", "⬝■■", 2), ("", "", 0)],
)
def test_how_many_cells_differ(before: str, after: str, cells: int) -> None:
    assert len(differing(before, after)) == cells


def test_what_moves_is_not_of_the_content() -> None:
    assert content("⠋ Working  (12s)") == content("⠙ Working (9s)")
    assert content("a") != content("b")


@given(st.text("ab -/90⠋●\t é漢", max_size=9), st.text("ab -/90⠋●\t é漢", max_size=9), st.text("b 1⠋", max_size=3))
def test_whether_the_content_is_the_same_is_seen_where_rows_differ(start: str, end: str, other: str) -> None:
    for before, after in ((start + end, start + other + end), (start + other + end, end)):
        if before != after:
            assert same_content(before, after, differing(before, after)) == (content(before) == content(after))


def test_a_pace_is_known_after_some_steps_and_lost_by_a_pause() -> None:
    def fast(*times: float) -> bool:
        pace = Pace()
        for at in times:
            pace.step(at)
        return pace.fast

    turning = [step / 10 for step in range(STEPS + 1)]
    assert not fast(*turning[:-1])
    assert fast(*turning)
    assert not fast(*turning, 5.0)


def test_new_text_is_life_and_no_animation() -> None:
    assert step(Animations(), 0, "one", "one two", 1.0, busy=False) == (False, True)


def test_what_a_row_has_shown_before_is_an_animation() -> None:
    animations = Animations()
    step(animations, 0, "on", "off", 1.0, busy=True)
    assert step(animations, 0, "off", "on", 2.0, busy=True) == (True, False)


def test_a_spinner_that_turned_is_known_while_it_is_shown() -> None:
    animations = Animations()
    rows = ["x", "⠋ Working"]
    assert not animations.still_there(rows)
    for turn in range(2 * STEPS):
        step(animations, 1, "⠋ Working", "⠙ Working", turn / 10, busy=True)
    assert animations.still_there(rows)
    assert not animations.still_there(["x", "Worked"])
    assert not animations.still_there(rows), "it is over"


def test_no_more_rows_are_remembered_than_a_screen_could_animate() -> None:
    animations = Animations()
    for row in range(1000):
        step(animations, row, f"a{row}x", f"b{row}y", row / 10, busy=False)
        step(animations, 3, f"{row}", f"{row + 1}", row / 10, busy=False)
    assert len(animations._places) <= 8
    assert len(animations._idle) <= 16

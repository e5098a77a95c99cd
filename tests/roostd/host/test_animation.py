"""What kind of change a small one is."""

import pytest

from roostd.host.animation import STEPS, Animations, Pace, content, differing


@pytest.mark.parametrize(
    ("before", "after", "cells"),
    [("abc", "abd", 1), ("abc", "abc   ", 0), ("", "  x", 1), ("abc", "", 3), ("■■⬝", "⬝■■", 2), ("", "", 0)],
)
def test_how_many_cells_differ(before: str, after: str, cells: int) -> None:
    assert differing(before, after) == cells


def test_what_moves_is_not_of_the_content() -> None:
    assert content("⠋ Working  (12s)") == content("⠙ Working (9s)")
    assert content("a") != content("b")


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
    assert Animations().step(0, "one", "one two", 1.0, busy=False) == (False, True)


def test_what_a_row_has_shown_before_is_an_animation() -> None:
    animations = Animations()
    animations.step(0, "on", "off", 1.0, busy=True)
    assert animations.step(0, "off", "on", 2.0, busy=True) == (True, False)


def test_a_spinner_that_turned_is_known_while_it_is_shown() -> None:
    animations = Animations()
    rows = ["x", "⠋ Working"]
    assert not animations.still_there(rows)
    for step in range(2 * STEPS):
        animations.step(1, "⠋ Working", "⠙ Working", step / 10, busy=True)
    assert animations.still_there(rows)
    assert not animations.still_there(["x", "Worked"])
    assert not animations.still_there(rows), "it is over"


def test_no_more_rows_are_remembered_than_a_screen_could_animate() -> None:
    animations = Animations()
    for row in range(1000):
        animations.step(row, f"a{row}x", f"b{row}y", row / 10, busy=False)
        animations.step(3, f"{row}", f"{row + 1}", row / 10, busy=False)
    assert len(animations._places) <= 8
    assert len(animations._idle) <= 16

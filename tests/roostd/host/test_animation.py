"""What kind of change a small one is."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roostd.host.animation import STEPS, Animations, Pace, content, differing, same_content


def step(animations: Animations, row: int, before: str, after: str, now: float, *, busy: bool) -> tuple[bool, bool]:
    return animations.step(row, before, after, differing(before, after), now, busy=busy)


def still(animations: Animations, rows: list[str], cursor_row: int = 9, now: float = 5.0, *, alive: bool = False) -> bool:
    return animations.still_there(rows, rows, cursor_row, now, alive=alive)


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
    assert not still(animations, rows)
    for turn in range(2 * STEPS):
        step(animations, 1, "⠋ Working", "⠙ Working", turn / 10, busy=True)
    assert still(animations, rows)
    assert not still(animations, ["x", "Worked"])
    assert not still(animations, rows), "it is over"


@pytest.mark.parametrize(
    ("inline", "cursor_row", "now", "alive", "there"),
    [
        (False, 3, 5.0, False, True),
        (True, 1, 5.0, False, True),
        (True, 2, 0.7, False, False),
        (False, 3, 0.9, True, True),
        (False, 3, 5.0, True, False),
    ],
)
def test_a_spinner_is_over_once_the_program_goes_on_without_it(inline: bool, cursor_row: int, now: float, alive: bool, there: bool) -> None:
    animations = Animations()
    for turn in range(2 * STEPS):
        animations.step(1, "⠋ Working", "⠙ Working", [0], turn / 10, busy=True, inline=inline)
    assert still(animations, ["x", "⠋ Working", ""], cursor_row, now, alive=alive) == there


def test_what_goes_round_slowly_is_work_if_it_began_with_it() -> None:
    def lives(busy: bool, *pictures: str) -> bool:
        animations, life = Animations(), False
        for turn, (before, after) in enumerate(pairwise(pictures * 4)):
            life = step(animations, 0, before, after, turn * 0.5, busy=busy)[1]
        return life

    assert lives(True, "so .", "so ..", "so ...")
    assert not lives(True, "so *", "so")
    assert not lives(False, "so .", "so ..", "so ...")
    assert lives(True, "so .", "so ..", "so ...", "so ..")


def test_several_rows_that_move_together_are_a_picture_and_several_spinners_are_not() -> None:
    animations = Animations()
    cat = [r"  /\_ here", "  o.o", "  > <"]
    moved = [r"   /\ here", "  -.-", " >  <"]
    columns = [differing(was, now) for was, now in zip(cat, moved, strict=True)]
    assert animations.picture(cat, moved, [0, 1, 2], columns)
    assert not animations.picture(cat, moved, [0, 1], columns[:2]), "a spinner and what it says"
    assert not animations.picture(["⠋ a", "⠋ b", "⠋ c"], ["⠙ a", "⠙ b", "⠙ c"], [0, 1, 2], [[0]] * 3)
    assert not animations.picture(["1 a", "b 1", "1 c"], ["2 a", "b 2", "2 c"], [0, 1, 2], [[0], [2], [0]]), "it counts"


def test_no_more_rows_are_remembered_than_a_screen_could_animate() -> None:
    animations = Animations()
    for row in range(1000):
        step(animations, row, f"a{row}x", f"b{row}y", row / 10, busy=False)
        step(animations, 3, f"{row}", f"{row + 1}", row / 10, busy=False)
    assert len(animations._places) <= 8
    assert len(animations._idle) <= 16

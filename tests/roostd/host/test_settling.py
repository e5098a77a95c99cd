import pytest

from roostd.host.settling import Settling, without_spinner


def looked(*looks: tuple[float, list[str]], cursor_row: int = 9, busy: bool = False) -> Settling:
    settling = Settling()
    for now, rows in looks:
        settling.look(rows, cursor_row, now, busy=busy)
    return settling


def test_a_still_screen_is_as_old_as_its_last_change() -> None:
    settling = looked((1.0, ["a"]), (2.0, ["a", "b"]), (3.0, ["a", "b"]))
    assert (settling.life, settling.change) == (2.0, 2.0)


def test_nothing_was_seen_yet() -> None:
    assert (Settling().life, Settling().change) == (None, None)


def test_the_cursors_row_and_empty_rows_count_for_nothing() -> None:
    settling = looked((1.0, ["a", "> "]), (2.0, ["a", "> typed", "", ""]), cursor_row=1)
    assert settling.life == 1.0


@pytest.mark.parametrize(("before", "after"), [("⠋ Working", "⠙ Working"), ("(12s • esc)", "(13s • esc)"), ("- x", "\\ x"), ("■⬝⬝", "⬝■⬝")])
def test_an_animation_is_life_and_no_change(before: str, after: str) -> None:
    settling = looked((1.0, [before]), (2.0, [after]))
    assert (settling.life, settling.change) == (2.0, 1.0)


def test_what_typing_or_a_resize_changes_is_no_progress() -> None:
    settling = looked((1.0, ["a"]))
    settling.excuse(3.0)
    settling.look(["a", "menu"], 9, 2.0, busy=False)
    assert settling.life == 1.0
    settling.look(["a", "menu"], 9, 3.5, busy=False)
    assert settling.life == 1.0, "what it was excused for is not news later"
    settling.look(["a", "menu", "b"], 9, 3.6, busy=False)
    assert settling.life == 3.6


def test_an_excused_change_keeps_work_alive_but_starts_none() -> None:
    settling = looked((1.0, ["a"]))
    settling.excuse(3.0)
    settling.look(["b"], 9, 2.0, busy=True)
    assert settling.life == 2.0


def test_a_submit_ends_the_excuse() -> None:
    settling = looked((1.0, ["a"]))
    settling.excuse(3.0)
    settling.no_excuse()
    settling.look(["b"], 9, 2.0, busy=False)
    assert settling.life == 2.0


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("⠋ fix the bug", "fix the bug"),
        ("✳ roost", "roost"),
        ("◐ x ◑", "x"),
        ("plain - title 3", "plain - title 3"),
        ("⠋", ""),
        ("[ ! ] x", "[ ! ] x"),
    ],
)
def test_a_title_loses_its_spinner(title: str, shown: str) -> None:
    assert without_spinner(title) == shown

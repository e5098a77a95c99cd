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
    settling = looked((1.0, ["a", "> ", ""]), (2.0, ["a", "> typed", ""]), cursor_row=1)
    assert settling.life == 1.0
    settling.look(["a", "> typed on", ""], 1, 3.0, busy=True)
    assert settling.life == 3.0, "who works may write in it"


@pytest.mark.parametrize(("before", "after"), [("⠋ Working", "⠙ Working"), ("(12s • esc)", "(13s • esc)"), ("- x", "\\ x"), ("■⬝⬝", "⬝■⬝")])
@pytest.mark.parametrize("busy", [False, True])
def test_an_animation_that_turns_is_life_and_no_change(before: str, after: str, busy: bool) -> None:
    settling = Settling()
    for step in range(10):
        settling.look(["a", after if step % 2 else before], 9, 1.0 + step / 10, busy=busy)
    assert (settling.life, settling.change) == (1.9, 1.0)


def test_a_spinner_of_glyphs_that_nobody_knows_turns_as_well() -> None:
    settling = Settling()
    for step in range(20):
        settling.look(["a", "◜◝◞◟"[step % 4] + " so"], 9, 1.0 + step / 10, busy=False)
    assert settling.life == pytest.approx(2.9)


def test_a_slow_beat_is_no_life_but_a_counter_of_work_is() -> None:
    assert beaten(["*", "", "*", "", "*", ""], busy=True) == 1.0, "only what is new can be text"
    assert beaten([f"12:00:{second:02}" for second in range(6)], busy=True) == 0.0
    assert beaten([f"up {second}" for second in range(6)], busy=False) == 0.0
    assert beaten([f"({second}s)" for second in range(6)], busy=True) == 5.0
    assert beaten(["⠋ a", "⠙ a", "⠹ a", "⠸ a"], busy=True) == 0.0


def test_a_counter_that_runs_while_nothing_is_done_is_none_of_work() -> None:
    settling = looked(*[(float(second), ["x", f"up {second}"]) for second in range(5)])
    for second in range(5, 9):
        settling.look(["x", f"up {second}"], 9, float(second), busy=True)
    assert settling.life == 0.0


def beaten(values: list[str], *, busy: bool) -> float | None:
    """When the last sign of life was, of a row that shows one value each second."""
    return looked(*[(float(second), ["x", value]) for second, value in enumerate(values)], busy=busy).life


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


def turned(rows: int = 6) -> tuple[Settling, list[str]]:
    """A spinner that has turned for a second in the second row."""
    settling, screen = Settling(), [""] * rows
    for step in range(12):
        screen = ["", f"  {'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'[step % 10]} Thinking of it ({step // 10}s · esc)", *[""] * (rows - 2)]
        settling.look(screen, 5, step / 10, busy=True)
    assert settling.turning
    return settling, screen


def test_a_spinner_that_has_come_to_another_row_and_stands_is_still_there() -> None:
    settling, _ = turned()
    settling.look(["", "  an answer", "", "  ⠙ Thinking of it (1s · 3 tokens · esc)", "", ""], 5, 1.3, busy=True)
    assert settling.turning
    settling.look(["", "  an answer", "  that is done", "", "", ""], 5, 1.4, busy=True)
    assert not settling.turning


@pytest.mark.parametrize("row", ["  Thinking of it took 3s", "  ⠙ Else", "  ⠙"])
def test_what_else_begins_like_a_spinner_or_with_its_text_is_none(row: str) -> None:
    settling, _ = turned()
    settling.look(["", "  an answer", "", row, "", ""], 5, 1.3, busy=True)
    assert not settling.turning


def test_a_copy_that_a_repaint_left_behind_does_not_turn() -> None:
    settling, screen = turned()
    settling.excuse(3.0)
    settling.look(["", "  an answer", "", screen[1], "", ""], 5, 1.3, busy=True)
    assert not settling.turning

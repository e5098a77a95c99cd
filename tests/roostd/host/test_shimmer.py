"""Colours that run over a text that stays."""

from roostd.host.animation import STEPS
from roostd.host.shimmer import Colours, Shimmer


def painted(number: int) -> Colours:
    return lambda row: number + row


def looked(colours: list[int], period: float, text: str = "Working") -> bool:
    """Whether colours ran at the last of some looks. Each look finds the row written anew: equal, and not the same."""
    shimmer = Shimmer()
    runs = False
    for number, shade in enumerate(colours):
        runs = shimmer.look(["title", f"{text}.."[:-2]], ["title", f"{text}.."[:-2]], painted(shade), number * period)
    return runs


def test_colours_that_run_turn_like_a_spinner() -> None:
    assert looked([1, 2, 3, 1, 2], 0.1)
    assert looked([1, 2, 1, 2, 1, 2], 0.1)


def test_a_blink_and_what_is_only_written_anew_are_none() -> None:
    assert not looked([1, 2, 1, 2, 1, 2, 1, 2], 0.5)
    assert not looked([1] * 50, 0.1)
    assert not looked([1, 2, 3, 1], 0.1), "not for the first steps"


def test_another_text_begins_anew() -> None:
    shimmer = Shimmer()
    for number in range(3 * STEPS):
        text = f"step {number}"
        assert not shimmer.look([text], [f" {text}"[1:]], painted(number), number / 10)


def test_rows_that_nobody_wrote_are_not_asked_for_their_colours() -> None:
    rows = ["a", "b"]
    assert not Shimmer().look(rows, rows, lambda row: 1 // 0, 1.0)


def test_few_rows_are_remembered() -> None:
    shimmer = Shimmer()
    for now in range(5):
        shimmer.look([f"{row}" for row in range(900)], [f"{row}" for row in range(900)], painted(now), now / 10)
    assert len(shimmer._rows) <= 8

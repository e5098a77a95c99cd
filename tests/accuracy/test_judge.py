"""How what was shown is judged."""

from collections.abc import Sequence

from roost_protocol.states import State
from tests.accuracy.judge import Interval, Score, Shown, judge

TRUTH = [
    Interval(0.0, 2.0, "starting", ""),
    Interval(2.0, 6.0, "idle", "prompt"),
    Interval(6.0, 9.0, "working", "turn"),
    Interval(9.0, 12.0, "working", "tool"),
    Interval(12.0, 16.0, "waiting", "approval"),
    Interval(16.0, 20.0, "unknown", "quitting"),
]


def judged(*shown: tuple[float, State], truth: Sequence[Interval] = TRUTH, quiet_is_right: bool = False) -> Score:
    return judge("x", truth, [Shown(*change) for change in shown], quiet_is_right=quiet_is_right)


def test_all_is_right_with_a_grace_after_each_change_and_none_where_nothing_changed() -> None:
    score = judged((0.0, "starting"), (3.4, "idle"), (7.4, "working"), (13.4, "waiting"))
    # 2.5 s of idle, 4.5 of working (a tool is work as the turn was), 2.5 of waiting
    assert (score.right, score.total) == (95, 95)
    assert (score.waits, score.missed_waits, score.false_waits, score.early_ends) == (1, [], [], ["x at 6.0 for 1.4 s"])


def test_what_is_wrong_is_counted_by_what_was_taken_for_what() -> None:
    score = judged((0.0, "working"), (8.0, "waiting"), (8.3, "working"), (14.2, "waiting"))
    assert score.wrong == {("idle", "working"): 25, ("working", "waiting"): 3, ("waiting", "working"): 7}
    assert score.false_waits == ["x at 8.0", "x at 8.1", "x at 8.2"]
    assert score.missed_waits == ["x at 12.0"]


def test_an_end_that_is_shown_too_early_for_long() -> None:
    assert judged((0.0, "working"), (8.0, "idle"), (9.0, "working")).early_ends == []
    assert judged((0.0, "working"), (8.0, "idle"), (9.1, "working")).early_ends == ["x at 8.0 for 1.1 s"]
    assert judged((0.0, "working"), (8.0, "quiet"), (9.5, "working")).early_ends == []


def test_quiet_is_right_only_of_an_agent_that_nobody_knows_and_never_while_it_works() -> None:
    assert judged((0.0, "quiet")).right == 0
    unknown = judged((0.0, "quiet"), quiet_is_right=True)
    assert unknown.wrong == {("working", "quiet"): 45}


def test_a_question_in_prose_is_idle_and_no_wait() -> None:
    truth = [Interval(0.0, 2.0, "idle", ""), Interval(2.0, 5.0, "waiting", "text_question")]
    score = judged((0.0, "idle"), truth=truth)
    assert (score.right, score.total, score.waits) == (35, 35, 0)

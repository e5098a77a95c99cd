"""What was done to an agent and what its model did, as intervals."""

from tests.accuracy.judge import Interval
from tests.accuracy.marks import Mark, intervals


def lived(*marks: tuple[float, str] | tuple[float, str, str]) -> list[Interval]:
    return intervals([Mark(*mark) for mark in marks], 100.0)


def test_a_turn_with_an_approval() -> None:
    truth = lived(
        (103.0, "ready"),
        (105.0, "sent"),
        (105.5, "request"),
        (106.0, "first_byte"),
        (107.0, "tool_call_sent", "approval"),
        (110.0, "answered"),
        (110.5, "tool_result_received"),
        (112.0, "turn_complete"),
        (115.0, "end"),
    )
    assert truth == [
        Interval(0.0, 3.0, "starting", ""),
        Interval(3.0, 5.0, "idle", "prompt"),
        Interval(5.0, 5.5, "unknown", "sent"),
        Interval(5.5, 7.0, "working", "turn"),
        Interval(7.0, 10.0, "waiting", "approval"),
        Interval(10.0, 10.5, "working", "tool"),
        Interval(10.5, 12.0, "working", "turn"),
        Interval(12.0, 15.0, "idle", "turn_complete"),
    ]


def test_a_tool_that_nobody_was_asked_about_is_work() -> None:
    truth = lived((101.0, "request"), (102.0, "tool_call_sent", "approval"), (104.0, "tool_result_received"), (105.0, "end"))
    assert truth[1:] == [
        Interval(1.0, 2.0, "working", "turn"),
        Interval(2.0, 4.0, "working", "tool"),
        Interval(4.0, 5.0, "working", "turn"),
    ]


def test_an_error_is_work_until_nothing_is_tried_any_more() -> None:
    tries = (101.0, "request"), (102.0, "error_sent"), (103.0, "request"), (104.0, "error_sent")
    assert [interval.label for interval in lived(*tries, (150.0, "gave_up"), (160.0, "end"))[1:]] == [
        "working",
        "working",
        "working",
        "idle",
    ]
    assert lived(*tries, (150.0, "end"))[-1] == Interval(4.0, 50.0, "unknown", "error")

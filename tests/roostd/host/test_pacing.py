"""When a screen is looked at."""

from roostd.host.pacing import FRAME, LOOK_PAUSE, Pacing


class Frame:
    """Whether a synchronized frame is open."""

    def __init__(self) -> None:
        self.open = False
        self.pacing = Pacing(lambda: self.open)


def test_nothing_is_due_until_something_comes() -> None:
    assert Frame().pacing.due is None


def test_the_first_output_is_looked_at_at_once_and_a_flood_ten_times_a_second() -> None:
    pacing = Frame().pacing
    assert (pacing.output(1.0), pacing.due) == (True, 1.0)
    assert (pacing.look(1.0), pacing.due) == (True, None)
    assert (pacing.output(2.0), pacing.due) == (True, 2.0 + LOOK_PAUSE)
    assert (pacing.output(2.05), pacing.due) == (False, 2.0 + LOOK_PAUSE)


def test_what_is_said_is_not_waited_with_but_of_a_flood_of_it() -> None:
    pacing = Frame().pacing
    pacing.output(1.0)
    pacing.look(1.0)
    assert (pacing.output(2.0, told=True), pacing.due) == (True, 2.0)
    pacing.look(2.0)
    assert (pacing.output(2.03), pacing.due) == (True, 2.03 + LOOK_PAUSE)
    assert (pacing.output(2.04, told=True), pacing.due) == (True, 2.0 + LOOK_PAUSE)
    assert (pacing.output(2.05, told=True), pacing.due) == (False, 2.0 + LOOK_PAUSE)


def test_what_is_said_in_a_frame_waits_for_its_end() -> None:
    frame = Frame()
    frame.pacing.output(1.0)
    frame.open = True
    frame.pacing.look(1.0)
    assert (frame.pacing.output(1.05, told=True), frame.pacing.due) == (False, 1.0 + FRAME)


def test_a_frame_is_looked_at_when_it_is_complete() -> None:
    frame = Frame()
    frame.pacing.output(1.0)
    frame.open = True
    assert (frame.pacing.look(1.1), frame.pacing.due) == (False, 1.1 + FRAME)
    assert not frame.pacing.output(1.2)
    frame.open = False
    assert (frame.pacing.output(1.25), frame.pacing.due) == (True, 1.25)
    assert (frame.pacing.look(1.25), frame.pacing.due) == (True, None)


def test_a_frame_that_does_not_close_is_looked_at_all_the_same() -> None:
    frame = Frame()
    frame.open = True
    frame.pacing.output(1.0)
    frame.pacing.look(1.0)
    assert (frame.pacing.look(1.0 + FRAME), frame.pacing.due) == (True, None)

from roostd.host.timers import Timers


def test_what_is_due_is_called_in_order_and_once() -> None:
    timers = Timers()
    called: list[str] = []
    timers.at(2.0, lambda: called.append("second"))
    timers.at(1.0, lambda: called.append("first"))
    timers.at(2.0, lambda: called.append("third"))
    timers.at(3.0, lambda: called.append("later"))
    timers.fire(2.0)
    assert called == ["first", "second", "third"]
    timers.fire(2.5)
    assert len(called) == 3
    assert timers.next_at() == 3.0


def test_nothing_pending_means_no_wake_up() -> None:
    timers = Timers()
    assert timers.next_at() is None
    timer = timers.at(1.0, lambda: None)
    assert timers.next_at() == 1.0
    timer.cancel()
    timer.cancel()
    assert timers.next_at() is None


def test_a_call_may_cancel_another_and_arrange_a_new_one_for_the_next_turn() -> None:
    timers = Timers()
    called: list[str] = []

    def first() -> None:
        called.append("first")
        other.cancel()
        timers.at(0.0, lambda: called.append("new"))

    timers.at(1.0, first)
    other = timers.at(1.0, lambda: called.append("cancelled"))
    timers.fire(1.0)
    assert called == ["first"]
    timers.fire(1.0)
    assert called == ["first", "new"]

from typing import Any

from roostd.notify.cooldown import MOMENT, Cooldown
from roostd.notify.notices import Notice

PAUSE = 5.0


def one(number: int, what: Any = "waiting", job: str = "a") -> Notice:
    return Notice(number, 0.0, job, what)


def test_the_first_is_told_at_once_and_the_last_at_the_end() -> None:
    cooldown = Cooldown()
    assert cooldown.take(one(1), PAUSE, 0.0) == one(1)
    assert cooldown.take(one(2, "idle"), PAUSE, 1.0) is None
    assert cooldown.take(one(3), PAUSE, 2.0) is None
    assert cooldown.next == 5.0
    assert cooldown.due(PAUSE, 4.9) == []
    assert cooldown.due(PAUSE, 5.0) == [one(3)]
    assert cooldown.due(PAUSE, 99.0) == []


def test_what_was_held_begins_a_cooldown_too() -> None:
    cooldown = Cooldown()
    cooldown.take(one(1), PAUSE, 0.0)
    cooldown.take(one(2), PAUSE, 1.0)
    cooldown.due(PAUSE, 5.0)
    assert cooldown.take(one(3), PAUSE, 6.0) is None
    assert cooldown.next == 10.0
    assert cooldown.take(one(4), PAUSE, 10.0) == one(4)


def test_each_job_has_its_own() -> None:
    cooldown = Cooldown()
    assert cooldown.take(one(1), PAUSE, 0.0)
    assert cooldown.take(one(2, job="b"), PAUSE, 0.0) == one(2, job="b")
    cooldown.take(one(3, job="b"), PAUSE, 1.0)
    cooldown.take(one(4), PAUSE, 1.0)
    assert cooldown.due(PAUSE, 5.0) == [one(3, job="b"), one(4)]


def test_without_a_pause_everything_is_told() -> None:
    cooldown = Cooldown()
    assert [cooldown.take(one(n, what), 0.0, 1.0) for n, what in enumerate(("waiting", "attention", "idle"))] == [
        one(0),
        one(1, "attention"),
        one(2, "idle"),
    ]


def test_what_is_over_need_not_be_told() -> None:
    cooldown = Cooldown()
    cooldown.take(one(1), PAUSE, 0.0)
    cooldown.take(one(2), PAUSE, 1.0)
    cooldown.moved_on("a")
    cooldown.moved_on("b")
    assert cooldown.due(PAUSE, 5.0) == []


def test_a_bell_waits_for_what_it_rang_for() -> None:
    cooldown = Cooldown()
    assert cooldown.take(one(1, "attention"), PAUSE, 0.0) is None
    cooldown.moved_on("a")
    assert cooldown.take(one(2), PAUSE, 0.7) == one(2)
    assert cooldown.due(PAUSE, 99.0) == []


def test_a_bell_alone_is_told_after_a_moment() -> None:
    cooldown = Cooldown()
    cooldown.take(one(1, "attention"), PAUSE, 0.0)
    assert cooldown.take(one(2, "attention"), PAUSE, 1.0) is None
    assert cooldown.due(PAUSE, MOMENT) == [one(2, "attention")]
    assert cooldown.take(one(3, "attention"), PAUSE, 3.0) is None
    assert cooldown.take(one(4, "attention"), PAUSE, 4.0) is None
    assert cooldown.due(PAUSE, MOMENT + PAUSE) == [one(4, "attention")]


def test_a_bell_behind_the_state_that_it_rang_for_is_the_same_thing() -> None:
    cooldown = Cooldown()
    assert cooldown.take(one(1, "idle"), PAUSE, 0.0)
    cooldown.take(one(2, "attention"), PAUSE, 1.0)
    assert cooldown.next is None
    cooldown.take(one(3), PAUSE, 2.0)
    cooldown.take(one(4, "attention"), PAUSE, 3.0)
    assert cooldown.due(PAUSE, 5.0) == [one(3)]


def test_what_is_removed_is_forgotten() -> None:
    cooldown = Cooldown()
    cooldown.take(one(1), PAUSE, 0.0)
    cooldown.take(one(2), PAUSE, 1.0)
    cooldown.forget("a")
    assert cooldown.next is None
    assert cooldown.take(one(3), PAUSE, 2.0) == one(3)

from __future__ import annotations

from collections.abc import Iterable

from roostd.jobs.record import StoredReply
from roostd.jobs.seat import Seat
from tests.roostd.jobs.made import record


class Connection:
    def __init__(self, *granted: str) -> None:
        self.granted = list(granted)
        self.superseded = 0

    def push(self, pending: Iterable[StoredReply]) -> None:
        """Nobody asks."""

    def supersede(self) -> None:
        self.superseded += 1


def test_the_newest_has_the_seat_and_the_older_leaves_nothing() -> None:
    seat, older, newer = Seat(), Connection(), Connection("replies", "steer")
    assert not seat.kept(record()).takes_replies
    seat.take(older)
    seat.take(newer)
    assert (older.superseded, newer.superseded) == (1, 0)
    assert not seat.leave(older)
    assert seat.kept(record()).takes_replies
    assert seat.kept(record()).grants == ["replies", "steer"]
    assert seat.leave(newer)
    assert not seat.kept(seat.kept(record())).takes_replies


def test_a_report_is_that_of_who_made_it_last() -> None:
    seat, one, other = Seat(), Connection(), Connection()
    seat.reported(one)
    seat.reported(other)
    assert not seat.hush(one)
    assert seat.reports
    assert seat.hush(other)
    assert seat.reports is False


def test_who_may_come_back_is_waited_for() -> None:
    seat, connection = Seat(), Connection()
    seat.await_reporter(True)
    known = [seat.reports]
    seat.reported(connection)
    known.append(seat.reports)
    seat.hush(connection)
    seat.await_reporter(False)
    assert [*known, seat.reports] == [None, True, False]

from __future__ import annotations

import pytest

from roost_protocol.host import Typed
from roostd.jobs.record import StoredReply
from roostd.jobs.replies import at_end
from roostd.jobs.writes import PutReply


@pytest.mark.parametrize(
    ("route", "typed", "outcome", "why"),
    [
        ("typed", [Typed("a1b2c3d4:3", "submitted")], "submitted", None),
        ("typed", [Typed("a1b2c3d4:3", "refused", "a dialog\x1b[2J")], "refused", "a dialog[2J"),
        ("typed", [Typed("a1b2c3d4:3", "pending")], "refused", "it ended"),
        ("typed", [Typed("a1b2c3d4:33", "submitted"), Typed("task", "submitted")], "refused", "it ended"),
        ("typed", [], "refused", "it ended"),
        ("agent", [Typed("a1b2c3d4:3", "submitted")], "pending", "the job ended before its agent acknowledged this reply"),
    ],
)
def test_what_became_of_a_reply_when_the_job_ended(route: str, typed: list[Typed], outcome: str, why: str | None) -> None:
    reply = StoredReply(job="a1b2c3d4", n=3, text="yes", route="agent" if route == "agent" else "typed")
    settled = at_end([reply], typed, "it ended")
    (write,) = settled.writes
    assert isinstance(write, PutReply)
    assert (write.reply.outcome, write.reply.why) == (outcome, why)
    assert [news.data for news in settled.news] == [{"n": 3, "outcome": outcome, "why": why}]


def test_nothing_on_its_way_leaves_nothing() -> None:
    assert at_end([], [Typed("a1b2c3d4:3", "submitted")], "it ended") == ([], [])

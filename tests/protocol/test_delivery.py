"""Numbering and acknowledging, as a model of two ends and a line that loses, repeats and cuts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from roost_protocol.delivery import MAX_EPOCHS, Inbox, Ledger, Outbox


def test_a_report_is_taken_once_within_its_epoch() -> None:
    ledger = Ledger()
    assert ledger.accept("a", 1)
    assert not ledger.accept("a", 1)
    assert ledger.accept("a", 5)
    assert not ledger.accept("a", 4)
    assert ledger.last_seq("a") == 5


def test_a_new_epoch_starts_at_nought_and_the_known_one_goes_on() -> None:
    ledger = Ledger()
    ledger.accept("a", 7)
    assert ledger.last_seq("b") == 0
    assert ledger.accept("b", 1)
    assert ledger.last_seq("a") == 7


def test_the_least_recently_heard_epoch_goes_first() -> None:
    ledger = Ledger()
    for i in range(MAX_EPOCHS):
        ledger.accept(f"e{i}", 1)
    ledger.accept("e0", 2)
    ledger.accept("new", 1)
    assert ledger.last_seq("e0") == 2
    assert ledger.last_seq("e1") == 0
    assert len(ledger.epochs) == MAX_EPOCHS


def test_a_bounded_outbox_keeps_the_newest() -> None:
    outbox: Outbox[str] = Outbox(limit=2)
    for item in "abc":
        outbox.put(item)
    assert outbox.pending == [(2, "b"), (3, "c")]
    assert outbox.next() == 4


@given(st.lists(st.sampled_from(["put", "send", "lose", "ack", "restart sender"]), max_size=60))
def test_all_arrives_once_and_in_order_over_any_line(steps: list[str]) -> None:
    outbox: Outbox[int] = Outbox()
    inbox = Inbox()
    had: list[int] = []
    for step in steps:
        if step == "put":
            outbox.put(outbox.next())
        elif step == "send":
            had += [item for n, item in outbox.pending if inbox.accept(n)]
        elif step == "lose":
            had += [item for n, item in outbox.pending[:1] if inbox.accept(n)]
        elif step == "ack":
            outbox.ack(inbox.last)
        elif step == "restart sender":
            kept = outbox.pending
            outbox = Outbox(last=kept[0][0] - 1 if kept else outbox.last)
            for _, item in kept:
                outbox.put(item)
    had += [item for n, item in outbox.pending if inbox.accept(n)]
    assert had == list(range(1, outbox.last + 1))

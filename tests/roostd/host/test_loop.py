import os
import signal
import socket
import sys
from collections.abc import Iterator
from functools import partial

import pytest

from roostd.host.loop import FAULTS, Loop


@pytest.fixture
def loop() -> Iterator[Loop]:
    """A loop, and the process's signals as they were."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGUSR1, signal.SIGUSR2)}
    made = Loop()
    yield made
    made.close()
    for number, handler in kept.items():
        signal.signal(number, handler)


def test_descriptors_timers_and_signals_are_called_in_the_loop(loop: Loop) -> None:
    ours, theirs = socket.socketpair()
    called: list[object] = []

    def read() -> None:
        called.append(ours.recv(10))
        os.kill(os.getpid(), signal.SIGUSR1)

    def signalled() -> None:
        called.append("signal")
        loop.after(0.01, end)

    def end() -> None:
        called.append("timer")
        loop.stop()

    loop.watch(ours.fileno(), read)
    loop.on_signal(signal.SIGUSR1, signalled)
    theirs.send(b"data")
    loop.run()
    assert called == [b"data", "signal", "timer"]
    loop.watch(ours.fileno(), None)
    ours.close()
    theirs.close()


def test_one_that_an_earlier_call_of_the_turn_closed_is_not_called(loop: Loop) -> None:
    pairs = [socket.socketpair() for _ in range(2)]
    called: list[int] = []

    def first_come(number: int) -> None:
        called.append(number)
        for ours, _ in pairs:
            loop.watch(ours.fileno(), None)
        loop.after(0, loop.stop)

    for number, (ours, theirs) in enumerate(pairs):
        loop.watch(ours.fileno(), partial(first_come, number))
        theirs.send(b"x")
    loop.run()
    assert len(called) == 1
    for pair in pairs:
        for end in pair:
            end.close()


def test_it_wakes_only_for_what_is_there(loop: Loop) -> None:
    loop.after(0.05, loop.stop)
    loop.after(10, loop.stop).cancel()
    loop.run()
    assert loop.turns == 1


def test_a_fault_costs_one_call_and_is_told_but_not_for_ever() -> None:
    told: list[str] = []
    loop = Loop(on_fault=lambda: told.append(str(sys.exc_info()[1])))

    def fail() -> None:
        loop.after(0, fail)
        raise ValueError("ours")

    loop.after(0, fail)
    with pytest.raises(ValueError, match="ours"):
        loop.run()
    loop.close()
    assert told == ["ours"] * FAULTS


def test_a_fault_does_not_keep_the_next_timer_from_its_turn() -> None:
    loop = Loop(on_fault=lambda: None)
    loop.after(0, lambda: os.close(-1))
    loop.after(0, loop.stop)
    loop.run()
    loop.close()

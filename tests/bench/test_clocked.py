"""Commands are timed to their end, whatever they print, and those that fail say why."""

import sys

import pytest

from tests.bench.clocked import clocked, turn_by_turn
from tests.bench.place import BenchError


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_what_a_command_prints_comes_with_its_time() -> None:
    took, out = clocked(python("print('hello')"), {})
    assert took > 0
    assert out == "hello\n"


def test_a_command_that_fails_is_an_error_with_its_own_words() -> None:
    with pytest.raises(BenchError, match="the disk is full"):
        clocked(python("import sys; sys.exit('the disk is full')"), {})


def test_samples_alternate_and_the_warm_ones_do_not_count() -> None:
    calls: list[str] = []

    def sample(who: str, took: float) -> float:
        calls.append(who)
        return took

    pair = turn_by_turn(lambda: sample("roost", 1), lambda: sample("peer", 2), times=3, warm=1)
    assert calls == ["roost", "peer"] * 4
    assert (pair.roost, pair.peer) == ([1] * 3, [2] * 3)

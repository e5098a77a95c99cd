"""Patterns that would hold up their job are told from those that would not."""

import re
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from roost_protocol.host import Pattern
from roostd.backtracking import COLUMNS, ROWS, hostile, too_slow
from roostd.catalogue.load import catalogue
from roostd.profiles import as_list

SLOW = [
    r"(a+)+b",
    r"(\w+\s?)*$x",
    r"^foo: (x|x)*y",
    r"(.*)*z",
    r"^(?:.*\n)*?.*(?:yes|no)*!$",
    r"(\s*\S+)*:\Z",
    r"(?:[a-z]+[0-9]*)+\?$",
    r"(?=(a+)+b)x",
    r"(a|aa)+$b",
    r"\Aallow (?:[^\n]*,)*[^\n]*!\Z",
]
FAST = [r"\(y/n\) *\Z", r"^> *\Z", r"^[⠋⠙⠹⠸] Working", r"^ \d{1,2}\. .*$(?:\n.*){0,12}?\n +enter\s*\Z", r"(?:\w+, )+and", r"^(?>a+)+b"]


@pytest.mark.parametrize("pattern", SLOW)
def test_what_goes_astray_is_found_without_going_astray(pattern: str) -> None:
    assert too_slow(pattern, re.MULTILINE)


@pytest.mark.parametrize("pattern", FAST)
def test_what_is_searched_in_a_moment_is_not(pattern: str) -> None:
    assert not too_slow(pattern, re.MULTILINE)


@pytest.mark.parametrize(("pattern", "slow"), [(SLOW[0], True), (FAST[0], False), ("(?:" * 500 + "a" + ")*" * 500, None)])
def test_whoever_is_no_main_thread_is_told_as_well(pattern: str, slow: bool | None) -> None:
    with ThreadPoolExecutor() as threads:
        asked = threads.submit(too_slow, pattern, re.MULTILINE)
        if slow is None:
            with pytest.raises(RecursionError):
                asked.result()
        else:
            assert asked.result() is slow


@pytest.mark.parametrize(("agent", "state"), [(name, state) for name in catalogue() for state in ("waiting", "working", "idle")])
def test_no_built_in_pattern_goes_astray(agent: str, state: str) -> None:
    patterns = [item.pattern if isinstance(item, Pattern) else item for item in as_list(getattr(catalogue()[agent], state))]
    assert [pattern for pattern in patterns if too_slow(pattern, re.MULTILINE)] == []


@pytest.mark.parametrize("pattern", [r"(?:(?:a{90}){90}){90}", r"[^\n]{1,999}b", r"(?:a|b|c)*" * 60, r"[\d\s]+x", r"[^a0 ]+b", r"(?i:é+)+"])
def test_the_screens_that_are_tried_are_bounded(pattern: str) -> None:
    assert all(len(text) <= 3 * COLUMNS * ROWS for text in hostile(pattern, re.MULTILINE))


def test_what_a_signal_meant_before_it_means_again() -> None:
    before = signal.getsignal(signal.SIGVTALRM)
    too_slow(r"(b+)+c", re.MULTILINE)
    assert signal.getsignal(signal.SIGVTALRM) == before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)

"""What is read from /proc, from sample texts and from a process of our own."""

import os

import pytest

from tests.bench import proc
from tests.support.needs import needs

ROLLUP = "55d0-7fff ---p 00000000 00:00 0 [rollup]\nRss:   9000 kB\nPss:   3210 kB\nPss_Dirty: 17 kB\nPss_Anon:  1 kB\n"
STATUS = "Name:\tx\nvoluntary_ctxt_switches:\t42\nnonvoluntary_ctxt_switches:\t7\n"
STAT = "77 (a) b (c) S 12 77 77 0 -1 4194560 500 0 0 0 31 9 0 0 20 0 1 0 12345 0 0\n"


def test_pss_is_not_taken_for_its_parts() -> None:
    assert proc.parse_pss(ROLLUP) == 3210


def test_only_voluntary_switches_count() -> None:
    assert proc.parse_voluntary_switches(STATUS) == 42


def test_a_name_with_parentheses_does_not_shift_the_fields() -> None:
    assert proc.parse_stat(STAT) == (12, 40)


def test_a_field_that_is_missing_is_named() -> None:
    with pytest.raises(ValueError, match="no Pss in"):
        proc.parse_pss("Rss: 1 kB\n")


def test_a_live_process_has_them_all() -> None:
    needs("/proc")
    pid = os.getpid()
    assert proc.parent(pid) == os.getppid()
    assert proc.pss_mib(pid) > 1
    assert proc.cpu_seconds(pid) >= 0
    assert proc.voluntary_switches(pid) >= 0

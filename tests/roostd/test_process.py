import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from roostd import process

SLEEP = [sys.executable, "-S", "-c", "import sys; print(flush=True); sys.stdin.read()"]


@contextmanager
def sleeper(**environ: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that waits until its input ends, and has surely been exec'd."""
    with subprocess.Popen(SLEEP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **environ}) as child:
        assert child.stdout is not None
        child.stdout.readline()
        yield child
        child.kill()


def test_a_name_may_hold_anything() -> None:
    fields = " ".join(str(n) for n in range(5, 53))
    entry = process.parse_stat(f"42 (a) R 1 (b)) S 7 {fields}".encode())
    assert entry == process.Stat("a) R 1 (b)", "S", 7, 6, 22 - 3 + 3)


@pytest.mark.parametrize("raw", [b"", b"42 (x", b"42 (x) S 1 2"])
def test_what_is_no_stat_line_is_none(raw: bytes) -> None:
    assert process.parse_stat(raw) is None


def test_a_process_is_known_by_pid_start_and_boot() -> None:
    with sleeper() as child:
        start = process.start_time(child.pid)
        assert start is not None
        boot = process.boot_id()
        assert process.alive(child.pid, start, boot)
        assert not process.alive(child.pid, start + 1, boot)
        assert not process.alive(child.pid, start, "another boot")
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not process.alive(child.pid, start, boot), "a zombie does not live"
        child.wait()
        assert process.start_time(child.pid) is None


def test_descendants_are_found_and_zombies_left_out() -> None:
    with sleeper() as child:
        assert child.pid in process.descendants(os.getpid())
        assert os.getpid() not in process.descendants(os.getpid())
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert child.pid not in process.descendants(os.getpid())


def test_below_survives_a_loop_and_follows_every_level() -> None:
    def entry(parent: int, state: str = "S") -> process.Stat:
        return process.Stat("x", state, parent, 1, 1)

    table = {1: entry(0), 2: entry(1), 3: entry(2), 4: entry(3, "Z"), 5: entry(6), 6: entry(5)}
    assert process.below(table, {1}) == {2, 3}
    assert process.below(table, {5}) == {6}


def test_a_job_id_is_matched_whole() -> None:
    with sleeper(ROOST_JOB_ID="abc") as child:
        assert process.with_job_id("abc") == {child.pid}
        assert process.with_job_id("ab") == set()
        assert process.job_of(child.pid) == "abc"
    assert process.job_of(os.getpid()) is None

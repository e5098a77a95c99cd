"""The daemon killed at random points while jobs run, reply, report and end: nothing acked is lost, nothing is done twice."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.support.agents import listener, reporter, ticker
from tests.support.commands import roost, roost_argv
from tests.support.home import Home
from tests.support.terminal import Terminal
from tests.support.waiting import eventually

KILLS = 50
PAIRS = 10
"""Of one job that takes replies over its socket and one that is typed into."""
REPORTS = 30
REPLIES = 6
SEED = 7


@dataclass(frozen=True, slots=True)
class Driven:
    """One job under test: what it is, where it writes what reached it, and how it shall end."""

    name: str
    file: Path
    argv: tuple[str, ...]
    exit_code: int


def cast(home: Home) -> list[Driven]:
    jobs = []
    for i in range(PAIRS):
        file, code = home.work / f"reporter-{i}", i % 4
        jobs.append(Driven(f"reporter-{i}", file, (reporter.__file__, str(file), str(REPORTS), str(REPLIES), str(code)), code))
        file, code = home.work / f"listener-{i}", (i + 1) % 4
        jobs.append(Driven(f"listener-{i}", file, (listener.__file__, str(file), str(REPLIES), str(code)), code))
    return jobs


@contextmanager
def killing(home: Home, chance: random.Random) -> Iterator[list[int]]:
    """Kills the daemon again and again, a moment after it serves, until it was killed KILLS times; the pids killed."""
    killed: list[int] = []
    longest = a_moment()
    over = threading.Event()

    def kill() -> None:
        while len(killed) < KILLS and not over.is_set():
            over.wait(chance.uniform(0.0, longest))
            with suppress(OSError, ValueError):
                pid = json.loads((home.state / "roostd.json").read_text())["pid"]
                if pid not in killed:
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
        thread.join(timeout=300)
    finally:
        over.set()
        thread.join()


def a_moment() -> float:
    """Seconds in which a daemon gets something done on this machine, as busy as it is: one that never does is given up by who asks."""
    began = time.monotonic()
    assert roost("ls").returncode == 0
    return max(0.4, 6 * (time.monotonic() - began))


def drive(job: Driven) -> None:
    """Runs one job and answers it, with the commands a person would use."""
    started = roost("run", "-d", "--json", "-n", job.name, "--", sys.executable, *job.argv)
    assert started.returncode == 0, (job.name, started)
    eventually(job.file.exists, f"{job.name} to be ready")
    for n in range(1, REPLIES + 1):
        replied = roost("reply", job.name, f"answer {n}")
        assert replied.returncode == 0, (job.name, n, replied)


def check_arrivals(job: Driven) -> None:
    """Every reply reached the agent exactly once, in order; every report was acked exactly once."""
    lines = job.file.read_text().splitlines()
    answers = [f"answer {n}" for n in range(1, REPLIES + 1)]
    if job.name.startswith("listener"):
        assert lines == answers
        return
    assert [line for line in lines if line.startswith("reply")] == [f"reply {n} answer {n}" for n in range(1, REPLIES + 1)]
    assert [line for line in lines if line.startswith("acked")] == [f"acked {n}" for n in range(1, REPORTS + 1)]


def check_events(jobs: list[Driven]) -> None:
    """The events have no gap and no double, and tell each job's start and end once."""
    listed = roost("events", "--since", "0", "--json")
    events = [json.loads(line) for line in listed.stdout.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    for kind, expected in (("job.created", 1), ("job.reply", None)):
        counts: dict[str, int] = {}
        for event in events:
            if event["kind"] == kind:
                counts[event["job"]] = counts.get(event["job"], 0) + 1
        assert len(counts) >= len(jobs)
        assert expected is None or set(counts.values()) == {expected}
    ends = [event["job"] for event in events if event["kind"] == "job.state" and event["data"]["to"] in ("done", "failed")]
    assert len(ends) == len(set(ends))


def test_the_daemon_killed_fifty_times(home: Home) -> None:
    jobs = cast(home)
    chance = random.Random(SEED)
    try:
        ticking = roost("run", "-d", "-n", "ticker", "--", sys.executable, ticker.__file__, "0.02")
        assert ticking.returncode == 0, ticking
        with Terminal(roost_argv("attach", "ticker")) as watcher:
            watcher.expect("tick")
            with killing(home, chance) as killed, ThreadPoolExecutor(4) as pool:
                list(pool.map(drive, jobs))
            assert len(killed) == KILLS
            watcher.send("\n")
            last = int(watcher.expect(r"last (\d+)").group(1))
            assert watcher.wait() == 0
            ticks = [int(tick) for tick in re.findall(rb"tick (\d+)", watcher.output)]
        assert ticks[-1] == last
        first = ticks.index(max(ticks[:30]))
        assert ticks[first:] == list(range(ticks[first], last + 1)), "the attached terminal noticed"

        for job in jobs:
            waited = roost("wait", job.name, "--until", "done,failed", "--timeout", "60")
            assert waited.returncode == 0, (job.name, waited)
        rows = {row["name"]: row for row in json.loads(roost("ls", "--json").stdout)["jobs"]}
        assert len(rows) == len(jobs) + 1
        for job in jobs:
            assert (rows[job.name]["exit_code"], rows[job.name]["state"]) == (job.exit_code, "failed" if job.exit_code else "done")
            check_arrivals(job)
        check_events(jobs)
    finally:
        assert not home.complaints()
        roost("daemon", "stop", "--jobs")
        home.end_all()

"""What fifty idle jobs cost while nothing happens: CPU time and wake-ups of daemon, spawner and hosts."""

from __future__ import annotations

import time

from tests.bench import fifty, proc
from tests.bench.place import Place, say
from tests.bench.stats import Reach, Row


def measure(place: Place, quick: bool) -> list[Row]:
    """Percent of one core, and how often any thread of theirs was woken, over a minute in which nobody asks anything."""
    names = fifty.start(place).named()
    span = 10 if quick else 60
    say(f"{span} seconds of silence")
    begun = time.monotonic()
    cpu_before = {pid: proc.cpu_seconds(pid) for pid in names}
    before = {pid: proc.voluntary_switches(pid) for pid in names}
    time.sleep(span)
    woken = {pid: proc.voluntary_switches(pid) - count for pid, count in before.items()}
    used = sum(proc.cpu_seconds(pid) - seconds for pid, seconds in cpu_before.items())
    share = 100 * used / (time.monotonic() - begun)
    who = ", ".join(f"{names[pid]} {count}" for pid, count in woken.items() if count)
    return [
        Row(f"50 idle jobs, {span} s, CPU of a core", "%", share, reach=Reach("value", 0.1)),
        Row(f"50 idle jobs, {span} s, wake-ups", "", sum(woken.values()), reach=Reach("value", 0), note=who[:120]),
    ]

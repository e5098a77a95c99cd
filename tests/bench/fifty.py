"""Fifty jobs that have printed 5 KB each and are idle since."""

from __future__ import annotations

import json

from tests.bench.place import BenchError, Place, Processes, say, settle

COUNT = 50
LINES = 5_000 // 80


def argv(place: Place) -> list[str]:
    """A command that prints 5 KB and then does nothing."""
    text = place.home.work / "five.txt"
    text.write_text("".join(f"{number:3} {'lorem ipsum dolor sit amet ' * 3}"[:79] + "\n" for number in range(LINES)))
    return ["/bin/sh", "-c", f"cat {text}; exec sleep 86400"]


def start(place: Place) -> Processes:
    """Starts them under roost and waits until nothing that belongs to them is at work."""
    say(f"starting {COUNT} jobs under roost")
    place.run_jobs(COUNT, *argv(place))
    running = place.processes()
    settle(running.named())
    jobs = json.loads(place.roost("ls", "--json"))["jobs"]
    silent = [job["id"] for job in jobs if not job["text"]]
    if len(running.hosts) != COUNT or silent:
        raise BenchError(f"{COUNT} jobs should run and have printed; {len(running.hosts)} run, {len(silent)} are silent")
    settle(running.named())
    return running

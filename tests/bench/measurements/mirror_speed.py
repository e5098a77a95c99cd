"""`mirror_speed.py speed ENGINE FILE | look ENGINE | history ENGINE KIND`: one number on stdout, from a process of its own."""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from roost_protocol.host import Detection
from roostd.host.mirror import engines
from roostd.host.observer import Observer

COLS, ROWS, CHUNK = 120, 40, 4096
HISTORY_ROWS = 2000


def speed(engine: str, path: str) -> float:
    """MB a CPU second, after a quarter of the stream to warm up; what a mirror draws late, screen and history, is asked for too."""
    data = Path(path).read_bytes()
    mirror = None if engine == "stock" else engines.create(COLS, ROWS, engine)
    feed = mirror.feed if mirror else _stock()
    _feed(feed, data[: len(data) // 4])
    begun = time.process_time()
    _feed(feed, data)
    if mirror:
        mirror.text()
        mirror.history(1)
    return len(data) / (time.process_time() - begun) / 1e6


def _feed(feed: Callable[[bytes], object], data: bytes) -> None:
    for at in range(0, len(data), CHUNK):
        feed(data[at : at + CHUNK])


def _stock() -> Callable[[bytes], object]:
    """pyte's own Screen. What it cannot take (private sequences raise) is skipped, one chunk's rest at a time."""
    import pyte

    screen = pyte.Screen(COLS, ROWS)
    stream = pyte.ByteStream(screen)

    def feed(data: bytes) -> None:
        try:
            stream.feed(data)
        except TypeError:
            stream.attach(screen)

    return feed


def look(engine: str) -> float:
    """Microseconds of a look at the screen after one of its rows has changed: the median of many, the feed not counted."""
    mirror = engines.create(COLS, ROWS, engine)
    words = "of\x1b[m a screen that is full of words, as an agent's is"
    mirror.feed("".join(f"\x1b[{y};1Hrow {y} \x1b[1m{words}" for y in range(1, ROWS + 1)).encode())
    observer = Observer(Detection(), 0.0)
    samples = []
    for n in range(3000):
        mirror.feed(f"\x1b[{n % ROWS + 1};5H{'abcdefgh'[n % 8]}{n}".encode())
        begun = time.perf_counter_ns()
        observer.look(mirror, n / 10)
        samples.append(time.perf_counter_ns() - begun)
    return sorted(samples)[len(samples) // 2] / 1000


def history(engine: str, kind: str) -> float:
    """Bytes by which the process has grown, for each 120-column row of a full history."""
    mirror = engines.create(COLS, ROWS, engine)
    _fill(mirror.feed, kind, ROWS * 2)
    gc.collect()
    before = _resident()
    _fill(mirror.feed, kind, HISTORY_ROWS)
    gc.collect()
    return (_resident() - before) / HISTORY_ROWS


def _fill(feed: Callable[[bytes], object], kind: str, rows: int) -> None:
    for n in range(rows):
        text = f"{n:08d} and words to the end of the row "
        line = (text * 3)[:COLS]
        if kind == "coloured":
            line = "".join(f"\x1b[{31 + at // 20 % 6}m{line[at : at + 20]}" for at in range(0, COLS, 20)) + "\x1b[m"
        feed(line.encode() + b"\r\n")


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


MEASURES: dict[str, Callable[..., float]] = {"speed": speed, "look": look, "history": history}

if __name__ == "__main__":
    json.dump(MEASURES[sys.argv[1]](*sys.argv[2:]), sys.stdout)

"""What it costs to know the state: of a busy agent beyond its mirror, and of a recording that is explained."""

from __future__ import annotations

import time

from roost_protocol.host import Detection
from roostd.catalogue.load import catalogue
from roostd.host.mirror import engines
from roostd.host.observer import Observer
from roostd.host.pacing import Pacing
from roostd.profiles import detection
from tests.bench.frames import COLS, RATE, ROWS, frames, recording
from tests.bench.place import Place, say
from tests.bench.stats import Reach, Row

SHARE, REPLAY = 1.0, 5.0
MINUTES, RECORDED = 10, 10_000_000


def measure(place: Place, quick: bool) -> list[Row]:
    """Percent of a core of an agent by its profile and of an unknown one; seconds of `roost explain --recording`."""
    span = 10 if quick else 60
    known = detection(catalogue()["codex"])
    minutes = 1 if quick else MINUTES
    return [
        Row(f"arbiter, {what}, 50 KB/s, {RATE} frames/s, CPU of a core", "%", _share(patterns, span), reach=Reach("value", SHARE))
        for what, patterns in (("codex", known), ("unknown agent", Detection()))
    ] + [_replay(place, minutes)]


def _share(patterns: Detection, span: float) -> float:
    """CPU time of all that is not the mirror, while it is fed so many seconds' output, by the clock of that output."""
    mirror, observer = engines.create(COLS, ROWS), Observer(patterns, 0.0)
    pacing = Pacing(lambda: mirror.modes.synchronized)
    used = 0
    for at, data in frames(span):
        fed = mirror.feed(data)
        begun = time.process_time_ns()
        observer.hear(fed.events, at)
        pacing.output(at)
        if pacing.due is not None and pacing.due <= at + 1 / RATE and pacing.look(max(at, pacing.due)):
            observer.look(mirror, at)
            observer.decide(at)
        used += time.process_time_ns() - begun
    return 100 * used / 1e9 / span


def _replay(place: Place, minutes: int) -> Row:
    path = recording(place.home.work / "long.jsonl", minutes * 60, RECORDED // (MINUTES * 60 * RATE))
    say(f"a recording of {minutes} minutes, {path.stat().st_size / 1e6:.1f} MB as a file")
    begun = time.monotonic()
    place.roost("explain", "--recording", str(path), "--agent", "codex", "--json")
    took = time.monotonic() - begun
    return Row(f"explain --recording, {minutes} min, {minutes} MB", "s", took, reach=Reach("value", REPLAY * minutes / MINUTES))

"""The mirror by itself: bytes a CPU second beside others, history bytes a row, and a look for settling."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.bench import streams
from tests.bench.peers import NoPeer, node_modules
from tests.bench.place import Place, say
from tests.bench.stats import Reach, Row, median

AGAINST_STOCK = {"plain": 8, "sgr": 3, "ink": 6, "ratatui": 3, "unicode": 3}
"""How many times stock pyte's Screen the engine in pure Python is to be."""

AGAINST_XTERM = 2
"""How many times @xterm/headless the engine ghostty is to be."""

HISTORY_BYTES, LOOK_US = 512, 25
SPEED = Path(__file__).with_name("mirror_speed.py")
XTERM = Path(__file__).with_name("mirror_speed.cjs")


def measure(place: Place, quick: bool) -> list[Row]:
    """Each number from a fresh process; streams turn by turn, engines and peers in one run."""
    files = streams.files(place.home.work, 1 if quick else 4)
    return [*_speeds(place, files, 1 if quick else 3), *_looks(place), *_history(place)]


def _speeds(place: Place, files: dict[str, Path], times: int) -> list[Row]:
    rows = []
    for name, path in files.items():
        say(f"mirrors: {name}")
        samples: dict[str, list[float]] = {}
        for _ in range(times):
            for engine in ("stock", "pyte", "ghostty"):
                samples.setdefault(engine, []).append(_python(place, "speed", engine, str(path)))
            samples.setdefault("xterm", []).append(_xterm(place, path))
        speed = {engine: median(found) if all(found) else None for engine, found in samples.items()}
        note = f"xterm {speed['xterm'] or 0:.1f} MB/s"
        rows.append(_row(f"mirror pyte, {name}", speed["pyte"] or 0, speed["stock"], "pyte Screen", AGAINST_STOCK[name], note))
        if speed["ghostty"]:
            rows.append(_row(f"mirror ghostty, {name}", speed["ghostty"], speed["xterm"], "@xterm/headless", AGAINST_XTERM, ""))
    return rows


def _row(what: str, ours: float, peer: float | None, peer_name: str, times: float, note: str) -> Row:
    """Seconds of CPU for a megabyte, so that less is better as in all other rows; the speeds stand in the note."""
    speeds = f"{ours:.1f} MB/s, {ours / peer:.1f} times" if peer else f"{ours:.1f} MB/s"
    reach = Reach("ratio", 1 / times)
    return Row(what, "s", 1 / ours, 1 / peer if peer else None, peer_name, reach, ", ".join(filter(None, (speeds, note))))


def _looks(place: Place) -> list[Row]:
    us = _python(place, "look", "pyte")
    return [Row("a look for settling, one row changed", "us", us or None, reach=Reach("value", LOOK_US))]


def _history(place: Place) -> list[Row]:
    return [
        Row(f"history of {kind} rows, a row", "B", _python(place, "history", "pyte", kind) or None, reach=Reach("value", HISTORY_BYTES))
        for kind in ("plain", "coloured")
    ]


def _python(place: Place, *args: str) -> float:
    """A number from a fresh interpreter; 0 where the engine is not there."""
    done = subprocess.run([sys.executable, str(SPEED), *args], env=place.environ, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        if args[1] == "ghostty":
            return 0
        raise AssertionError(f"{' '.join(args)}: {done.stderr.strip().rpartition(chr(10))[2]}")
    return float(json.loads(done.stdout))


def _xterm(place: Place, path: Path) -> float:
    try:
        node, modules = node_modules()
    except NoPeer:
        return 0
    environ = {**place.environ, "NODE_PATH": str(modules)}
    done = subprocess.run([node, str(XTERM), str(path)], env=environ, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout))

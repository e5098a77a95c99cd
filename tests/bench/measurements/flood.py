"""`cat` of a large text through an attached client until what follows it is drawn, side by side with tmux."""

from __future__ import annotations

import random
import time
from pathlib import Path

from roostd.host.mirror import engines
from tests.bench.peers import or_why_not, tmux
from tests.bench.place import Place, say
from tests.bench.stats import Reach, Row, median
from tests.bench.viewer import Viewer

BEGIN, END = b"READY-TO-GO", b"THE-END-OF-IT"
PATIENCE = 600.0


TIMES_TMUX = {"pyte": 1.0, "ghostty": 1.2}
"""How many times as fast as tmux it is to be with this engine."""


def measure(place: Place, quick: bool) -> list[Row]:
    """Seconds, each engine and tmux turn by turn, the median of three."""
    size = 10 if quick else 100
    text = place.home.work / "flood.txt"
    write_text(text, size)
    # The marks are put together by printf, so that a command line which is shown somewhere does not contain them.
    script = f"printf '%s-TO-GO\\n' READY; read go; cat {text}; printf '%s-END-OF-IT\\n' THE; read end"
    argv = ("/bin/sh", "-c", script)
    taken: dict[str, list[float]] = {engine: [] for engine in TIMES_TMUX if not engines.why_not(engine)}
    peers: list[float] = []
    why = ""

    def through_tmux() -> float:
        with tmux(place, *argv) as attach:
            return _seconds(attach, place)

    for _ in range(1 if quick else 3):
        for engine, seconds in taken.items():
            say(f"{size} MB through roost, {engine}")
            place.home.write_config(f'{{"mirror": "{engine}"}}')
            seconds.append(_seconds(place.command("attach", *place.run_jobs(1, *argv)), place))
        say(f"{size} MB through tmux")
        peer, why = or_why_not(through_tmux)
        peers += [peer] if peer else []
    beside = median(peers) if peers else None
    return [
        Row(
            f"cat of {size} MB, attached, {engine}",
            "s",
            median(seconds),
            beside,
            why or "tmux attach",
            Reach("ratio", 1 / TIMES_TMUX[engine]),
            f"{size / median(seconds):.1f} MB/s",
        )
        for engine, seconds in taken.items()
    ]


def write_text(path: Path, megabytes: int) -> None:
    """Lines of words, of many lengths, as a log has them; the same bytes every time."""
    chance = random.Random(11)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 10))) for _ in range(500)]
    block = "".join(" ".join(chance.choices(words, k=chance.randint(1, 16))) + "\n" for _ in range(20_000)).encode()[:999_999]
    with path.open("wb") as file:
        for _ in range(megabytes):
            file.write(block + b"\n")


def _seconds(attach: list[str], place: Place) -> float:
    with Viewer(attach, place.environ) as viewer:
        viewer.until(BEGIN)
        begun = time.perf_counter()
        viewer.type(b"\r")
        viewer.until(END, PATIENCE)
        return time.perf_counter() - begun

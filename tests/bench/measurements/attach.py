"""A full screen of 200x60 with all its history: from the hello until its last byte; and the whole command, with and without history."""

from __future__ import annotations

import json
import socket
import time

import msgspec

from roost_protocol.frame import FrameReader
from roost_protocol.host import PROTOCOL, REPAINT, AttachHello
from tests.bench.clocked import clocked
from tests.bench.peers import BARE_PYTHON
from tests.bench.place import Place
from tests.bench.stats import Reach, Row, median
from tests.bench.viewer import Viewer

COLS, ROWS = 200, 60
HELLO_MS, COMMAND_TIMES = 15, 4
END = "THE-END"

# The shell puts the mark together, so that no command line that is shown contains it.
SCRIPT = (
    r"""read go; for n in $(seq 2200); do printf '\033[3%dm%s %0180d\033[m\r\n' $((n % 8)) row $n; done; printf '%s-END' THE; read end"""
)
SHORT = r"""for n in $(seq 30); do printf '\033[3%dm%s %0100d\033[m\r\n' $((n % 8)) row $n; done; printf '%s-END' THE; read end"""


def measure(place: Place, quick: bool) -> list[Row]:
    """Milliseconds; the terminal has the job's size already."""
    times = 5 if quick else 20
    job = place.run_jobs(1, "/bin/sh", "-c", SCRIPT)[0]
    path = json.loads((place.home.state / "jobs" / job / "host.json").read_bytes())["socket"]
    first = _attached(path)[1]
    place.roost("keys", job, "enter")
    while END not in json.loads(place.roost("screen", job, "--json"))["rows"]:
        time.sleep(0.1)
    found = [_attached(path) for _ in range(times)]
    size = found[0][1]
    hellos = [took for took, _ in found]
    short = place.run_jobs(1, "/bin/sh", "-c", SHORT)[0]
    commands, long, bare = [], [], []
    for _ in range(times):
        commands.append(_command(place, short))
        long.append(_command(place, job))
        bare.append(clocked(BARE_PYTHON, place.environ)[0])
    note = f"{size / 1024:.0f} KiB, history included; an empty screen {first} B"
    return [
        Row("attach, hello to the last byte, 200x60", "ms", median(hellos), reach=Reach("value", HELLO_MS), note=note),
        Row(
            "roost attach until drawn",
            "ms",
            median(commands),
            median(bare),
            "python -c pass",
            Reach("ratio", COMMAND_TIMES),
            "a full screen",
        ),
        Row("roost attach, history drawn too", "ms", median(long), median(bare), "python -c pass", note="2,000 rows in front of it"),
    ]


def _attached(path: str) -> tuple[float, int]:
    """Milliseconds until the whole picture has come, and its bytes."""
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(path)
        hello = msgspec.json.encode(AttachHello(protocol=PROTOCOL, version="bench", cols=COLS, rows=ROWS)) + b"\n"
        begun = time.perf_counter()
        peer.sendall(hello)
        data = b""
        while b"\n" not in data:
            data += peer.recv(1 << 20)
        reader, size = FrameReader(), 0
        frames = reader.feed(data.partition(b"\n")[2])
        while not any(kind == REPAINT for kind, _ in frames):
            frames = reader.feed(peer.recv(1 << 20))
        took = (time.perf_counter() - begun) * 1000
        size = sum(len(payload) for _, payload in frames)
    return took, size


def _command(place: Place, job: str) -> float:
    begun = time.perf_counter()
    with Viewer(place.command("attach", job), place.environ) as viewer:
        viewer.until(END.encode())
        return (time.perf_counter() - begun) * 1000

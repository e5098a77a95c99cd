"""Recordings of real agents, fed chunk by chunk: repainted at moments all through, and the chunking is nothing."""

import base64
import gzip
import json
from pathlib import Path

import pytest

from roostd.host.mirror.events import ProgramStatus
from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.host.mirror.queries import QueryFilter
from tests.roostd.host.mirror.looks import everything_of, screen_of
from tests.support.needs import outside_data

RECORDINGS = [
    "codex/approve", "codex/resize", "codex/long", "codex/asktool", "pi/straight", "pi/resize", "pi/input", "pi-gate/approve.psp",
    "aider/approve", "aider/exit.working_ctrlc1", "opencode/resize", "opencode/approve",
]  # fmt: skip
MOMENTS = 12


def steps(path: Path) -> list[bytes | tuple[int, int]]:
    """Output and resizes (columns, rows), in order."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return [base64.b64decode(line["o"]) if "o" in line else (line["w"][1], line["w"][0]) for line in lines if line.keys() & {"o", "w"}]


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_recording_is_repainted_at_any_moment(name: str) -> None:
    recorded = steps(outside_data(f"recordings/{name}.jsonl.gz"))
    mirror, relayed, relay = PyteMirror(100, 30), PyteMirror(100, 30), QueryFilter()
    every = max(1, len(recorded) // MOMENTS)
    for n, step in enumerate(recorded):
        if isinstance(step, tuple):
            mirror.resize(*step)
            relayed.resize(*step)
            continue
        mirror.feed(step)
        assert relayed.feed(relay.feed(step)).replies == ()
        if n % every == 0:
            fresh = PyteMirror(mirror.cols, mirror.rows)
            fresh.feed(mirror.repaint(1 << 20))
            assert screen_of(fresh) == screen_of(mirror)
    assert everything_of(relayed) == everything_of(mirror)


def test_the_agents_status_is_heard() -> None:
    mirror = PyteMirror(100, 30)
    heard = [
        event
        for step in steps(outside_data("recordings/codex/approve.jsonl.gz"))
        if isinstance(step, bytes)
        for event in mirror.feed(step).events
        if isinstance(event, ProgramStatus)
    ]
    assert any("state=blocked" in status.pairs for status in heard)
    assert any("state=working" in status.pairs for status in heard)

"""Recordings of real agents, replayed through the observer that runs live, and judged by the truth that was recorded beside them."""

import base64
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from roost_protocol.host import Detection
from roost_protocol.states import State
from roostd.catalogue.load import catalogue
from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.host.observer import Observer
from roostd.profiles import detection
from tests.support.needs import outside_data

LOOK_PAUSE = 0.1
STEP = 0.1
"""Seconds between two judgements."""

# Right at least so often, of all moments. What is missing: two seconds of silence after each turn of an agent that says nothing.
FLOORS = {
    "codex/straight": 0.98,
    "codex/approve": 0.97,
    "codex/think20": 0.98,
    "codex/quiettool": 0.97,
    "codex/long": 0.98,
    "codex/resize": 0.98,
    "pi/straight": 0.8,
    "pi/think20": 0.87,
    "pi/long": 0.8,
    "pi/resize": 0.89,
    "pi/err429x.psp": 0.98,
    "pi-gate/approve": 0.8,
    "pi-gate/approve.psp": 0.96,
    "aider/straight": 0.93,
    "aider/approve": 0.96,
    "aider/quiettool": 0.96,
}


class Replay:
    """One recorded job. `transitions` are (time, state), as they would have been published."""

    def __init__(self, wanted: Detection) -> None:
        self.mirror = PyteMirror(100, 30)
        self.observer = Observer(wanted, 0.0)
        self.transitions: list[tuple[float, State]] = []
        self._look: float | None = None
        self._deadline: float | None = None
        self.decide(0.0)

    def take(self, record: dict[str, Any]) -> None:
        now = record["t"]
        self.go_to(now)
        if "o" in record:
            self.observer.hear(self.mirror.feed(base64.b64decode(record["o"])).events, now)
            self._look = now + LOOK_PAUSE if self._look is None else self._look
        elif "w" in record:
            self.mirror.resize(record["w"][1], record["w"][0])
            self.observer.repainted(now)
        elif not (typed := base64.b64decode(record["i"])).startswith((b"\x1b[", b"\x1b]", b"\x1bP", b"\x1b_")):
            self.observer.typed(typed, now)  # else it is the recorder's answer to the agent's question
            self.decide(now)

    def go_to(self, now: float) -> None:
        """Whatever falls due until then."""
        while (due := min((at for at in (self._look, self._deadline) if at is not None and at <= now), default=None)) is not None:
            if due == self._look:
                self._look = None
                self.observer.look(self.mirror, due)
            self.decide(due)

    def decide(self, now: float) -> None:
        verdict, _ = self.observer.decide(now)
        self._deadline = verdict.deadline
        self.transitions.append((now, verdict.state))

    def state_at(self, now: float) -> State:
        return next(state for at, state in reversed(self.transitions) if at <= now)


def judged(path: Path, wanted: Detection) -> Counter[bool]:
    """How often the state was right and wrong. Idle may be quiet; and a question in prose is idle, since only a reader could tell."""
    replay = Replay(wanted)
    with gzip.open(path) as lines:
        for line in lines:
            replay.take(json.loads(line))
    truth = [json.loads(line) for line in path.with_name(path.name.replace(".jsonl.gz", ".truth.jsonl")).read_text().splitlines()]
    right: Counter[bool] = Counter()
    for label in truth:
        if label["src"] != "label" or label["label"] not in ("idle", "working", "waiting"):
            continue
        allowed = {"idle": ("idle", "quiet")}.get(label["label"], (label["label"],))
        moments = int((label["to"] - label["from"]) / STEP)
        right.update(replay.state_at(label["from"] + moment * STEP) in allowed for moment in range(moments))
    return right


@pytest.mark.parametrize("name", FLOORS)
def test_a_recorded_agent_is_read_as_it_was(name: str) -> None:
    agent = name.split("/")[0].removesuffix("-gate")
    right = judged(outside_data(f"recordings/{name}.jsonl.gz"), detection(catalogue()[agent]))
    share = right[True] / right.total()
    assert share >= FLOORS[name], f"right {share:.3f} of the time"

"""Real agents, watched live: started by `roost run` against the scripted model, nobody attached, turn after turn."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

from roost_protocol.states import State
from roostd.host.replay.recording import Input, Recording, Step, read
from tests.accuracy.judge import Interval, Shown
from tests.accuracy.marks import Mark, intervals
from tests.realagents.model import ScriptedModel, Truth
from tests.realagents.opening import WAYS, opened
from tests.support.person import Person

JOB: Final = "watched"
HOLD: Final = 6.0
"""Seconds that a prompt or a dialog is left alone, to be judged."""

PATIENCE: Final = 45.0
"""Seconds without another try after which an agent has given up."""

LONGEST: Final = 240.0
"""Seconds of one turn, at most."""


SCENARIOS: Final = ("straight", "approve", "question", "think20", "stall", "quiettool", "err429x")


class Watched(NamedTuple):
    """One agent's truth and what was shown, by the same clock; `steps` is what it wrote, by that clock too, and when it was answered."""

    truth: list[Interval]
    shown: list[Shown]
    why: list[str]
    size: tuple[int, int]
    steps: list[Step]


def watch(agent: str, scenarios: Sequence[str]) -> Watched:
    """The agent's life through the scenarios, one turn each."""
    with opened(agent, JOB) as (person, model, argv):
        began = time.time()
        person.roost(*argv)
        cast = person.cwd.parent / "live.cast"
        recorder = subprocess.Popen([*person.inside, "roost", "record", JOB, str(cast)], env=person.environ, stderr=subprocess.DEVNULL)
        marks = _Session(agent, person, model).lived(scenarios)
        recorder.wait()
        events = [json.loads(line) for line in person.roost("events", "--json").splitlines()]
        changes = [event for event in events if event["kind"] == "job.state"]
        size, steps = _recorded(cast, changes, began)
    shown = [Shown(0.0, "starting"), *(Shown(event["at"] - began, _state(event["data"]["to"])) for event in changes)]
    return Watched(intervals(marks, began), shown, ["", *map(_why, changes)], size, steps)


def _recorded(cast: Path, changes: Sequence[dict[str, Any]], began: float) -> tuple[tuple[int, int], list[Step]]:
    """The recording by our clock. When it was answered is in no recording: what was shown of that tells."""
    with open(cast, "rb") as file:
        recording: Recording = read(file)
        written = list(recording.steps)
    # The same changes stand beside the recording, by its clock.
    last = json.loads(cast.with_name(cast.name + ".states.jsonl").read_text().splitlines()[-1])["t"]
    shift = changes[-1]["at"] - last - began
    answers = [change["data"]["evidence"]["at"] - began for change in changes if change["data"]["evidence"]["signal"] == "input"]
    steps = [*(step._replace(at=step.at + shift) for step in written), *(Input(at, b"\r") for at in answers)]
    return (recording.cols, recording.rows), sorted(steps, key=lambda step: step.at)


class _Session:
    """What is done to the agent, and when."""

    def __init__(self, agent: str, person: Person, model: ScriptedModel) -> None:
        self._way = WAYS[agent]
        self._person = person
        self._model = model
        self._marks: list[Mark] = []

    def lived(self, scenarios: Sequence[str]) -> list[Mark]:
        self._person.wait_for_state(JOB, "idle", within=60)
        self._mark("ready")
        time.sleep(HOLD)
        for scenario in scenarios:
            self._turn(scenario)
        self._mark("end")
        self._person.roost("stop", JOB)
        return [*self._marks, *(Mark(truth.at, truth.event, _kind(truth)) for truth in self._model.truth())]

    def _turn(self, scenario: str) -> None:
        heard = len(self._model.truth())
        self._mark("sent")
        sent = self._person.roost("reply", "--json", JOB, f"Please do scn:{scenario} for me", codes=(0, 1))
        assert json.loads(sent)["outcome"] == "submitted", f"{scenario}: {sent}{self._person.roost('screen', JOB)}"
        deadline = time.monotonic() + LONGEST
        while time.monotonic() < deadline:
            new = self._model.truth()[heard:]
            if any(truth.event == "turn_complete" for truth in new):
                break
            if new and new[-1].event == "error_sent" and time.time() - new[-1].at > PATIENCE:
                return self._mark("gave_up")
            if new and new[-1].event == "tool_call_sent" and time.time() - new[-1].at > HOLD:
                self._answer()
                heard += len(new)
            time.sleep(0.1)
        return time.sleep(HOLD)

    def _answer(self) -> None:
        if re.search(self._way.dialog, self._person.roost("screen", JOB), re.MULTILINE):
            self._mark("answered")
            self._person.roost("keys", JOB, self._way.yes)

    def _mark(self, what: str) -> None:
        self._marks.append(Mark(time.time(), what))


def _kind(truth: Truth) -> str:
    return "question" if truth.told.get("tool") == "ask" else "approval"


def _state(word: str) -> State:
    assert word in get_args(State)
    return word  # type: ignore[return-value]


def _why(event: dict[str, Any]) -> str:
    """The evidence, and how long it had been there when it was published: what came late before that was late of the agent."""
    said = event["data"].get("evidence")
    return f"{said['signal']}, {said['detail']} ({event['at'] - said['at']:.2f} s old)" if said else ""

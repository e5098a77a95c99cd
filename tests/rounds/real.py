"""Rounds with a real agent against the scripted model, whose own log says when it had dealt with what was sent."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Final, NamedTuple

from tests.realagents.judging import story
from tests.realagents.model import ScriptedModel, Truth
from tests.realagents.opening import WAYS, opened
from tests.rounds.rounds import LIMIT, Round
from tests.support.person import Person

JOB: Final = "talked-to"

LATE: Final = 5.0
"""Seconds behind the truth after which a round took too long to end."""

UNHURRIED: Final = {"opencode": LIMIT}
"""The same of agents whose own busy line stays for seconds behind the model's last word, and longer where the machine is busy."""

FIRST: Final = 240.0
"""Seconds that the first turn of such an agent may take, which makes itself ready in it; it is not judged."""

_TURNS: Final = ("twocalls", "question", "approve", "straight", "twocalls", "stall", "approve", "think20")


class Sent(NamedTuple):
    """What is replied, the state that comes of it, and what the model has done by then."""

    text: str
    settled: str
    truth: str


def play(agent: str, count: int) -> Iterator[tuple[Round, float]]:
    """So many rounds, and how many seconds behind the truth each ended."""
    with opened(agent, JOB) as (person, model, argv):
        person.roost(*argv)
        person.roost("wait", JOB, "--until", "idle", "--timeout", "240")
        if agent in UNHURRIED:
            _make_ready(person, model)
        for sent in islice(_all(agent), count):
            yield _round(person, model, sent, UNHURRIED.get(agent, LATE))
        person.roost("stop", JOB)


def _make_ready(person: Person, model: ScriptedModel) -> None:
    """One turn to its end, however long it takes and whatever was thought of it: its text may lie there for a minute."""
    person.roost("reply", JOB, "Please do scn:straight for me", codes=(0, 1))
    model.wait_for("turn_complete", within=FIRST)
    person.roost("wait", JOB, "--until", "working", "--timeout", "2", codes=(0, 124))
    person.roost("wait", JOB, "--until", "idle", "--timeout", str(FIRST))


def _all(agent: str) -> Iterator[Sent]:
    """Turns of every length; an approval is answered by the next round where a text can."""
    answer = WAYS[agent].typed
    for number, turn in enumerate(cycle(_TURNS)):
        text = f"Round {number}: please do scn:{turn} for me"
        if turn != "approve":
            yield Sent(text, "idle", "turn_complete")
        elif answer is not None:
            yield Sent(text, "waiting", "tool_call_sent")
            yield Sent(answer, "idle", "turn_complete")


def _round(person: Person, model: ScriptedModel, sent: Sent, late: float) -> tuple[Round, float]:
    before, began = len(model.truth()), time.time()
    said = person.roost("reply", JOB, sent.text, "--wait", "--timeout", str(LIMIT), "--json", codes=(0, 1, 124))
    ended = time.time()
    new = model.truth()[before:]
    happened = next((truth for truth in new if truth.event == sent.truth), None)
    wrong = _wrong(json.loads(said), sent, new, happened, ended, late)
    if wrong:
        shown = story([change for change in person.states(JOB) if change[0] > began], began)
        wrong += f" (shown: {shown}; done: {story([(truth.at, truth.event) for truth in new], began)})"
    return Round(sent.text, None, wrong), ended - happened.at if happened else 0.0


def _wrong(answer: dict[str, object], sent: Sent, new: list[Truth], happened: Truth | None, ended: float, late: float) -> str | None:
    if answer["outcome"] != "submitted" or answer["settled"] != sent.settled or not answer["started"]:
        return f"it ended as {answer}, when the model had done {[truth.event for truth in new]}"
    if happened is None or happened.at > ended:
        return f"it ended early: the model had done {[truth.event for truth in new]}"
    return f"it ended {ended - happened.at:.1f} s late" if ended - happened.at > late else None

"""A whole turn with an approval: started, left, found again, answered, left again, ended; every state true when it was shown."""

import shlex
import time
from dataclasses import dataclass

import pytest

from tests.realagents.judging import begun, in_force, story
from tests.realagents.scene import Scene
from tests.support.person import assert_sane, detach

pytestmark = pytest.mark.realagents

TASK = "Please do scn:approve for me"
OVER = r"I created hello\.txt\."


@dataclass(frozen=True, slots=True)
class Way:
    """How an agent shows that it asks (a pattern over its screen), the key that says yes, and the keys that end it."""

    dialog: str
    yes: str
    leave: tuple[str, ...]


WAYS = {
    "codex": Way(r"^› 1\. Yes, proceed", "y", ("C-c", "C-c")),
    "claude": Way(r"^ *❯ 1\. Yes", "enter", ("C-c", "C-c")),
    "pi-gate": Way(r"^ → Yes$", "enter", ("C-d",)),
}


@pytest.mark.parametrize(("scene", "way"), WAYS.items(), ids=WAYS, indirect=["scene"])
def test_a_turn_with_an_approval(scene: Scene, way: Way) -> None:
    pane, person, model = scene.pane, scene.person, scene.model
    pane.line(shlex.join(["roost", *scene.command("--name", "fix", task=TASK)]))
    asked = model.wait_for("tool_call_sent")
    pane.wait_for(way.dialog)
    person.wait_for_state("fix", "waiting", "quiet")

    found = pane.steady_picture()
    detach(pane)
    assert_sane(pane, scene.settings)
    pane.line("roost attach fix")
    pane.wait_for_picture(found)
    detach(pane)

    answered = time.time()
    person.roost("keys", "fix", way.yes)
    model.wait_for("tool_result_received")
    assert (scene.workplace.repository / "hello.txt").exists()
    over = model.wait_for("turn_complete")
    person.wait_for_state("fix", "idle", "quiet")

    states = person.states("fix")
    told = story(states, asked.at)
    assert begun(states, model.wait_for("first_byte").at, asked.at) <= {"working"}, told
    assert in_force(states, asked.at) == "working", told
    assert begun(states, asked.at, answered) <= {"waiting", "quiet"}, told
    assert begun(states, answered, over.at) == {"working"}, told
    assert in_force(states, over.at) == "working", told

    pane.line("roost attach fix")
    pane.wait_for(OVER)
    pane.keys(*way.leave)
    pane.wait_for(r"^\[fix done\]$")
    assert_sane(pane, scene.settings)

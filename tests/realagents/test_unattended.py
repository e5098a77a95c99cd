"""An agent that nobody is attached to: its tasks come by `roost reply`, and its long silences are still work."""

import json

import pytest

from tests.realagents.judging import begun, in_force, story
from tests.realagents.scene import Scene

pytestmark = pytest.mark.realagents

AGENTS = ("codex", "pi", "claude")


def reply(scene: Scene, text: str) -> str:
    outcome: str = json.loads(scene.person.roost("reply", "--json", "fix", text))["outcome"]
    return outcome


@pytest.mark.parametrize("scene", AGENTS, indirect=True)
def test_two_turns_by_reply(scene: Scene) -> None:
    person, model = scene.person, scene.model
    person.roost(*scene.command("--detach", "--name", "fix"))
    person.wait_for_state("fix", "idle", "quiet")

    assert reply(scene, "Please do scn:question for me") == "submitted"
    asked = model.wait_for("turn_complete")
    person.wait_for_state("fix", "idle", "quiet")
    assert "Should I use SQLite or PostgreSQL" in " ".join(person.roost("screen", "fix").split())

    assert reply(scene, "SQLite.\nAnd then scn:straight please") == "submitted"
    over = model.wait_for("turn_complete", 2)
    person.wait_for_state("fix", "idle", "quiet")
    request = [truth for truth in model.truth() if truth.event == "request"][-1]
    assert request.told["last_user"] == "SQLite.\nAnd then scn:straight please"

    states = person.states("fix")
    told = story(states, asked.at)
    assert in_force(states, asked.at) == "working", told
    assert begun(states, request.at, over.at) <= {"working"}, told
    assert in_force(states, over.at) == "working", told


@pytest.mark.parametrize("scene", AGENTS, indirect=True)
def test_a_long_silence_is_work(scene: Scene) -> None:
    person, model = scene.person, scene.model
    person.roost(*scene.command("--detach", "--name", "fix", task="Please do scn:think20 for me"))
    over = model.wait_for("turn_complete")
    person.wait_for_state("fix", "idle", "quiet")

    states = person.states("fix")
    told = story(states, over.at)
    assert begun(states, model.wait_for("first_byte").at, over.at) <= {"working"}, told
    assert in_force(states, over.at) == "working", told
    person.roost("stop", "fix")
    assert person.job("fix")["state"] == "stopped"

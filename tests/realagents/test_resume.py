"""A session goes on in a new job, by the reference that roost gave or saw, never by "the latest here"."""

import json

import pytest

from tests.realagents.scene import Scene
from tests.support.waiting import eventually

pytestmark = pytest.mark.realagents

# The text that ends each agent, as a person would submit it.
LEAVE = {"codex": "/quit", "pi": "/quit", "claude": "/exit"}


@pytest.mark.parametrize(("scene", "leave"), LEAVE.items(), ids=LEAVE, indirect=["scene"])
def test_a_session_is_resumed(scene: Scene, leave: str) -> None:
    person, model = scene.person, scene.model
    person.roost(*scene.command("--detach", "--name", "fix", task="Please do scn:question for me"))
    model.wait_for("turn_complete")
    person.wait_for_state("fix", "idle", "quiet")
    person.roost("reply", "fix", leave)
    first = person.wait_for_state("fix", "done")
    assert first["session_ref"]

    second = json.loads(person.roost("resume", "--detach", "--json", "fix"))
    assert second["previous"] == first["id"]
    assert second["session_ref"] == first["session_ref"]
    assert first["session_ref"] in second["command"]
    person.wait_for_state("fix", "idle", "quiet")

    def shows_what_was_said() -> bool:
        # An agent may take its place at the prompt before it has drawn what was said before.
        return "Should I use SQLite or PostgreSQL" in " ".join(person.roost("screen", "--lines", "100", "fix").split())

    eventually(shows_what_was_said, "that the old conversation is on the screen")

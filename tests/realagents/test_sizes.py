"""A person who comes back in a smaller terminal finds the agent drawn for it, and the same at the next return."""

import shlex

import pytest

from tests.realagents.scene import Scene
from tests.support.person import assert_sane, detach

pytestmark = pytest.mark.realagents

# What stands in each agent's dialog, however it is wrapped.
DIALOGS = {"codex": r"^› 1\. Yes, proceed", "claude": r"^ *❯ 1\. Yes", "pi-gate": r"^ → Yes$"}


@pytest.mark.parametrize(("scene", "dialog"), DIALOGS.items(), ids=DIALOGS, indirect=["scene"])
def test_back_in_a_smaller_terminal(scene: Scene, dialog: str) -> None:
    pane, person = scene.pane, scene.person
    pane.line(shlex.join(["roost", *scene.command("--name", "fix", task="Please do scn:approve for me")]))
    pane.wait_for(dialog)
    pane.steady_picture()
    pane.resize(76, 22)
    pane.wait_for(dialog)
    small = pane.steady_picture()
    detach(pane)
    pane.line("roost attach fix")
    pane.wait_for_picture(small)
    detach(pane)
    pane.resize(100, 30)
    pane.line("roost attach fix")
    pane.wait_for(dialog)
    large = pane.steady_picture()
    detach(pane)
    pane.line("roost attach fix")
    pane.wait_for_picture(large)
    person.roost("stop", "fix")
    pane.wait_for(r"^\[fix stopped\]$")
    assert_sane(pane, scene.settings)

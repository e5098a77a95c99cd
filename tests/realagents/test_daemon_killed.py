"""The daemon is killed while a real agent waits for an answer and a person is attached to it: neither notices."""

import json
import os
import shlex
import signal

import pytest

from tests.realagents.scene import Scene
from tests.support import processes
from tests.support.person import assert_sane
from tests.support.waiting import eventually

pytestmark = pytest.mark.realagents


@pytest.mark.parametrize("scene", ["codex"], indirect=True)
def test_the_daemon_is_killed_in_the_middle_of_a_turn(scene: Scene) -> None:
    pane, person, model = scene.pane, scene.person, scene.model
    pane.line(shlex.join(["roost", *scene.command("--name", "fix", task="Please do scn:approve for me")]))
    pane.wait_for(r"^› 1\. Yes, proceed")
    person.wait_for_state("fix", "waiting")
    before = pane.steady_picture()

    daemon = json.loads(person.roost("daemon", "status", "--json"))["pid"]
    os.kill(daemon, signal.SIGKILL)
    eventually(lambda: not processes.alive(daemon), "the end of the daemon")
    assert pane.steady_picture() == before
    person.roost("keys", "fix", "y")
    model.wait_for("turn_complete")
    person.wait_for_state("fix", "idle", "quiet")
    assert json.loads(person.roost("daemon", "status", "--json"))["pid"] != daemon
    assert [state for _, state in person.states("fix")][-3:] == ["waiting", "working", "idle"]

    pane.wait_for(r"I created hello\.txt\.")
    pane.keys("C-c", "C-c")
    pane.wait_for(r"^\[fix done\]$")
    assert_sane(pane, scene.settings)

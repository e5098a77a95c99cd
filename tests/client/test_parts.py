"""Program status from a real job to what a person asks: the list, the evidence, the events."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from tests.support.commands import roost
from tests.support.home import Home
from tests.support.waiting import eventually

TELLING = (
    "roost report --osc --app make --state working --progress 40 --status building; "
    "roost report --osc --state done --id tests --summary 'all pass'; "
    "roost report --osc --state waiting --waiting-for approval --id docs --question 'Publish?'; read go; roost report --osc --state idle"
)


def row(name: str) -> dict[str, object]:
    (job,) = (job for job in json.loads(roost("ls", "--json").stdout)["jobs"] if job["name"] == name)
    return dict(job)


def test_what_a_job_says_of_its_parts_is_listed_explained_and_told(lived_in: Home) -> None:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    assert roost("run", "-d", "-n", "maker", "--", "sh", "-c", TELLING, PATH=path).returncode == 0
    docs = {
        "id": "docs",
        "state": "blocked",
        "waiting_for": "approval",
        "progress": None,
        "app": "make",
        "title": None,
        "message": "Publish?",
    }
    tests = {"id": "tests", "state": "done", "waiting_for": None, "progress": None, "app": "make", "title": None, "message": "all pass"}
    root = {"id": "", "state": "working", "waiting_for": None, "progress": 40, "app": "make", "title": None, "message": "building"}
    eventually(lambda: row("maker")["parts"] == [root, docs, tests])
    assert roost("wait", "maker", "--until", "waiting", "--timeout", "20").stdout == "maker waiting: approval: Publish?\n"
    explained = roost("explain", "maker").stdout
    assert "  part .  working, 40 %, make  building\n  part   docs  blocked, approval, make  Publish?\n" in explained
    assert json.loads(roost("explain", "maker", "--json").stdout)["job"]["parts"] == [root, docs, tests]
    assert roost("keys", "maker", "enter").returncode == 0
    assert roost("wait", "maker", "--until", "done", "--timeout", "20").returncode == 0
    assert row("maker")["parts"] == [{**tests, "app": None}], "what it was inherited from is gone"
    roost("attach", "maker")
    events = [json.loads(line) for line in roost("events", "--json").stdout.splitlines()]
    told = [event["data"]["parts"] for event in events if event["kind"] == "job.parts"]
    assert [root, docs, tests] in told
    assert len(told) < 5
    assert ", docs blocked, tests done" in roost("events").stdout


def test_a_job_that_says_nothing_has_no_parts(lived_in: Home) -> None:
    assert roost("run", "-d", "-n", "mute", "--", "sh", "-c", "echo hi; read go").returncode == 0
    assert row("mute")["parts"] is None

"""The built-in profiles: their argv, and what their patterns say of recordings of the real agents."""

import base64
import gzip
import json
import re
from collections.abc import Iterator
from typing import Any

import pyte
import pytest

from roostd.catalogue.load import catalogue
from roostd.host.signals import searched
from roostd.profile_rules import PATTERN_FLAGS
from roostd.profiles import as_list, build, build_resume
from tests.support.needs import outside_data

ID = "11111111-2222-3333-4444-555555555555"


@pytest.mark.parametrize(
    ("agent", "argv", "typed"),
    [
        ("claude", ["claude", "--session-id", ID, "--model", "m", "--", "-t"], None),
        ("codex", ["codex", "--no-daemon", "--model", "m", "--", "-t"], None),
        ("pi", ["pi", "--session-id", ID, "--model", "m", "--", "-t"], None),
        ("aider", ["aider", "--model", "m"], "-t"),
    ],
)
def test_how_an_agent_is_started(agent: str, argv: list[str], typed: str | None) -> None:
    launch = build(catalogue()[agent], session=ID, task="-t", model="m")
    assert (launch.argv, launch.typed_task) == (argv, typed)
    assert launch.session_ref == (ID if ID in argv else None)


def test_how_our_own_are_started() -> None:
    assert build(catalogue()["shell"], session=ID, shell="/bin/zsh").argv == ["/bin/zsh"]
    assert build(catalogue()["demo"], session=ID, task="t", python="/py").argv == ["/py", "-P", "-m", "roost.demo", "--", "t"]


@pytest.mark.parametrize(
    ("agent", "argv"),
    [
        ("claude", ["claude", "--resume", ID]),
        ("codex", ["codex", "--no-daemon", "resume", ID]),
        ("pi", ["pi", "--session", ID]),
    ],
)
def test_how_a_session_is_opened_again(agent: str, argv: list[str]) -> None:
    assert build_resume(catalogue()[agent], ID).argv == argv


def test_codex_tells_its_session_when_it_ends() -> None:
    session = catalogue()["codex"].session
    assert session is not None
    assert session.pattern is not None
    found = re.search(session.pattern, f"To reconnect, run:\n  codex resume {ID}\nmore", PATTERN_FLAGS)
    assert found is not None
    assert found[1] == ID


# What may be on the screen within an interval of the truth: a pattern that is silent is no mistake, one that contradicts is.
MAY = {"waiting": {"waiting"}, "working": {"working"}, "idle": {"idle"}, "starting": {"idle"}}
RECORDINGS = [
    ("codex", "codex/approve", {"waiting"}),
    ("codex", "codex/startup.untrusted", {"waiting"}),
    ("codex", "codex/think20", {"working"}),
    ("pi", "pi-gate/approve", {"waiting", "working"}),
    ("pi", "pi/think20", {"working"}),
    ("aider", "aider/approve", {"waiting", "idle"}),
    ("aider", "aider/straight", {"idle"}),
]


@pytest.mark.parametrize(("agent", "recording", "seen"), RECORDINGS, ids=[recording for _, recording, _ in RECORDINGS])
def test_a_pattern_never_contradicts_the_truth(agent: str, recording: str, seen: set[str]) -> None:
    profile = catalogue()[agent]
    found = set()
    for label, screen in screens(recording):
        matched = {
            state
            for state in ("waiting", "working", "idle")
            for pattern in as_list(getattr(profile, state))
            if re.search(pattern, screen, PATTERN_FLAGS)
        }
        assert matched <= MAY[label], f"{label}:\n{screen}"
        found |= matched
    assert found >= seen


def screens(recording: str) -> Iterator[tuple[str, str]]:
    """The truth's label and the screen in the middle of each of its intervals that is long enough."""
    truth = [json.loads(line) for line in outside_data(f"recordings/{recording}.truth.jsonl").read_text().splitlines()]
    moments = [
        ((entry["from"] + entry["to"]) / 2, entry["label"])
        for entry in truth
        if entry["src"] == "label" and entry["label"] in MAY and (entry["to"] or 0) - entry["from"] > 1.2
    ]
    with gzip.open(outside_data(f"recordings/{recording}.jsonl.gz"), "rt") as lines:
        records: list[dict[str, Any]] = [json.loads(line) for line in lines]
    screen = pyte.Screen(100, 30)
    stream = pyte.ByteStream(screen)
    for moment, label in moments:
        while records and records[0]["t"] <= moment:
            # pyte takes private sequences (CSI > 4;2 m, CSI ? u) for what they are not.
            data = base64.b64decode(records.pop(0).get("o", ""))
            stream.feed(re.sub(rb"\x1b\[[<=>?][0-9;]*[mu]", b"", data))
        yield label, searched([row.rstrip() for row in screen.display])

"""The built-in profiles: their argv, and what their patterns say of recordings of the real agents."""

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from roost_protocol.host import Pattern
from roostd.catalogue.load import catalogue
from roostd.host.mirror.events import Title
from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.host.patterns import compile_detection
from roostd.host.replay.recording import Output, Resize, read
from roostd.host.signals import Signals
from roostd.profile_rules import PATTERN_FLAGS
from roostd.profiles import as_list, build, build_resume, detection
from tests.accuracy.data import OWN
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


@pytest.mark.parametrize(("agent", "option"), [("opencode", "--prompt"), ("gemini", "--prompt-interactive")])
def test_a_task_stands_behind_its_option(agent: str, option: str) -> None:
    assert build(catalogue()[agent], session=ID, task="t", model="m").argv == [agent, "--model", "m", option, "t"]


def test_how_our_own_are_started() -> None:
    assert build(catalogue()["shell"], session=ID, shell="/bin/zsh").argv == ["/bin/zsh"]
    assert build(catalogue()["demo"], session=ID, task="t", python="/py").argv == ["/py", "-P", "-m", "roost.demo", "--", "t"]


@pytest.mark.parametrize(
    ("agent", "argv"),
    [
        ("claude", ["claude", "--resume", ID]),
        ("codex", ["codex", "--no-daemon", "resume", ID]),
        ("pi", ["pi", "--session", ID]),
        ("opencode", ["opencode", "--session", ID]),
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
    ("codex", "codex/approve", {"waiting", "idle"}),
    ("codex", "codex/startup.untrusted", {"waiting"}),
    ("codex", "codex/think20", {"working", "idle"}),
    ("opencode", "opencode/approve", {"waiting", "working", "idle"}),
    ("pi", "pi-gate/approve", {"waiting", "working", "idle"}),
    ("pi", "pi/think20", {"working", "idle"}),
    ("aider", "aider/approve", {"waiting", "idle"}),
    ("aider", "aider/straight", {"idle"}),
]


@pytest.mark.parametrize(("agent", "recording", "seen"), RECORDINGS, ids=[recording for _, recording, _ in RECORDINGS])
def test_a_pattern_never_contradicts_the_truth(agent: str, recording: str, seen: set[str]) -> None:
    path = outside_data(f"recordings/{recording}.jsonl.gz")
    signals = Signals(compile_detection(detection(catalogue()[agent])), 0.0)
    moments = middles(path)
    found: set[str] = set()
    for at, rows, _ in looks(path, [at for at, _ in moments]):
        label = next(label for moment, label in moments if moment == at)
        signals.look(rows, 0, at, busy=False)
        matched = {signals.match.state} if signals.match else set()
        assert matched <= MAY[label], f"{label}:\n" + "\n".join(rows)
        found |= matched
    assert found >= seen


def middles(path: Path) -> list[tuple[float, str]]:
    """The middle of each of the truth's intervals that is long enough, and its label."""
    truth = map(json.loads, path.with_name(path.name.replace(".jsonl.gz", ".truth.jsonl")).read_text().splitlines())
    labels = [entry for entry in truth if entry["src"] == "label" and entry["label"] in MAY]
    return [((entry["from"] + entry["to"]) / 2, entry["label"]) for entry in labels if entry["to"] and entry["to"] - entry["from"] > 1.2]


def looks(path: Path, moments: Sequence[float]) -> Iterator[tuple[float, list[str], str]]:
    """The screen and the title of a recording at each of these moments."""
    waiting = list(moments)
    with gzip.open(path) as file:
        recording = read(file)  # type: ignore[arg-type]
        mirror = PyteMirror(recording.cols, recording.rows)
        for step in recording.steps:
            while waiting and step.at > waiting[0]:
                yield waiting.pop(0), mirror.text(), mirror.title or ""
            if isinstance(step, Output):
                mirror.feed(step.data)
            elif isinstance(step, Resize):
                mirror.resize(step.cols, step.rows)
    for at in waiting:
        yield at, mirror.text(), mirror.title or ""


FOLDERS = {"aider": "aider", "codex": "codex", "opencode": "opencode", "pi": "pi", "pi-gate": "pi"}
"""Whose recordings are in which folder."""


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_patterns_of_one_agent_never_fire_on_another(folder: str) -> None:
    assert fired(outside_data(f"recordings/{folder}"), FOLDERS[folder]) == set()


@pytest.mark.parametrize("folder", sorted(path.name for path in OWN.iterdir() if path.is_dir()))
def test_the_patterns_of_one_agent_never_fire_on_another_of_our_recordings(folder: str) -> None:
    assert fired(OWN / folder, folder) == set()


def fired(folder: Path, owner: str) -> set[tuple[str, str, str, float]]:
    """Whose pattern, except the owner's, said what of which recording, and when."""
    others = {name: compile_detection(detection(profile)) for name, profile in catalogue().items() if name != owner}
    wrong: set[tuple[str, str, str, float]] = set()
    for path in sorted(folder.glob("*.jsonl.gz")):
        for at, rows, title in looks(path, [second / 2 for second in range(1, 240)]):
            for name, patterns in others.items():
                signals = Signals(patterns, 0.0)
                signals.hear([Title(title)], at)
                signals.look(rows, 0, at, busy=False)
                wrong |= {(name, match.state, path.name, at) for match in (signals.match, signals.title_match) if match}
    return wrong


@pytest.mark.parametrize("time", ["1s", "59s", "1m", "1m 1s", "1h", "1h 2m", "1h 2m 3s"])
def test_gemini_works_at_a_full_minute_too(time: str) -> None:
    above, below = "\u2584" * 80, "\u2580" * 80
    rows = [f" \u2839 Thinking... (esc to cancel, {time})", above, " > Type your message", below, " repo (main)"]
    signals = Signals(compile_detection(detection(catalogue()["gemini"])), 0.0)
    signals.look(rows, 3, 1.0, busy=True)
    assert signals.match is not None
    assert signals.match.state == "working"


def test_no_pattern_holds_a_word_of_the_scripted_model() -> None:
    written = " ".join(pattern if isinstance(pattern, str) else pattern.pattern for pattern in every_pattern())
    assert not re.findall(r"(?i)script|scn|hello|supervisor|build\.sh|answer|model", written)


def every_pattern() -> Iterator[str | Pattern]:
    for profile in catalogue().values():
        for given in (profile.waiting, profile.working, profile.idle):
            yield from as_list(given)

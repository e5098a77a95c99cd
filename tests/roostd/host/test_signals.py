"""What of a screen the patterns are searched in, and where a match is said to be."""

import re
from typing import Any

import msgspec
import pytest

from roost_protocol.host import Detection, Pattern
from roostd.host.mirror.events import Bell, Event, Notification
from roostd.host.patterns import compile_detection, searched
from roostd.host.signals import Rang, Signals
from roostd.profiles import Patterns, as_list
from tests.support.tree import ROOT

BELOW = [""] * 38


def looked(detection: Detection, rows: list[str]) -> Signals:
    signals = Signals(compile_detection(detection), 0.0)
    signals.look(rows, 1, 1.0, busy=False)
    return signals


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (["a", "", "b", "", "  "], "a\n\nb"),
        (["a", "you> ", ""], "a\nyou> "),
        (["", ""], ""),
        ([], ""),
    ],
)
def test_empty_rows_below_the_last_one_do_not_count(rows: list[str], text: str) -> None:
    assert searched(rows) == text


@pytest.mark.parametrize("prompt", ["you>", "you> "])
def test_a_prompt_high_on_a_tall_screen_is_at_its_end(prompt: str) -> None:
    signals = looked(Detection(idle=[r"^you> ?\Z"]), ["hello", prompt, *BELOW])
    assert signals.match is not None
    assert (signals.match.state, signals.match.row) == ("idle", 1)


def test_a_prompt_with_something_below_is_not() -> None:
    assert looked(Detection(idle=[r"^you> ?\Z"]), ["you> ", "an answer", *BELOW]).match is None


@pytest.mark.parametrize(
    ("profile", "rows", "state"),
    [
        ("mine", ["Apply it? (y/n) ", *BELOW], "waiting"),
        ("in-house", ["hello", "you> ", *BELOW], "idle"),
        ("in-house", ["Allow this? [y/N] ", *BELOW], "waiting"),
        ("in-house", ["Which one? (1-3) ", *BELOW], "waiting"),
    ],
)
def test_the_documented_profiles_read_inline_prompts(profile: str, rows: list[str], state: str) -> None:
    signals = looked(documented()[profile], rows)
    assert signals.match is not None
    assert signals.match.state == state


def documented() -> dict[str, Detection]:
    """The patterns of the profiles in docs/profiles.md."""
    text = (ROOT / "docs" / "profiles.md").read_text()
    blocks = [msgspec.json.decode(block).get("agentProfiles", {}) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]
    profiles = {name: profile for block in blocks for name, profile in block.items()}
    return {name: Detection(waiting=listed(given, "waiting"), idle=listed(given, "idle")) for name, given in profiles.items()}


def listed(profile: dict[str, Any], key: str) -> list[str | Pattern]:
    return as_list(msgspec.convert(profile.get(key, []), Patterns))


def test_who_rings_on_and_on_rings_once_until_somebody_looks() -> None:
    signals = Signals(compile_detection(Detection()), 0.0)

    def rang(event: Event, now: float) -> Rang | None:
        signals.hear([event], now)
        return signals.attention

    assert rang(Bell(), 1.0) == Rang(1.0, "bell")
    assert rang(Bell(), 2.0) == Rang(1.0, "bell")
    assert rang(Notification("look", "OSC 9"), 3.0) == Rang(3.0, "OSC 9", "look")
    assert rang(Notification("look", "OSC 9"), 4.0) == Rang(3.0, "OSC 9", "look")
    signals.attention = None
    assert rang(Bell(), 5.0) == Rang(5.0, "bell")

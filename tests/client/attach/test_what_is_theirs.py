"""What a person had set on their terminal themselves is there again when they leave: the keyboard's stack, colours."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.support.commands import roost_argv
from tests.support.home import Home
from tests.support.terminal import Terminal

DETACH = b"\x1c"
WAIT = 'while [ "$(head -c1)" != x ]; do :; done'


@pytest.fixture(autouse=True)
def home_with_jobs(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    monkeypatch.chdir(home.work)
    yield home
    home.end_all()


def left(written: str, *, before: bytes = b"", leave: bytes = DETACH) -> PyteMirror:
    """A person's terminal, on which they had `before`, after a job wrote `written` to it and they left it with the key `leave`."""
    script = f"stty raw -echo; printf ready; head -c1 >/dev/null; printf '{written}written'; {WAIT}"
    with Terminal(roost_argv("run", "-n", "j", "--", "sh", "-c", script), before=before) as terminal:
        terminal.expect("ready")
        terminal.send("x")
        terminal.expect("written")
        terminal.send(leave)
        assert terminal.wait() == 0
        return terminal.mirror


KEYBOARDS = {
    "nothing": "",
    "a push": "\\033[>1u",
    "more than a stack has": "\\033[>1u" * 20,
    "a set": "\\033[=15;1u",
    "pops": "\\033[<9u\\033[<u",
    "on the alternate screen": "\\033[>1u\\033[?1049h\\033[>3u\\033[=1;2u",
    "pops there": "\\033[?1049h\\033[<9u",
    "both": "\\033[?1049h\\033[>3u\\033[?1049l\\033[>7u\\033[<3u",
    "a reset": "\\033[>1u\\033c",
}


@pytest.mark.parametrize("leave", [DETACH, b"x"], ids=["detached", "ended"])
@pytest.mark.parametrize("written", KEYBOARDS.values(), ids=KEYBOARDS)
def test_the_keyboards_stacks(written: str, leave: bytes) -> None:
    mirror = left(written, before=b"\x1b[?1049h\x1b[>9u\x1b[>17u\x1b[?1049l\x1b[>5u\x1b[>6u", leave=leave)
    assert flags(mirror) == [6, 5, 0]
    mirror.feed(b"\x1b[?1049h")
    assert flags(mirror) == [17, 9, 0]


def flags(mirror: PyteMirror) -> list[int]:
    """Those in force, and those below them, which this takes off."""
    found = [mirror.modes.kitty_flags]
    for _ in range(2):
        mirror.feed(b"\x1b[<u")
        found.append(mirror.modes.kitty_flags)
    return found


SET = b"\x1b]10;#010101\x07\x1b]11;#020202\x07\x1b]12;#030303\x07\x1b]4;0;#040404;15;#050505;21;#060606\x07"
QUESTION = b"\x1b]10;?;?;?\x07\x1b]4;0;?;15;?;21;?\x07"
COLOURS = {
    "nothing": "",
    "all of them": "\\033]10;red;red;red\\007\\033]4;0;red;15;red;21;red\\007",
    "some of them": "\\033]11;red\\007\\033]4;15;red\\007",
    "resets": "\\033]110\\007\\033]111\\007\\033]112\\007\\033]104\\007",
    "and reset": "\\033]11;red\\007\\033]111\\007\\033]4;15;red\\007\\033]104;15\\007",
    "and a hard reset": "\\033]11;red\\007\\033c",
    "with names nobody knows": "\\033]11;papaya whip\\007",
}


@pytest.mark.parametrize("before", [b"", SET], ids=["never set", "set"])
@pytest.mark.parametrize("written", COLOURS.values(), ids=COLOURS)
def test_their_colours(written: str, before: bytes) -> None:
    fresh = PyteMirror(80, 24)
    fresh.feed(before)
    assert left(written, before=before).feed(QUESTION).replies == fresh.feed(QUESTION).replies


def test_colours_that_no_job_changed_are_not_set() -> None:
    with Terminal(roost_argv("run", "-n", "j", "--", "sh", "-c", f"stty raw -echo; printf ready; {WAIT}"), before=SET) as terminal:
        terminal.expect("ready")
        terminal.send(DETACH)
        assert terminal.wait() == 0
        assert not re.search(rb"\x1b\](?:1[012]|4;\d+);(?!\?)|\x1b\]1[01]\d", terminal.output)

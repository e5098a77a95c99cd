"""Repaint in particular; that it is right for anything at all is in `test_properties`."""

import pytest

from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.roostd.host.mirror.looks import everything_of, screen_of

STATES = {
    "shell": b"$ ls\r\n\x1b[01;34mdir\x1b[0m  file\r\n$ \x1b[?2004h",
    "scrolled": b"".join(b"line %d\r\n" % n for n in range(30)) + b"$ ",
    "pager": b"$ less\r\n\x1b[?1049h\x1b[22;0;0t\x1b[?1h\x1b=\x1b[Htext\x1b[6;1H\x1b[7m(END)\x1b[m",
    "full-screen agent": b"\x1b[?1049h\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b[?1004h\x1b[>7u\x1b[?25l\x1b[2;5r\x1b[3;3Hbox\x1b]0;busy\x07",
    "inline agent": b"old\r\n\x1b[>4;2m\x1b[?2004h\x1b[?1004h\x1b[5 q> \x1b[2mask\x1b[22m\x1b[4;3H",
    "wrap pending": b"\x1b[31m0123456789abcdefghij",
    "wide and wrap pending": "0123456789abcdefgh\x1b[32m漢".encode(),
    "line drawing": b"\x1b(0lqk",
    "in a frame": b"\x1b[?2026hhalf a frame",
    "own tabs": b"\x1b[3g\x1b[1;4H\x1bH\x1b[1;9H\x1bH\r",
    "no wrap, insert": b"\x1b[?7l\x1b[4h\x1b[20habc\x1b[H",
}


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_a_fresh_terminal_is_the_same(state: bytes) -> None:
    mirror, fresh = PyteMirror(20, 6), PyteMirror(20, 6)
    mirror.feed(state)
    fresh.feed(mirror.repaint(100))
    assert everything_of(fresh) == everything_of(mirror)


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_a_terminal_in_use_is_the_same(state: bytes) -> None:
    mirror = PyteMirror(20, 6)
    mirror.feed(b"\x1b]0;t\x07" + state)
    for before in STATES.values():
        used = PyteMirror(20, 6)
        used.feed(before)
        used.feed(mirror.repaint())
        assert screen_of(used) == screen_of(mirror)


def test_a_cursor_that_came_back_outside_the_margins_is_there_again() -> None:
    """As in xterm, whose screens have margins of their own; tmux has one pair of them for both and cannot show it."""
    mirror, fresh = PyteMirror(20, 6), PyteMirror(20, 6)
    mirror.feed(b"\x1b[2;4r\x1b[?47h\x1b[?6h\x1b[?47l")
    assert mirror.cursor == (0, 0)
    fresh.feed(mirror.repaint())
    assert everything_of(fresh) == everything_of(mirror)


def test_the_history_is_as_long_as_asked_for() -> None:
    mirror, fresh = PyteMirror(20, 6), PyteMirror(20, 6)
    mirror.feed(STATES["scrolled"])
    fresh.feed(mirror.repaint(3))
    assert fresh.history(99) == mirror.history(3)
    assert fresh.text() == mirror.text()


def test_the_normal_screen_is_there_after_the_alternate_one() -> None:
    mirror, fresh = PyteMirror(20, 6), PyteMirror(20, 6)
    mirror.feed(STATES["scrolled"] + b"\x1b[31m\x1b[?1049h\x1b[2Jpager")
    fresh.feed(mirror.repaint(100))
    for each in (mirror, fresh):
        each.feed(b"\x1b[?1049lgo")
    assert everything_of(fresh) == everything_of(mirror)


def test_the_outer_scrollback_is_left_alone() -> None:
    outer, mirror = PyteMirror(20, 6), PyteMirror(20, 6)
    outer.feed(STATES["scrolled"])
    before = outer.history(99)
    outer.feed(mirror.repaint())
    assert outer.history(99) == before

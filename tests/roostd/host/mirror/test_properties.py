"""Any bytes, in any chunking: nothing raises, the screen is valid, and the chunking changes nothing."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.host.mirror.width import width
from tests.roostd.host.mirror.looks import chunks, everything_of, screen_of, sizes, streams

cuts = st.lists(st.integers(1, 7), min_size=1, max_size=5)
many = settings(max_examples=150, deadline=None)


@many
@given(sizes, streams, cuts)
def test_the_chunking_changes_nothing(size: tuple[int, int], data: bytes, cut: list[int]) -> None:
    whole, pieces = PyteMirror(*size), PyteMirror(*size)
    at_once = whole.feed(data)
    fed = [pieces.feed(chunk) for chunk in chunks(data, cut)]
    assert everything_of(pieces) == everything_of(whole)
    assert tuple(event for one in fed for event in one.events) == at_once.events
    assert tuple(reply for one in fed for reply in one.replies) == at_once.replies


@many
@given(sizes, streams, sizes, streams)
def test_the_screen_stays_valid(engine: str, size: tuple[int, int], before: bytes, resized: tuple[int, int], after: bytes) -> None:
    mirror = PyteMirror(*size)
    mirror.feed(before)
    mirror.resize(*resized)
    mirror.feed(after)
    assert (mirror.cols, mirror.rows) == resized
    assert len(mirror.text()) == len(mirror.ansi()) == mirror.rows
    x, y = mirror.cursor
    assert 0 <= x <= mirror.cols
    assert 0 <= y < mirror.rows
    for row in mirror.screen.rows:
        assert len(row.cells) <= mirror.cols
        assert row.styles is None or len(row.styles) == len(row.cells)
        if engine == "pyte":  # the other counts by a later Unicode
            assert [width(cell[0]) for cell in row.cells if cell] == widths_by_place(row.cells)
    assert not any(char < " " or "\x7f" <= char <= "\x9f" for row in mirror.text() for char in row)


def widths_by_place(cells: list[str]) -> list[int]:
    """How wide each character is by where its second half is."""
    return [2 if following == "" else 1 for cell, following in pairwise([*cells, " "]) if cell]


@many
@given(sizes, streams)
def test_a_repainted_terminal_is_the_same(size: tuple[int, int], data: bytes) -> None:
    mirror, fresh = PyteMirror(*size), PyteMirror(*size)
    mirror.feed(data + b"\x18")
    assert fresh.feed(mirror.repaint(1 << 20)).replies == ()
    assert everything_of(fresh) == everything_of(mirror)


@many
@given(sizes, streams, streams)
def test_a_repainted_terminal_goes_on_the_same(size: tuple[int, int], data: bytes, more: bytes) -> None:
    mirror, fresh = PyteMirror(*size), PyteMirror(*size)
    mirror.feed(data + b"\x18")
    fresh.feed(mirror.repaint(1 << 20))
    goes_on = b"\x1b[?1049l\x1b8XY" + more.replace(b"\x1b[23t", b"")
    mirror.feed(goes_on)
    fresh.feed(goes_on)
    assert screen_of(fresh)["text"] == screen_of(mirror)["text"]
    assert fresh.cursor == mirror.cursor
    # A picture has the keyboard's flags in force: the stack below them is the person's, and the relay's filter keeps the job's.
    assert replace(fresh.modes, kitty_flags=0) == replace(mirror.modes, kitty_flags=0)


@many
@given(sizes, streams, streams)
def test_a_terminal_in_any_state_can_be_repainted(size: tuple[int, int], data: bytes, other: bytes) -> None:
    mirror, used = PyteMirror(*size), PyteMirror(*size)
    mirror.feed(data + b"\x1b]0;t\x07\x18")
    used.feed(other + b"\x1b[r")
    used.feed(mirror.repaint())
    assert screen_of(used) == screen_of(mirror)

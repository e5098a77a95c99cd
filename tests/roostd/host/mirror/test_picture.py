"""What a terminal of another size is shown: what fits, around the cursor, and nothing in its scrollback."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roostd.host.mirror.pyte_mirror import PyteMirror


def mirror_of(data: bytes, cols: int = 40, rows: int = 10) -> PyteMirror:
    mirror = PyteMirror(cols, rows)
    mirror.feed(data)
    return mirror


def shown(mirror: PyteMirror, cols: int, rows: int) -> PyteMirror:
    """Another terminal, which showed something else before."""
    viewer = mirror_of(b"before\r\n" * 30 + b"\x1b[7mx", cols, rows)
    viewer.feed(mirror.picture(cols, rows))
    return viewer


def test_the_right_side_is_cut_off_and_nothing_wraps() -> None:
    viewer = shown(mirror_of(b"abcdefghij\r\nsecond"), 5, 10)
    assert viewer.text()[:2] == ["abcde", "secon"]
    assert not any(viewer.text()[2:])


def test_half_a_wide_character_is_a_blank() -> None:
    assert shown(mirror_of("abc漢".encode()), 4, 10).text()[0] == "abc"


def test_rows_around_the_cursor_are_shown() -> None:
    mirror = mirror_of(b"\r\n".join(b"row %d" % n for n in range(10)))
    viewer = shown(mirror, 40, 4)
    assert viewer.text() == ["row 6", "row 7", "row 8", "row 9"]
    assert viewer.cursor == (5, 3)
    mirror.feed(b"\x1b[2;3H")
    viewer = shown(mirror, 40, 4)
    assert viewer.text() == ["row 0", "row 1", "row 2", "row 3"]
    assert viewer.cursor == (2, 1)


def test_a_larger_terminal_is_blank_where_there_is_nothing() -> None:
    viewer = shown(mirror_of(b"one\r\ntwo"), 60, 20)
    assert viewer.text() == ["one", "two", *[""] * 18]
    assert viewer.cursor == (3, 1)


def test_a_cursor_that_is_cut_off_is_not_shown() -> None:
    assert not shown(mirror_of(b"abcdefghij"), 5, 10).modes.cursor_visible
    assert shown(mirror_of(b"abc"), 5, 10).modes.cursor_visible


def test_the_scrollback_stays_and_comes_back() -> None:
    viewer = shown(mirror_of(b"one"), 20, 5)
    history = viewer.history(100)
    for _ in range(3):
        viewer.feed(mirror_of(b"two").picture(20, 5))
    assert viewer.text()[0] == "two"
    viewer.feed(b"\x1b[?1049l")
    assert viewer.history(100) == history
    assert "before" in viewer.text()[0]


def test_keys_work_as_in_the_real_size() -> None:
    modes = shown(mirror_of(b"\x1b[?1h\x1b[?2004h\x1b[?1004h\x1b[>1u\x1b[?1002h\x1b[?1006h"), 30, 8).modes
    assert (modes.application_cursor, modes.bracketed_paste, modes.focus_events, modes.kitty_flags, modes.mouse) == (
        True,
        True,
        True,
        1,
        1002,
    )
    assert not modes.autowrap


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.integers(2, 60), st.integers(1, 20))
def test_any_screen_in_any_size(data: bytes, cols: int, rows: int) -> None:
    mirror = mirror_of(data)
    viewer = shown(mirror, cols, rows)
    top = max(0, min(mirror.cursor[1] - rows + 1, mirror.rows - rows))
    expected = [row.clipped(cols).text() for row in mirror.screen.rows[top : top + rows]]
    assert viewer.text()[: len(expected)] == expected
    assert not any(viewer.text()[len(expected) :])


@pytest.mark.parametrize("data", [b"\x1b[?1049hfull", b"normal"])
def test_the_same_picture_again_changes_nothing(data: bytes) -> None:
    mirror = mirror_of(data)
    viewer = shown(mirror, 30, 6)
    before = (viewer.ansi(), viewer.cursor, viewer.modes)
    viewer.feed(mirror.picture(30, 6))
    assert (viewer.ansi(), viewer.cursor, viewer.modes) == before

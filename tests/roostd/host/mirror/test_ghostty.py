"""What only libghostty-vt's engine could get wrong: memory that is not Python's, and a library that hears more than it should."""

import gc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roostd.host.mirror.ghostty_mirror import GhosttyMirror
from roostd.host.mirror.history import MAX_ROWS
from tests.roostd.host.mirror.looks import chunks, everything_of, sizes, streams
from tests.support.needs import needs

ROUNDS = 600


@pytest.fixture(autouse=True, scope="module")
def _library() -> None:
    needs("pyghostty", "/proc")


def resident() -> int:
    """The process's resident memory in KiB."""
    gc.collect()
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def used() -> None:
    mirror = GhosttyMirror(120, 40)
    mirror.feed(b"\x1b[31mhello\r\n" * 100 + "漢e\u0301".encode() + b"\x1b7\x1b[?1049hx\x1b[6n\x1b]8;;http://localhost/\x07y")
    mirror.resize(80, 30)
    mirror.repaint(100)
    mirror.cells()


def test_nothing_is_leaked() -> None:
    def growth() -> int:
        before = resident()
        for _ in range(80):
            used()
        return resident() - before

    growth()
    assert growth() < 1_024


@pytest.mark.parametrize(
    "bomb",
    [
        lambda n: (b"x" * 120 + b"line %d\r\n" % n) * 5,
        lambda n: b"".join(b"\x1b[38;2;%d;%d;%dmx" % (n % 256, i % 256, i // 16) for i in range(1_000)),
        lambda n: b"".join(b"\x1b]8;;http://localhost/%d/%d/%s\x07x" % (n, i, b"a" * 500) for i in range(20)),
        lambda n: b"e" + "\u0301".encode() * 5_000,
        lambda n: b"\x1b[?2027h" + "👩".encode() + "\u200d👩".encode() * 500,
        lambda n: "👩\u200d💻é漢".encode() * 500,
        lambda n: b"\x1b]0;" + b"t" * 5_000,
        lambda n: b"\x1b_Gf=24,s=9,v=9;" + b"A" * 5_000 + b"\x1b\\",
        lambda n: b"\x1b[?1049h\x1b7\x1b[3g\x1b[>1u\x1b[22;0t",
    ],
    ids=["lines", "colours", "links", "marks", "clusters", "graphemes", "an endless title", "pictures", "stacks"],
)
def test_memory_is_bounded(bomb: Callable[[int], bytes]) -> None:
    mirror = GhosttyMirror(120, 40)
    for n in range(ROUNDS):
        mirror.feed(bomb(n))
        if n == ROUNDS * 3 // 4:
            before = resident()
    assert resident() - before < 4_096
    assert max(len(row) for row in mirror.text()) <= 120 * 16


def test_a_cluster_without_end_is_cut() -> None:
    mirror = GhosttyMirror(20, 6)
    mirror.feed(b"\x1b[?2027h" + "👩".encode() + "\u200d👩".encode() * 2_000)
    assert mirror.text()[0] == ("👩\u200d" * 8)[:16]


def test_a_look_at_the_screen_behind_changes_nothing() -> None:
    mirror, other = GhosttyMirror(20, 6), GhosttyMirror(20, 6)
    for each in (mirror, other):
        each.feed(b"\x1b]8;;http://localhost/\x07\x1b[31mnormal\x1b[?1049h\x1b[2;4r\x1b[32m" + b"x" * 20)
    mirror.repaint(100)
    mirror.history(100)
    for each in (mirror, other):
        each.feed(b"y\x1b[?1049lz")
    assert everything_of(mirror) == everything_of(other)


@pytest.mark.parametrize("cols", [1, 2, 40, 120, 500])
def test_the_history_holds_its_rows_at_every_width(cols: int) -> None:
    mirror = GhosttyMirror(cols, 5)
    for _ in range(30):
        mirror.feed(b"x\r\n" * 200)
        size = mirror.history_size
    assert size == MAX_ROWS
    assert len(mirror.history(1 << 20)) == MAX_ROWS
    assert len(mirror.history_cells(7)) == 7


def test_the_history_holds_its_rows_in_the_end_when_every_cell_has_its_colour_and_is_small_again_after() -> None:
    mirror = GhosttyMirror(80, 5)
    for n in range(3 * MAX_ROWS):
        mirror.feed(b"".join(b"\x1b[38;2;%d;%d;%dm%c" % (n % 256, n >> 8, x, 97 + x % 26) for x in range(80)) + b"\r\n")
    assert mirror.history_size == MAX_ROWS
    for _ in range(3):
        before = resident()
        mirror.feed(b"\x1b[m" + b"plain\r\n" * 5 * MAX_ROWS)
        assert mirror.history_size == MAX_ROWS
    assert resident() - before < 1_024


def test_what_the_library_would_do_with_more_than_it_hears() -> None:
    """A picture protocol, another size, a title, a report: all of them are ours or nobody's."""
    mirror = GhosttyMirror(20, 6)
    fed = mirror.feed(b"\x1b_Ga=q,i=1;AAAA\x1b\\\x1b[8;3;10t\x1b[?3h\x1b[?69h\x1b[3;9s\x1b[21t\x05\x1b]52;c;?\x07ok")
    assert fed.replies == ()
    assert (mirror.cols, mirror.rows) == (20, 6)
    assert mirror.text()[0] == "ok"


@settings(max_examples=150, deadline=None)
@given(sizes, streams, st.lists(st.integers(1, 7), min_size=1, max_size=5))
def test_a_look_tells_all_that_changed(size: tuple[int, int], data: bytes, cuts: list[int]) -> None:
    mirror, other = GhosttyMirror(*size), GhosttyMirror(*size)
    for piece in chunks(data, cuts):
        mirror.feed(piece)
        mirror.text()
    other.feed(data)
    assert mirror.text() == [row.text() for row in other.screen.rows]
    mirror.resize(7, 3)
    other.resize(7, 3)
    assert mirror.text() == [row.text() for row in other.screen.rows]


FRAME = b"\x1b[?2026h\x1b[?25l\x1b[2;5rx\x1b[?2026l"


@pytest.mark.parametrize(
    "odd", [b"", b"\x1b[S\x1b[6n", b"\x1b[?1049h\x1b[6n\x1b[?1049l", b"\x07", b"\x1b]2;title\x07", b"\x1b[5;2r", b"\x1b[?7"]
)
@pytest.mark.parametrize("before", [b"", FRAME, b"\x1b[3;6r", b"\x07"])
@pytest.mark.parametrize("after", [FRAME, b"\x1b[?25h", b"\x1b[r\x1b[T"])
def test_frames_are_heard_in_their_turn(before: bytes, odd: bytes, after: bytes) -> None:
    """What is taken at once and what is taken one by one, and either after the other."""
    rows = b"\r\n".join(b"%d" % y for y in range(8))
    at_once, one_by_one = GhosttyMirror(20, 8), GhosttyMirror(20, 8)
    for data in (rows, before + odd + after, after, odd + FRAME):
        fed = at_once.feed(data)
        each = [one_by_one.feed(data[at : at + 1]) for at in range(len(data))]
        assert fed.events == tuple(event for some in each for event in some.events)
        assert fed.replies == tuple(reply for some in each for reply in some.replies)
        assert at_once.screen.margins == one_by_one.screen.margins
        assert everything_of(at_once) == everything_of(one_by_one)


@pytest.mark.parametrize("cut", [1, 2, 3, 99])
@pytest.mark.parametrize("data", ["9\u0301\x1b[3b", "a\x1b[m9\u0301\x1b[3b", "漢\u0301\u0302\x1b[2b"])
def test_what_is_repeated_is_the_same_however_it_is_cut(data: str, cut: int) -> None:
    mirror, other = GhosttyMirror(20, 6), GhosttyMirror(20, 6)
    mirror.feed(data.encode())
    for piece in chunks(data.encode(), [cut]):
        other.feed(piece)
    assert mirror.text() == other.text()
    assert mirror.text()[0].count("\u0301") > 2


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("x" * 18 + "🇩", id="half a flag in the last column"),
        pytest.param("🇩🇪" * 30, id="flags that are no clusters"),
        pytest.param("x" * 19 + "⚠\u2028", id="a mark of the library's own in the last column"),
        pytest.param("S\u1160", id="a vowel that has no width by itself"),
    ],
)
@pytest.mark.parametrize("lines", [0, 9])
def test_a_repaint_has_the_widths_of_the_library(data: str, lines: int) -> None:
    mirror, fresh = GhosttyMirror(20, 6), GhosttyMirror(20, 6)
    mirror.feed(data.encode() + b"\r\n" * lines)
    fresh.feed(mirror.repaint(100))
    assert (fresh.cells(), fresh.history_cells(9), fresh.cursor) == (mirror.cells(), mirror.history_cells(9), mirror.cursor)


def test_what_was_drawn_in_two_modes_is_repainted_apart() -> None:
    mirror, fresh = GhosttyMirror(20, 6), GhosttyMirror(20, 6)
    mirror.feed("🇩🇪\x1b[?2027h🇩".encode())
    fresh.feed(mirror.repaint())
    assert fresh.cells() == mirror.cells()

"""What scrolled off the normal screen."""

from roostd.host.mirror.history import MAX_BYTES, MAX_ROWS, History
from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.host.mirror.row import Row
from roostd.host.mirror.style import BOLD, RGB, Style


def lines(count: int) -> bytes:
    return b"\r\n".join(b"line %d" % n for n in range(count))


def test_rows_scroll_into_it() -> None:
    mirror = PyteMirror(10, 3)
    mirror.feed(lines(6))
    assert mirror.history(100) == ["line 0", "line 1", "line 2"]
    assert mirror.history(2) == ["line 1", "line 2"]
    assert mirror.history(0) == mirror.history(-1) == []
    assert mirror.text() == ["line 3", "line 4", "line 5"]


def test_rows_keep_their_looks() -> None:
    mirror = PyteMirror(10, 2)
    mirror.feed("a\x1b[1;31mb漢\x1b[m\r\n\x1b[48;2;1;2;3m c \x1b[m\r\n\r\n".encode())
    red, coloured = mirror.ansi(9)[:2]
    assert red == "a\x1b[0;1;31mb漢\x1b[0m"
    assert coloured == "\x1b[0;48;2;1;2;3m c \x1b[0m"
    assert mirror.history(9) == ["ab漢", " c"]


def test_a_region_below_the_top_keeps_nothing() -> None:
    mirror = PyteMirror(10, 4)
    mirror.feed(b"\x1b[2;4r\x1b[4;1H" + b"x\r\n" * 9)
    assert mirror.history(9) == []


def test_a_region_from_the_top_keeps_its_rows() -> None:
    mirror = PyteMirror(10, 4)
    mirror.feed(b"prompt\x1b[1;2r\x1b[2;1H\r\none\r\ntwo\x1b[r")
    assert mirror.history(9) == ["prompt", ""]


def test_clearing_saved_lines() -> None:
    mirror = PyteMirror(10, 2)
    mirror.feed(lines(9) + b"\x1b[3J")
    assert mirror.history(9) == []
    assert mirror.text() == ["line 7", "line 8"]


def test_it_is_bounded_in_rows() -> None:
    mirror = PyteMirror(10, 2)
    mirror.feed(lines(MAX_ROWS + 100))
    assert len(mirror.history(1 << 20)) == MAX_ROWS
    assert mirror.history(1) == [f"line {MAX_ROWS + 97}"]


def test_it_is_bounded_in_bytes() -> None:
    history, row = History(), Row()
    for x in range(1_000):
        row.write(x, "x", Style(fg=RGB | x, bg=RGB | x * 3, flags=BOLD))
    fitting = MAX_BYTES // (1 + len(row.painted()))
    for _ in range(fitting + 9):
        history.push(row)
    assert len(history) == fitting


def test_an_empty_row_takes_its_place() -> None:
    mirror = PyteMirror(10, 2)
    mirror.feed(b"a\r\n\r\nb\r\n\r\n")
    assert mirror.history(9) == ["a", "", "b"]

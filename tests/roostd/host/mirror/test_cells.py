"""The cells as others see them: graphemes, widths, attributes, links."""

import pytest

from roostd.host.mirror.interface import Cell
from roostd.host.mirror.osc import MAX_LINK
from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.host.mirror.style import BOLD, DEFAULT, Style

LINK = b"\x1b]8;id=1;https://example.org/a\x1b\\"


def mirror_of(data: bytes, cols: int = 20, rows: int = 3) -> PyteMirror:
    mirror = PyteMirror(cols, rows)
    mirror.feed(data)
    return mirror


def test_each_grapheme_is_one_cell() -> None:
    (row, *_) = mirror_of("a漢e\u0301 \x1b[1mb\x1b[m  ".encode()).cells()
    assert row == [
        Cell("a", 1, DEFAULT),
        Cell("漢", 2, DEFAULT),
        Cell("e\u0301", 1, DEFAULT),
        Cell(" ", 1, DEFAULT),
        Cell("b", 1, Style(flags=BOLD)),
    ]


def test_a_row_ends_where_it_is_blank_and_default() -> None:
    assert mirror_of(b"  \x1b[3;5H\x1b[41m \x1b[m  ").cells() == [[], [], [Cell(" ", 1, DEFAULT)] * 4 + [Cell(" ", 1, Style(bg=1))]]


def test_cells_that_scrolled_off_are_the_same() -> None:
    data = "a漢e\u0301 ".encode() + b"\x1b[1;4:3;58:5:9;38;2;1;2;3m" + LINK + b"b\x1b]8;;\x07\x1b[m c"
    mirror = mirror_of(data)
    before = mirror.cells()[0]
    mirror.feed(b"\r\n" * 3)
    assert mirror.history_size == 1
    assert mirror.history_cells(9) == [before]


def test_a_link_stays_until_it_is_ended() -> None:
    (row, *_) = mirror_of(b"a" + LINK + b"b\x1b[0mc\x1b]8;;\x1b\\d").cells()
    assert [cell.style.link for cell in row] == ["", "id=1;https://example.org/a", "id=1;https://example.org/a", ""]
    assert [cell.style.uri for cell in row] == ["", "https://example.org/a", "https://example.org/a", ""]


@pytest.mark.parametrize("link", [b"\x1b]8;;\x1b\\", b"\x1b]8;id=2;\x07", b"\x1b]8;;" + b"u" * MAX_LINK + b"\x07", b"\x1b]8;;a\nb\x07"])
def test_what_is_no_link(link: bytes) -> None:
    (row, *_) = mirror_of(LINK + link + b"x").cells()
    assert row[0].style.link == ""


@pytest.mark.parametrize("broken", [b"\x1b]8\x07", b"\x1b]8;\x07", b"\x1b]8;id=2\x07"])
def test_a_link_without_its_fields_changes_nothing(broken: bytes) -> None:
    (row, *_) = mirror_of(LINK + broken + b"x").cells()
    assert row[0].style.uri == "https://example.org/a"


def test_links_are_repainted() -> None:
    mirror = mirror_of(LINK + b"gone\r\n\r\nhere\r\n\x1b[1mlast\x1b[3;20Hx")
    fresh = mirror_of(mirror.repaint(9))
    assert fresh.cells() == mirror.cells()
    assert fresh.history_cells(9) == mirror.history_cells(9)
    fresh.feed(b"\ry")
    assert fresh.cells()[2][0].style.uri == "https://example.org/a"


def test_rows_with_sgr_have_no_links() -> None:
    assert mirror_of(LINK + b"\x1b[1ma\x1b]8;;\x07b").ansi()[0] == "\x1b[0;1mab\x1b[0m"

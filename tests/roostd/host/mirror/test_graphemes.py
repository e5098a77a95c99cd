"""Mode 2027: a grapheme cluster is one cell."""

import pytest

from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.roostd.host.mirror.looks import chunks, everything_of

# What is drawn, its cells with their widths, and where the cursor is then.
CLUSTERS: dict[str, tuple[str, list[tuple[str, int]], int]] = {
    "emoji presentation": ("⚠️ w", [("⚠️", 2), (" ", 1), ("w", 1)], 4),
    "text presentation": ("⚠\ufe0ew", [("⚠\ufe0e", 1), ("w", 1)], 2),
    "family": ("👨‍👩‍👧‍👦|", [("👨‍👩‍👧‍👦", 2), ("|", 1)], 3),
    "flag": ("🇩🇪🇫🇷x", [("🇩🇪", 2), ("🇫🇷", 2), ("x", 1)], 5),
    "half a flag": ("🇩x", [("🇩", 1), ("x", 1)], 2),
    "skin tone": ("👍🏽x", [("👍🏽", 2), ("x", 1)], 3),
    "combining": ("e\u0301x", [("e\u0301", 1), ("x", 1)], 2),
    "keycap": ("1\ufe0f\u20e3x", [("1\ufe0f\u20e3", 2), ("x", 1)], 3),
    "thai": ("กำนี้|", [("กำ", 1), ("นี้", 1), ("|", 1)], 3),
    "devanagari": ("हिन्दी|", [("हि", 1), ("न्", 1), ("दी", 1), ("|", 1)], 4),
    "a sequence between": ("⚠\x1b[m\ufe0fx", [("⚠\ufe0f", 1), ("x", 1)], 2),
    "nothing before": ("\u0301x", [("x", 1)], 1),
}


@pytest.mark.parametrize("case", CLUSTERS.values(), ids=CLUSTERS)
def test_clusters(case: tuple[str, list[tuple[str, int]], int]) -> None:
    drawn, cells, x = case
    data = b"\x1b[?2027h" + drawn.encode()
    for cut in (len(data), 1, 3):
        mirror = PyteMirror(20, 3)
        for chunk in chunks(data, [cut]):
            mirror.feed(chunk)
        assert [(cell.text, cell.width) for cell in mirror.cells()[0]] == cells
        assert mirror.cursor == (x, 0)


def test_one_that_becomes_wide_in_the_last_column_goes_to_the_next_row() -> None:
    mirror = PyteMirror(4, 3)
    mirror.feed("\x1b[?2027habc⚠\ufe0fd".encode())
    assert mirror.text() == ["abc", "⚠️d", ""]
    assert mirror.cursor == (3, 1)


def test_clusters_last() -> None:
    mirror = PyteMirror(6, 3)
    mirror.feed("\x1b[?2027h\x1b[1m👨‍👩‍👧‍👦 a⚠️\r\n🇩🇪b\r\n1\ufe0f\u20e3\r\n\r\nabcd⚠️\r\n".encode())
    cells = mirror.cells(), mirror.history_cells(9)
    assert [cell.width for cell in mirror.history_cells(9)[0]] == [2, 1, 1, 2]
    fresh = PyteMirror(6, 3)
    fresh.feed(mirror.repaint(9))
    assert (fresh.cells(), fresh.history_cells(9)) == cells
    assert everything_of(fresh) == everything_of(mirror)
    mirror.resize(3, 3)
    mirror.resize(6, 3)
    assert [row for row in mirror.history_cells(9) + mirror.cells() if row] == [row for row in cells[1] + cells[0] if row]


@pytest.mark.parametrize(
    ("fed", "cells"),
    [
        ("ﷺ\u200d\x1b[1;9H\ufe0f", [("ﷺ\u200d", 1), *[(" ", 1)] * 6, (" \ufe0f", 1)]),
        ("👩\u200d💻\x1b[?2027l👩\u200d💻", [("👩\u200d💻", 2), ("👩\u200d", 2), ("💻", 2)]),
        ("\x1b[?2027l⚠\ufe0f\x1b[?2027h⚠\ufe0f", [("⚠\ufe0f", 1), ("⚠\ufe0f", 2)]),
    ],
    ids=["a selector by itself", "graphemes, then none", "none, then graphemes"],
)
def test_cells_are_repainted_in_the_mode_they_were_drawn_in(fed: str, cells: list[tuple[str, int]]) -> None:
    mirror, fresh = PyteMirror(12, 2), PyteMirror(12, 2)
    mirror.feed(b"\x1b[?2027h" + fed.encode())
    assert [(cell.text, cell.width) for cell in mirror.cells()[0]] == cells
    fresh.feed(mirror.repaint())
    assert fresh.cells() == mirror.cells()


def test_a_cluster_that_would_be_wide_in_a_single_column_stays_what_it_was() -> None:
    mirror = PyteMirror(1, 2)
    mirror.feed("\x1b[?2027h🇩🇪".encode())
    assert mirror.text() == ["🇩", ""]


# Columns, what is drawn, the columns afterwards, and the cells of the first row.
NOWHERE_ELSE: dict[str, tuple[int, str, int, list[tuple[str, int]]]] = {
    "a selector in a single column": (1, "\xad\u200d⚠\ufe0f", 5, [("\xad\u200d⚠", 1)]),
    "behind a selector in a single column": (1, "a\ufe0f\u200d\ufffd", 5, [("a\ufe0f\u200d", 1)]),
    "half a flag in a single column": (1, "a\ufe0f\u200d🇩", 5, [("a\ufe0f\u200d", 1)]),
    "a selector behind a sequence": (9, "\ufffd\u200d\ufffd\x1b[2P\ufe0f", 9, [("\ufffd\u200d\ufffd", 1)]),
    "a selector where a wrap is pending": (3, "bca\x1b[31m\ufe0f", 3, [("b", 1), ("c", 1), ("a\ufe0f", 1)]),
    "a selector after a resize": (3, "👩\x1b[D🇩", 2, [(" \ufe0f", 1), ("🇩", 1)]),
    "a flag repeated where it has no place": (2, "\x1b[?7l🇩🇪\x1b[2b", 2, [("🇩🇪", 2)]),
}


@pytest.mark.parametrize("case", NOWHERE_ELSE.values(), ids=NOWHERE_ELSE)
def test_no_cell_is_one_that_could_not_be_drawn_again(case: tuple[int, str, int, list[tuple[str, int]]]) -> None:
    before, drawn, columns, cells = case
    mirror, fresh = PyteMirror(before, 2), PyteMirror(columns, 2)
    mirror.feed(b"\x1b[?2027h" + drawn.encode())
    mirror.resize(columns, 2)
    mirror.feed("\ufe0f".encode() if before > columns else b"")
    assert [(cell.text, cell.width) for cell in mirror.cells()[0]] == cells
    fresh.feed(mirror.repaint())
    assert everything_of(fresh) == everything_of(mirror)

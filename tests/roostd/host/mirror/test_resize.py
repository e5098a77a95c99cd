"""A new size: rows go to the history and come back; nothing is lost that fits."""

import pytest

from roostd.host.mirror.pyte_mirror import PyteMirror


def test_fewer_rows_drop_blank_ones_first() -> None:
    mirror = PyteMirror(10, 6)
    mirror.feed(b"one\r\ntwo")
    mirror.resize(10, 3)
    assert mirror.text() == ["one", "two", ""]
    assert mirror.cursor == (3, 1)
    assert mirror.history(9) == []


def test_fewer_rows_push_into_the_history_and_more_take_back() -> None:
    mirror = PyteMirror(10, 4)
    mirror.feed("1\r\n\x1b[31m二\x1b[m\r\n3\r\n4".encode())
    before = mirror.ansi()
    mirror.resize(10, 2)
    assert mirror.text() == ["3", "4"]
    assert mirror.history(9) == ["1", "二"]
    assert mirror.cursor == (1, 1)
    mirror.resize(10, 4)
    assert mirror.ansi() == before
    assert mirror.history(9) == []
    assert mirror.cursor == (1, 3)


def test_the_alternate_screen_hides_a_resized_normal_one() -> None:
    mirror = PyteMirror(10, 4)
    mirror.feed(b"1\r\n2\r\n3\r\n4\x1b[?1049h\x1b[Halt")
    mirror.resize(8, 2)
    assert mirror.text() == ["alt", ""]
    mirror.feed(b"\x1b[?1049lX")
    assert mirror.text() == ["3", "4X"]


def test_narrower_cuts_a_wide_character_whole() -> None:
    mirror = PyteMirror(6, 2)
    mirror.feed("abc漢x".encode())
    mirror.resize(4, 2)
    assert mirror.text() == ["abc", ""]
    mirror.resize(6, 2)
    assert mirror.text() == ["abc", ""]


def test_the_region_is_whole_again() -> None:
    mirror = PyteMirror(10, 4)
    mirror.feed(b"\x1b[2;3r")
    mirror.resize(10, 5)
    mirror.feed(b"\x1b[5;1H\n\nx")
    assert mirror.text()[4] == "x"


# On a terminal of 10 by 6: what is fed, the new number of columns, the rows then.
WRAPPED = {
    "narrower": ("abcdefghijk\r\nxyz", 5, ["abcde", "fghij", "k", "xyz"]),
    "wider": ("abcdefghijklm\r\nxyz", 20, ["abcdefghijklm", "xyz"]),
    "the cursor's line is cut": ("abcdefghij", 5, ["abcde"]),
    "lines that ended by themselves stay apart": ("abc\r\ndef\r\n", 20, ["abc", "def"]),
    "a wide character stays whole": ("abc漢字\r\nx", 4, ["abc", "漢字", "x"]),
    "a wide character that did not fit leaves no gap": ("abcdefghi漢字\r\nx", 20, ["abcdefghi漢字", "x"]),
    "no place for a wide one": ("漢ab\r\nx", 1, ["", "", "a", "b", "x"]),
    "blanks in between stay": ("ab\x1b[1;10Hcd\r\nx", 20, ["ab       cd", "x"]),
    "an erased row stays": ("abcdefghijklm\r\x1b[9X\x1b[H\x1b[3C\x1b[9X\x1b[2B\rx", 8, ["abc", "", "x"]),
    "an erased end is a gap": ("abcdefghijk\x1b[1;3H\x1b[K\x1b[3;1H", 20, ["ab        k"]),
}


@pytest.mark.parametrize("case", WRAPPED.values(), ids=WRAPPED)
def test_long_lines_are_wrapped_anew(case: tuple[str, int, list[str]]) -> None:
    fed, columns, rows = case
    mirror = PyteMirror(10, 6)
    mirror.feed(fed.encode())
    mirror.resize(columns, 6)
    assert mirror.text() == rows + [""] * (6 - len(rows))


def test_rows_that_no_longer_fit_scroll_off_with_their_looks() -> None:
    mirror = PyteMirror(10, 3)
    mirror.feed(b"\x1b[31mabcdefghij\x1b[m\r\n$ ls\r\n$")
    mirror.resize(5, 3)
    assert mirror.ansi(9) == ["\x1b[0;31mabcde\x1b[0m", "\x1b[0;31mfghij\x1b[0m", "$ ls", "$"]
    assert mirror.cursor == (1, 2)


def test_a_line_that_takes_as_many_rows_keeps_the_colour_erased_behind_its_end() -> None:
    """As xterm.js has it, but for the first cell behind the end, which it empties."""
    mirror = PyteMirror(10, 4)
    mirror.feed(b"\x1b[42mabcdefghijk\x1b[K\x1b[m\r\n$")
    mirror.resize(8, 4)
    assert mirror.ansi()[1] == "\x1b[0;42mijk\x1b[0m \x1b[0;42m    \x1b[0m"


@pytest.mark.parametrize(("cols", "rows"), [(0, 5), (5, 0), (-1, 5)])
def test_an_impossible_size_is_refused(cols: int, rows: int) -> None:
    mirror = PyteMirror(10, 4)
    with pytest.raises(ValueError, match=f"{cols}x{rows}"):
        mirror.resize(cols, rows)
    with pytest.raises(ValueError, match=f"{cols}x{rows}"):
        PyteMirror(cols, rows)
    assert (mirror.cols, mirror.rows) == (10, 4)


# On an alternate screen of 8 by 2 that becomes 4 columns wide: what is fed before, what is fed then, the next number of columns, the rows
# then. As @xterm/headless has them; only where half of a wide character was written over, it has a cell of no width for the other half.
COVERED = {
    "shown again": ("abcdefgh", "", 8, ["abcdefgh", ""]),
    "shown in part, the rest is forgotten": ("abcdefgh", "", 6, ["abcdef", ""]),
    "not what is written over it": ("abcdefgh", "\x1b[H1234", 8, ["1234efgh", ""]),
    "text wraps in front of it": ("abcdefgh", "\x1b[H12345", 8, ["1234efgh", "5"]),
    "an erased line keeps it": ("abcdefgh", "\x1b[H\x1b[2K", 8, ["    efgh", ""]),
    "an erased screen does not": ("abcdefgh", "\x1b[2J", 8, ["", ""]),
    "characters erased beyond": ("abcdefgh", "\x1b[1;3H\x1b[4X", 8, ["ab    gh", ""]),
    "inserts move into it": ("abcdefgh", "\x1b[H\x1b[2@", 8, ["  abcdef", ""]),
    "deletes move out of it": ("abcdefgh", "\x1b[H\x1b[2P", 8, ["cdefgh", ""]),
    "a wide character astride": ("abc漢fgh", "", 8, ["abc漢fgh", ""]),
    "half of it written over": ("abc漢fgh", "\x1b[1;4Hx", 8, ["abcx fgh", ""]),
    "half of it erased": ("abc漢fgh", "\x1b[1;4H\x1b[K", 8, ["abc  fgh", ""]),
    "DECALN": ("abcdefgh", "\x1b#8", 8, ["EEEEEEEE", "EEEEEEEE"]),
    "a line scrolled in": ("\x1b[2;1Habcdefgh", "\n", 8, ["abcdefgh", ""]),
}


@pytest.mark.parametrize("case", COVERED.values(), ids=COVERED)
def test_the_alternate_screen_covers_what_has_no_room(case: tuple[str, str, int, list[str]]) -> None:
    before, then, columns, rows = case
    mirror = PyteMirror(8, 2)
    mirror.feed(b"\x1b[?1049h\x1b[H" + before.encode())
    mirror.resize(4, 2)
    mirror.feed(then.encode())
    fresh = PyteMirror(4, 2)
    fresh.feed(mirror.repaint())
    assert (fresh.text(), fresh.ansi(), fresh.cells()) == (mirror.text(), mirror.ansi(), mirror.cells())
    mirror.resize(columns, 2)
    assert mirror.text() == rows


@pytest.mark.parametrize("cut", [1, 9])
def test_what_is_inserted_in_the_last_column_moves_what_is_there_out_of_sight(cut: int) -> None:
    mirror = PyteMirror(8, 2)
    mirror.feed(b"\x1b[?1049h\x1b[Habcdefgh")
    mirror.resize(4, 2)
    mirror.feed(b"\x1b[?7l\x1b[4h\x1b[1;4H")
    for at in range(0, 3, cut):
        mirror.feed(b"012"[at : at + cut])
    mirror.resize(8, 2)
    assert mirror.text() == ["abc210de", ""]


def test_what_is_covered_keeps_its_looks() -> None:
    mirror = PyteMirror(8, 2)
    mirror.feed("\x1b[?1049h\x1b[Habc\x1b[31m漢\x1b[44mfgh".encode())
    before = mirror.cells()
    mirror.resize(4, 2)
    assert mirror.ansi() == ["abc", ""]
    mirror.resize(8, 2)
    assert mirror.cells() == before


def test_an_alternate_screen_lower_than_before_keeps_what_scrolls_off_for_a_higher_one() -> None:
    mirror = PyteMirror(8, 6)
    mirror.feed(b"$")
    mirror.resize(8, 3)
    mirror.feed(b"\x1b[?1049h\x1b[H1\r\n2\r\n3\r\n4\r\n5")
    mirror.resize(8, 4)
    assert mirror.text() == ["2", "3", "4", "5"]
    assert mirror.cursor == (1, 3)
    mirror.resize(8, 5)
    assert mirror.text() == ["2", "3", "4", "5", ""]
    assert mirror.history(9) == []

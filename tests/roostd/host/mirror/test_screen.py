"""What each sequence does to the screen: the golden cases."""

import pytest

from roostd.host.mirror.pyte_mirror import PyteMirror

Case = tuple[str, list[str], tuple[int, int]]

# On a terminal of 8 by 4: what is fed, the rows that are not empty, the cursor.
EDITING: dict[str, Case] = {
    "wrap": ("abcdefghij", ["abcdefgh", "ij"], (2, 1)),
    "wrap pending": ("abcdefgh", ["abcdefgh"], (8, 0)),
    "wrap pending, then back": ("abcdefgh\rX", ["Xbcdefgh"], (1, 0)),
    "wrap pending, then backspace": ("abcdefgh\x08X", ["abcdefXh"], (7, 0)),
    "no wrap": ("\x1b[?7labcdefghij", ["abcdefgj"], (8, 0)),
    "ICH": ("abc\x1b[1;2H\x1b[2@", ["a  bc"], (1, 0)),
    "ICH pushes out": ("abcdefgh\x1b[1;2H\x1b[99@", ["a"], (1, 0)),
    "DCH": ("abcdef\x1b[1;2H\x1b[2P", ["adef"], (1, 0)),
    "DCH too many": ("abcdef\x1b[1;3H\x1b[99999P", ["ab"], (2, 0)),
    "ECH": ("abcdef\x1b[1;2H\x1b[2X", ["a  def"], (1, 0)),
    "IL": ("a\r\nb\r\nc\x1b[2;1H\x1b[L", ["a", "", "b", "c"], (0, 1)),
    "DL": ("a\r\nb\r\nc\x1b[1;2H\x1b[M", ["b", "c"], (0, 0)),
    "IL outside the region": ("a\r\nb\r\nc\x1b[2;3r\x1b[1;1H\x1b[L", ["a", "b", "c"], (0, 0)),
    "DL in the region": ("a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[2;1H\x1b[M", ["a", "c", "", "d"], (0, 1)),
    "SU": ("a\r\nb\r\nc\x1b[S", ["b", "c"], (1, 2)),
    "SD": ("a\r\nb\r\nc\x1b[2T", ["", "", "a", "b"], (1, 2)),
    "five parameters are not SD": ("a\x1b[1;2;3;4;5T", ["a"], (1, 0)),
    "SU in the region": ("a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[S", ["a", "c", "", "d"], (0, 0)),
    "RI at the top": ("a\r\nb\x1b[1;1H\x1bM", ["", "a", "b"], (0, 0)),
    "LF at the region's end": ("a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[3;1H\nX", ["a", "c", "X", "d"], (1, 2)),
    "REP": ("x\x1b[3bY", ["xxxxY"], (5, 0)),
    "REP of a whole cell": ("e\u0301\x1b[2b", ["e\u0301e\u0301e\u0301"], (3, 0)),
    "REP only just after": ("x\x1b[m\x1b[3by\x1b[b\x1b[b", ["xyy"], (3, 0)),
    "a line feed ends a pending wrap": ("abcdefgh\nX", ["abcdefgh", "       X"], (8, 1)),
    "REP of nothing": ("\x1b[3bY", ["Y"], (1, 0)),
    "EL": ("abcdef\x1b[1;3H\x1b[K", ["ab"], (2, 0)),
    "EL 1": ("abcdef\x1b[1;3H\x1b[1K", ["   def"], (2, 0)),
    "EL 2": ("abcdef\x1b[1;3H\x1b[2K", [], (2, 0)),
    "ED": ("a\r\nbc\r\nd\x1b[2;2H\x1b[J", ["a", "b"], (1, 1)),
    "ED 1": ("a\r\nbc\r\nd\x1b[2;1H\x1b[1J", ["", " c", "d"], (0, 1)),
    "ED 2": ("a\r\nbc\x1b[2J", [], (2, 1)),
    "an unknown ED": ("a\x1b[9Jb", ["ab"], (2, 0)),
    "insert mode": ("abc\x1b[1;1H\x1b[4hXY\x1b[4lZ", ["XYZbc"], (3, 0)),
    "newline mode": ("ab\x1b[20h\nc", ["ab", "c"], (1, 1)),
    "DECALN": ("\x1b[2;3r\x1b#8", ["EEEEEEEE"] * 4, (0, 0)),
    "SL": ("abcdef\x1b[2 @", ["cdef"], (6, 0)),
    "SR": ("abc\x1b[2 A", ["  abc"], (3, 0)),
    "tabs": ("\x1b[3g\x1b[1;4H\x1bH\ra\tb\x1b[Zc", ["a  c"], (4, 0)),
    "CHT": ("\x1b[Ia", ["       a"], (8, 0)),
    "VPA, HPA, CHA": ("\x1b[3d\x1b[4`a\x1b[2Gb", ["", "", " b a"], (2, 2)),
    "CNL, CPL": ("ab\x1b[2Ec\x1b[Fd", ["ab", "d", "c"], (1, 1)),
    "CUU stops at the margin": ("\x1b[2;3r\x1b[3;1H\x1b[9Aa", ["", "a"], (1, 1)),
    "CUD from below the region": ("\x1b[1;2r\x1b[3;1H\x1b[9Ba", ["", "", "", "a"], (1, 3)),
    "VPR passes the margin": ("\x1b[1;2r\x1b[9ea", ["", "", "", "a"], (1, 3)),
    "VPR in origin mode": ("\x1b[1;2r\x1b[?6h\x1b[9ea", ["", "a"], (1, 1)),
    "origin mode": ("\x1b[2;3r\x1b[?6h\x1b[1;1Ha\x1b[9;1Hb", ["", "a", "b"], (1, 2)),
    "origin mode after DECALN": ("\x1b[?6h\x1b#8\x1b[2;3ra", ["EEEEEEEE", "aEEEEEEE", "EEEEEEEE", "EEEEEEEE"], (1, 1)),
    "an inverted region": ("\x1b[3;2r\x1b[3;1Ha", ["", "", "a"], (1, 2)),
    "DECSC and DECRC": ("\x1b[2;3H\x1b7\x1b[H\x1b8a\x1b[H\x1b8b", ["", "  b"], (3, 1)),
    "DECRC without DECSC": ("abc\x1b8d", ["dbc"], (1, 0)),
    "DECRC without DECSC ends line drawing": ("\x1b(0q\x1b[ub", ["b"], (1, 0)),
    "line drawing": ("\x1b(0qx\x1b(Bq\x1b)0\x0eq\x0fq", ["─│q─q"], (5, 0)),
    "NEL and IND": ("ab\x1bEc\x1bDd", ["ab", "c", " d"], (2, 2)),
    "RIS": ("\x1b[31mabc\x1b[2;3r\x1b[?6h\x1bcX", ["X"], (1, 0)),
    "DECSTR ends reverse wraparound": ("abcdefghi\x1b[?45h\x1b[!p\r\x08X", ["abcdefgh", "X"], (1, 1)),
    "huge numbers": ("\x1b[99999999999;99999999999Ha", ["", "", "", "       a"], (8, 3)),
    "codex's private SGR": ("\x1b[>4;2ma\x1b[?4mb\x1b[>1uc", ["abc"], (3, 0)),
}

WIDTHS: dict[str, Case] = {
    "wide": ("漢x", ["漢x"], (3, 0)),
    "wide at the end": ("abcdefg漢", ["abcdefg", "漢"], (2, 1)),
    "wide at the end, no wrap": ("\x1b[?7labcdefg漢", ["abcdefg"], (7, 0)),
    "combining at the end, no wrap": ("\x1b[?7labcdefgh\u0300", ["abcdefgh\u0300"], (8, 0)),
    "combining at the end by and by, no wrap": (
        "\x1b[?7la\u0300bcdefghi\u0300\u0301\x1b[m\u0302",
        ["a\u0300bcdefgi\u0300\u0301\u0302"],
        (8, 0),
    ),
    "combining before the end, no wrap": ("\x1b[?7labcdefgh\x1b[1;8H\u0300", ["abcdefg\u0300h"], (7, 0)),
    "combining in the end repeated, no wrap": ("\x1b[?7labcdefg\u0300\x1b[3bh\u0300\x1b[3b", ["abcdefg\u0300h\u0300"], (8, 0)),
    "combining behind one over the end, no wrap": ("\x1b[?7labcdefgh漢e\x1b[m\u0300", ["abcdefge\u0300"], (8, 0)),
    "combining, wrap off behind the end": ("\x1b[?7labcdefgh漢\x1b[?7h\rabcdefgh\x1b[?7l\u0300", ["abcdefgh\u0300"], (8, 0)),
    "overwriting a right half": ("漢字\x1b[1;2HX", [" X字"], (2, 0)),
    "overwriting a left half": ("漢字\x1b[1;3HX", ["漢X"], (3, 0)),
    "overwriting over halves": ("漢字漢\x1b[1;2Habc", [" abc漢"], (4, 0)),
    "erasing a half": ("漢字\x1b[1;2H\x1b[K", [], (1, 0)),
    "deleting a half": ("漢字\x1b[1;2H\x1b[P", [" 字"], (1, 0)),
    "inserting into a half": ("漢字\x1b[1;2H\x1b[@", ["   字"], (1, 0)),
    "pushing a half out": ("abcdef漢\x1b[1;1H\x1b[@", [" abcdef"], (0, 0)),
    "combining": ("e\u0301x", ["e\u0301x"], (2, 0)),
    "combining with a wide one": ("漢\u0301x", ["漢\u0301x"], (3, 0)),
    "combining at the end": ("abcdefge\x08\x1b[1;8He\u0301x", ["abcdefge\u0301", "x"], (1, 1)),
    "combining with nothing": ("\u0301x", ["x"], (1, 0)),
    "variation selector": ("⚠\ufe0f w", ["⚠\ufe0f w"], (3, 0)),
    "joined": ("👩\u200d💻|", ["👩\u200d💻|"], (5, 0)),
    "spinners": ("⠋✳◐", ["⠋✳◐"], (3, 0)),
}


@pytest.mark.parametrize("case", [*EDITING.values(), *WIDTHS.values()], ids=[*EDITING, *WIDTHS])
def test_sequences(case: Case) -> None:
    fed, rows, cursor = case
    mirror = PyteMirror(8, 4)
    mirror.feed(fed.encode())
    assert mirror.text() == rows + [""] * (4 - len(rows))
    assert mirror.cursor == cursor


def test_a_bomb_of_combining_marks_stays_small() -> None:
    mirror = PyteMirror(8, 4)
    mirror.feed(b"e" + "\u0301".encode() * 100_000)
    assert len(mirror.text()[0]) == 16


def test_erasing_keeps_the_background_alone() -> None:
    mirror = PyteMirror(4, 2)
    mirror.feed(b"\x1b[4;1;31;44mab\x1b[K\x1b[H\x1b[X")
    assert mirror.ansi() == ["\x1b[0;44m \x1b[0;1;4;31;44mb\x1b[0;44m  \x1b[0m", ""]


class TestAlternateScreen:
    @pytest.mark.parametrize("mode", [47, 1047, 1049])
    def test_the_normal_screen_comes_back(self, mode: int) -> None:
        mirror = PyteMirror(8, 3)
        mirror.feed(f"normal\x1b[?{mode}h".encode())
        assert mirror.text() == ["", "", ""]
        assert mirror.modes.alternate
        mirror.feed(f"\x1b[Halt\x1b[?{mode}l".encode())
        assert mirror.text() == ["normal", "", ""]
        assert not mirror.modes.alternate

    def test_1049_keeps_the_cursor_and_style(self) -> None:
        mirror = PyteMirror(8, 3)
        mirror.feed(b"a\x1b[31m\x1b[?1049h\x1b[3;3H\x1b[32mz\x1b[?1049lb")
        assert mirror.ansi()[0] == "a\x1b[0;31mb\x1b[0m"

    def test_1048_keeps_the_cursor(self) -> None:
        mirror = PyteMirror(8, 3)
        mirror.feed(b"\x1b[2;2H\x1b[?1048h\x1b[H\x1b[?1048la")
        assert mirror.text() == ["", " a", ""]

    def test_saved_cursors_are_two(self) -> None:
        mirror = PyteMirror(8, 3)
        mirror.feed(b"\x1b[2;2H\x1b7\x1b[?47h\x1b[3;3H\x1b7\x1b[?47l\x1b8a")
        assert mirror.text() == ["", " a", ""]

    def test_its_saved_cursor_outlasts_it(self) -> None:
        mirror = PyteMirror(8, 3)
        mirror.feed(b"\x1b[?1049h\x1b[2;3H\x1b[31m\x1b7\x1b[m\x1b[?1049l\x1b[?1049h\x1b8a")
        assert mirror.ansi() == ["", "  \x1b[0;31ma\x1b[0m", ""]

    def test_it_clears_no_history_but_its_own(self) -> None:
        mirror = PyteMirror(8, 2)
        mirror.feed(b"1\r\n2\r\n3\x1b[?47h\x1b[3J")
        assert mirror.history(9) == ["1"]
        mirror.feed(b"\x1b[?47l\x1b[3J")
        assert mirror.history(9) == []

    def test_it_has_no_history(self) -> None:
        mirror = PyteMirror(8, 3)
        mirror.feed(b"\x1b[?1049h" + b"x\r\n" * 10)
        assert mirror.history(100) == []

    def test_it_is_empty_each_time(self) -> None:
        mirror = PyteMirror(8, 3)
        mirror.feed(b"\x1b[?1049hold\x1b[?1049l\x1b[?1049h")
        assert mirror.text() == ["", "", ""]


@pytest.mark.parametrize("cut", [1, 4, 99])
@pytest.mark.parametrize(
    ("fed", "row"),
    [
        ("abc👩\u200d", "abc\u200d"),
        ("abcd漢\x1b[m\x1b[?7l\u0301", "abc\u0301d"),
        ("abcd漢\u0301e", "abc\u0301e"),
        ("ab漢e字\u0301f", "ab \u0301f"),
        ("ab漢字\u0301", "ab漢\u0301"),
    ],
    ids=["joiner", "a sequence between", "mark", "a half", "a whole one"],
)
def test_marks_of_a_wide_character_without_a_place_join_the_cell_before(fed: str, row: str, cut: int) -> None:
    data = f"\x1b[?7l{fed}".encode()
    mirror = PyteMirror(4, 2)
    for at in range(0, len(data), cut):
        mirror.feed(data[at : at + cut])
    assert mirror.text() == [row, ""]


@pytest.mark.parametrize("cut", [1, 4, 99])
def test_a_cluster_without_a_place_is_lost_whole(cut: int) -> None:
    data = "\x1b[?2027h\x1b[?7labc👩\u200d💻\ufe0f\x1b[1;1HX".encode()
    mirror = PyteMirror(4, 2)
    for at in range(0, len(data), cut):
        mirror.feed(data[at : at + cut])
    assert mirror.text() == ["Xbc", ""]


def test_what_is_repeated_is_the_cell_before_the_cursor() -> None:
    mirror = PyteMirror(12, 2)
    mirror.feed("e\u0301\x1b[2b漢\x1b[b\x1b[1D\x1b[b".encode())
    assert mirror.text() == ["e\u0301e\u0301e\u0301漢漢", ""]


@pytest.mark.parametrize(
    ("drawn", "row", "x"),
    [("abc漢字", "abc c", 5), ("漢漢字", "漢漢", 4), ("abcde漢", "abcdc", 5)],
    ids=["narrow", "wide", "behind narrow ones"],
)
def test_behind_a_wide_character_without_a_place_the_one_two_columns_before_is_repeated(drawn: str, row: str, x: int) -> None:
    mirror = PyteMirror(5, 2)
    mirror.feed(f"\x1b[?7l{drawn}\x1b[3b".encode())
    assert (mirror.text()[0], mirror.cursor) == (row, (x, 0))


def test_national_sets_and_locking_shifts() -> None:
    mirror = PyteMirror(20, 2)
    mirror.feed(b"\x1b(K[\x1b(A#\x1b*0\x1bnq\x1bo[\x0f#\x1b(B#")
    assert mirror.text()[0] == "Ä£─[£#"
    fresh = PyteMirror(20, 2)
    mirror.feed(b"\x1bn")
    fresh.feed(mirror.repaint() + b"q")
    assert fresh.text()[0] == "Ä£─[£#─"

"""Sequences that no program means to write: more numbers than one takes, colours cut short or of no kind, bytes that are no UTF-8."""

import pytest

from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.host.mirror.style import BOLD, DEFAULT, INVERSE, RGB, Style


@pytest.mark.parametrize("cut", [False, True], ids=["whole", "cut"])
@pytest.mark.parametrize(
    ("params", "style"),
    [
        pytest.param("38;5", Style(fg=0), id="no number of a colour"),
        pytest.param("38;2;1;2", Style(fg=RGB | 0x010200), id="no blue"),
        pytest.param("38;2", Style(fg=RGB), id="no red, green and blue"),
        pytest.param("58;5", Style(underline_colour=0), id="no number of an underline's colour"),
        pytest.param("38;1", DEFAULT, id="a kind of colour that is none"),
        pytest.param("48;1;7", DEFAULT, id="a kind of background that is none"),
        pytest.param("38;6;1", DEFAULT, id="another kind of colour that is none"),
        pytest.param(";" * 24 + "1", Style(flags=BOLD), id="many numbers"),
        pytest.param("38;5;300", Style(fg=44), id="a colour beyond 255"),
        pytest.param("7;;1", Style(flags=BOLD), id="a number left out"),
        pytest.param("7;", DEFAULT, id="the last number left out"),
        pytest.param(";7", Style(flags=INVERSE), id="the first number left out"),
    ],
)
def test_sgr(params: str, style: Style, cut: bool) -> None:
    mirror = PyteMirror(20, 6)
    for piece in _pieces(f"\x1b[{params}mx".encode(), cut):
        mirror.feed(piece)
    assert mirror.cells()[0][0].style == style


@pytest.mark.parametrize("cut", [False, True], ids=["whole", "cut"])
@pytest.mark.parametrize(
    ("sequence", "cursor"),
    [
        pytest.param("2;3;4H", (2, 1), id="a place with three numbers"),
        pytest.param("2;3;4f", (2, 1), id="another place with three numbers"),
        pytest.param("1;2A", (5, 3), id="a move with two numbers"),
        pytest.param("3;H", (0, 2), id="a place with its column left out"),
        pytest.param("2;4r\x1b[3;H", (0, 2), id="a place with its column left out, within margins"),
        pytest.param(";3H", (2, 0), id="a place with its row left out"),
        pytest.param("2;4r", (0, 0), id="margins"),
        pytest.param("9;9r", (5, 4), id="margins that cannot be"),
    ],
)
def test_the_cursor(sequence: str, cursor: tuple[int, int], cut: bool) -> None:
    mirror = PyteMirror(20, 6)
    for piece in _pieces(f"\x1b[5;6H\x1b[{sequence}".encode(), cut):
        mirror.feed(piece)
    assert mirror.cursor == cursor


@pytest.mark.parametrize("cut", [False, True], ids=["whole", "cut"])
@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param(b"a\xffb", "ab", id="no byte of UTF-8"),
        pytest.param(b"a\xe6\xbc\x1b[mb", "ab", id="a character cut by a sequence"),
        pytest.param(b"a\xc0\x80b", "ab", id="a longer form than needed"),
        pytest.param(b"a\xff\x1b[2b", "aaa", id="repeated behind it"),
    ],
)
def test_what_is_no_utf8(data: bytes, text: str, cut: bool) -> None:
    mirror = PyteMirror(20, 6)
    for piece in _pieces(data, cut):
        mirror.feed(piece)
    assert mirror.text()[0] == text


@pytest.mark.parametrize(
    ("data", "ansi", "cursor"),
    [
        pytest.param("a🇩🇪b", "a🇩🇪b", (4, 0), id="a flag"),
        pytest.param("a\u2028b", "a\u2028b", (3, 0), id="a line separator"),
        pytest.param("\x1b[20`x\x1b[!p", " " * 19 + "x", (20, 0), id="a wrap pending at DECSTR"),
        pytest.param("\x1b[8m\x1b#8", "\x1b[0;8m" + "E" * 20 + "\x1b[0m", (0, 0), id="DECALN in a look"),
        pytest.param("世界\x1b[7m\x1b[2`x", "\x1b[0;7m x\x1b[0m界", (2, 0), id="a half written over"),
        pytest.param("a\x1b[0Lb", "b", (1, 0), id="no lines inserted is one"),
        pytest.param("a\x1b[Mb", "b", (1, 0), id="a line deleted"),
        pytest.param("a\x1b[000Mb", "b", (1, 0), id="no lines deleted is one"),
        pytest.param("abc\r\x1b[0P", "bc", (0, 0), id="no characters deleted is one"),
        pytest.param("a\x1b[0ab", "a b", (3, 0), id="no columns forward is one"),
        pytest.param("a\x1b[0eb", "a", (2, 1), id="no lines forward is one"),
        pytest.param("a\x1b[0Ib", "a       b", (9, 0), id="no tab is one"),
        pytest.param("\x1b[2;5r\x1b[?6h\x1b[2;1H\x1b[3G", "", (2, 2), id="a column in origin mode"),
        pytest.param("\x1b[2;5r\x1b[?6h\x1b[2;1H\x1b[0`", "", (0, 2), id="no column in origin mode is the first"),
        pytest.param("\x1b[?7lab\n\x1b[3b\u0301", "ab", (2, 1), id="nothing to repeat in a new line"),
    ],
)
def test_what_few_programs_write(data: str, ansi: str, cursor: tuple[int, int]) -> None:
    mirror = PyteMirror(20, 6)
    mirror.feed(data.encode())
    assert (mirror.ansi()[0], mirror.cursor) == (ansi, cursor)


def _pieces(data: bytes, cut: bool) -> list[bytes]:
    return [data[at : at + 1] for at in range(len(data))] if cut else [data]

"""What DECSCA protects outlasts selective erasure; the expected rows are @xterm/headless's."""

import pytest

from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.roostd.host.mirror.looks import everything_of


@pytest.mark.parametrize(
    ("written", "rows"),
    [
        ('\x1b[1"qAB\x1b[0"qCD\r\x1b[?K', ["AB"]),
        ('\x1b[1"qAB\x1b[2"qCD\r\x1b[?2K', ["AB"]),
        ('\x1b[1"qA\x1b["qB\r\x1b[?K', ["A"]),
        ('\x1b[1"qAB\x1b[3"qC\r\x1b[?K', ["ABC"]),
        ('\x1b[1"qA\x1b[31mB\x1b[39mC\r\x1b[?K', ["ABC"]),
        ('\x1b[1"qAB\r\x1b[K', []),
        ('\x1b[1"qAB\r\x1b[2X', []),
        ('\x1b[1"qAB\x1b[0"qCD\x1b[?J\x1b[?1J', ["AB"]),
        ('\x1b[1"qAB\x1b[0"qCD\r\n\nE\x1b[?2J', ["AB"]),
        ('\x1b[1"qabcdefghijkl\x1b[0"qxy\x1b[?1K\x1b[H\x1b[?J', ["abcdefghij", "kl"]),
        ('\x1b[1"qA\x1b[1@\x1b[?2KB\x1b[?2K', ["AB"]),
        ('\x1b[1"qA\x1b[3b\r\x1b[?K', ["AAAA"]),
        ('\x1b[1"q漢\x1b[0"q字\r\x1b[?K', ["漢"]),
        ('\x1b[1"q漢\x1b[0"q字\x1b[2G\x1b[?K', ["漢"]),
        ('\x1b[1"q漢\x1b[0"q字\x1b[4G\x1b[?1K', ["漢"]),
    ],
)
def test_what_stays(written: str, rows: list[str]) -> None:
    mirror = PyteMirror(10, 3)
    mirror.feed(written.encode())
    assert [row for row in mirror.text() if row] == rows


@pytest.mark.parametrize(
    ("written", "rows"),
    [
        pytest.param('\x1b[1"qA\x1b7\x1b[0"qB\x1b8C\r\x1b[?K', ["AC"], id="DECSC"),
        pytest.param('\x1b[1"qE\x1b#8\x1b[?2J', ["EEEEEEEEEE"] * 3, id="DECALN"),
        pytest.param('\x1b[1"qA\x1b[0mB\r\x1b[?K', ["A"], id="SGR 0"),
        pytest.param('\x1b[1"qA\x1b[1;0mB\r\x1b[?K', ["A"], id="an SGR with 0"),
        pytest.param('\x1b[1"qA\x1b[!pB\r\x1b[?K', ["A"], id="DECSTR"),
    ],
)
def test_how_long_it_lasts(written: str, rows: list[str]) -> None:
    mirror = PyteMirror(10, 3)
    mirror.feed(written.encode())
    assert [row for row in mirror.text() if row] == rows


@pytest.mark.parametrize(
    ("written", "answer"),
    [('\x1b[1"q', b"1"), ('\x1b[1"q\x1b[0"q', b"0"), ('\x1b[1"q\x1b[m', b"0"), ('\x1b[1"q\x1b[1;31m', b"1")],
    ids="abcd",
)
def test_what_is_told(written: str, answer: bytes) -> None:
    fed = PyteMirror(10, 3).feed(f'{written}\x1bP$q"q\x1b\\'.encode())
    assert fed.replies == (b"\x1bP1$r" + answer + b'"q\x1b\\',)


@pytest.mark.parametrize("mode", ["", "\x1b[?2027h", "\x1b[?1049h"], ids=["normal", "graphemes", "alternate"])
@pytest.mark.parametrize("end", ["", '\x1b[0"q'], ids=["on", "off"])
def test_a_repaint_protects_the_same(mode: str, end: str) -> None:
    mirror, fresh = PyteMirror(10, 3), PyteMirror(10, 3)
    mirror.feed(f'{mode}a\x1b[44;1"q\x1b[1"qB\x1b]8;;x\x07C漢\x1b[0"qd\x1b[1"q0123456789{end}'.encode())
    fresh.feed(mirror.repaint())
    assert everything_of(fresh) == everything_of(mirror)
    for one in (mirror, fresh):
        one.feed(b"e\x1b[?1K\x1b[H\x1b[?J")
    assert everything_of(fresh) == everything_of(mirror)


def test_nobody_else_sees_it() -> None:
    mirror, plain = PyteMirror(10, 3), PyteMirror(10, 3)
    mirror.feed(b'\x1b[1;31ma\x1b[1"qb\r\n\n\n')
    plain.feed(b"\x1b[1;31mab\r\n\n\n")
    assert mirror.ansi(9) == plain.ansi(9)
    assert mirror.history_cells(9) == plain.history_cells(9)

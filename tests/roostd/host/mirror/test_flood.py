"""A flood ends as if every line had been drawn."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roostd.host.mirror import flood
from roostd.host.mirror.history import MAX_ROWS
from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.host.mirror.style import BOLD, Style, apply_sgr
from tests.roostd.host.mirror.looks import everything_of

LINES = [
    b"plain text\r\n", b"\r\n", b"\x1b[31mred\r\n", b"\x1b[44mblue row\r\n", b"\x1b[0mreset\r\n", b"\x1b[m\r\n", b"tab\there\r\n",
    b"only a line feed\n", "wide 漢字 e\u0301 ⚠️\r\n".encode(), b"a line that is longer than the screen is wide\r\n",
    b"\x1b[Kerased\x1b[1K\x1b[2K\r\n", b"\x1b[1;4:3mlook\x1b[22m\r\n", b"x\rover\r\n", "\u00a0\u00b7\r\n".encode(),
]  # fmt: skip
BEFORE = [
    b"",
    b"before\r\n",
    b"\x1b[?1049h",
    b"\x1b[2;3r",
    b"\x1b[5;41m",
    b"\x1b]8;;a\x07",
    b"\x1b[4h",
    b"\x1b[20h",
    b"\x1b[?7l",
    b"\x1b[?2027h",
]
AFTER = [b"", b"last", b"\x1b[H\x1b[2Jx", b"\x1b[31", b"\xe6\xbc", b"\x1b[5A\x1b[K", b"\x07\x1b[6n"]


def flooded(seed: int, lines: int) -> bytes:
    chosen = random.Random(seed)
    return b"".join(chosen.choice(LINES) for _ in range(lines))


@pytest.mark.parametrize("before", BEFORE)
def test_what_is_left_out_is_not_missed(before: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    data = flooded(len(before), 30 * MAX_ROWS)
    mirror = PyteMirror(20, 6)
    mirror.feed(before)
    for at in range(0, len(data), 4_096):
        assert mirror.feed(data[at : at + 4_096]) == mirror.feed(b"")
    monkeypatch.setattr(flood, "SMALLEST", 1 << 30)
    drawn = PyteMirror(20, 6)
    drawn.feed(before)
    drawn.feed(data)
    assert everything_of(mirror) == everything_of(drawn)
    assert mirror.history_cells(MAX_ROWS) == drawn.history_cells(MAX_ROWS)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 99), st.sampled_from(BEFORE), st.sampled_from(AFTER), st.integers(500, 6_000))
def test_any_flood(seed: int, before: bytes, after: bytes, cut: int) -> None:
    data = before + flooded(seed, MAX_ROWS + 900) + after
    mirror, drawn = PyteMirror(9, 4), PyteMirror(9, 4)
    for at in range(0, len(data), cut):
        mirror.feed(data[at : at + cut])
    for at in range(0, len(data), flood.SMALLEST - 1):
        drawn.feed(data[at : at + flood.SMALLEST - 1])
    assert everything_of(mirror) == everything_of(drawn)


@given(st.lists(st.sampled_from([b"", b"0", b"1", b"2", b"22", b"31", b"39", b"0;4", b"4:3;44", b"38;5;9", b"7;1", b"21"]), max_size=20))
def test_few_of_many_styles_have_the_effect_of_all(params: list[bytes]) -> None:
    style = before = Style(fg=3, flags=BOLD)
    for each in params:
        style = apply_sgr(style, each.decode())
    data = b"".join(b"x\x1b[%sm" % each for each in params)
    assert flood.style_after(before, data) == style
    assert len(flood.selected(data)) <= len(set(params))


def test_little_is_drawn_of_much() -> None:
    lines = flood.needed(6)
    assert flood.before_last(b"x\r\n" * lines, lines, 6) == 0
    assert flood.before_last(b"x\r\n" * (lines + 500), lines, 6) == 3 * 500
    assert flood.before_last(b"x\n" * (lines + 500), lines, 6) == 0
    line = b"x" * 200 + b"\r\n"
    assert flood.before_last(line * (lines + 500), lines, 6) == len(line) * 500
    assert flood.before_last(line * 500 + b"x\r\n" * lines, lines, 500) == len(line) * 500
    assert flood.before_last(line * 500 + b"x\r\n" * lines, lines, 501) == 0
    assert flood.before_last(b"\r\n\r\n" + b"x\n" * lines, lines, 2) == 4
    assert flood.before_last(b"\r\n\r\n" + b"x\n" * lines, lines, 3) == 0


def test_long_lines_are_drawn_at_once() -> None:
    assert flood.promises(b"x" * 100 + b"\r\n", 40)
    assert not flood.promises(b"x" * 500 + b"\r\n", 40)


@pytest.mark.parametrize(
    "data",
    [b"\x07", b"\x1b[H", b"\x1b]0;t\x07", b"\x0e", b"\x7f", "\x9b".encode(), b"\x1b[6n", b"\x08", b"\x1b[?1m", b"\xc2x\x1b", b"\x1b[\xc2"],
)
def test_what_does_more_than_scroll(data: bytes) -> None:
    assert flood.harmless(b"text\r\n" + data, b"") is None


@pytest.mark.parametrize("cut", [b"\x1b", b"\x1b[", b"\x1b[38;2;1", b"\xc2", b"\xe6", b"\xe6\xbc", b"\xf0\x9f\x98"])
def test_what_is_cut_is_judged_later(cut: bytes) -> None:
    assert flood.harmless(b"text" + cut, b"") == cut
    assert flood.harmless({b"\xc2": b"\x9bm", b"\x1b": b"H"}.get(cut[:1], b"\xc2\x9b"), cut) is None

"""A flood is kept until somebody looks, and nothing else differs from an engine that draws everything at once."""

from hypothesis import given, settings
from hypothesis import strategies as st

from roostd.host.mirror.lazy import BULK, MOST, Lazy
from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.roostd.host.mirror.looks import chunks, everything_of, sizes, streams

LINE = b"a line of a flood \x1b[1;38;5;200mwith colours\x1b[m, \xe6\xbc\xa2 and more\r\n"
FLOOD = LINE * (BULK // len(LINE) + 2)
QUESTION = b"\x1b[6n"

floods = st.integers(1, 3).map(lambda times: FLOOD * times)
pieces = st.lists(
    st.one_of(floods, streams, st.sampled_from([QUESTION, b"\x07", b"\x1b[3", b"8;5;1m", b"\x1b]0;", b"\xc2", b"\x9b6n"])), max_size=8
)


class Watched(PyteMirror):
    """Remembers what it was fed."""

    def __init__(self, cols: int, rows: int) -> None:
        super().__init__(cols, rows)
        self.fed: list[bytes] = []

    def feed(self, data: bytes) -> object:  # type: ignore[override]
        self.fed.append(data)
        return super().feed(data)


def lazy(cols: int = 40, rows: int = 5) -> tuple[Lazy, Watched]:
    engine = Watched(cols, rows)
    return Lazy(engine), engine  # type: ignore[arg-type]


@settings(max_examples=150, deadline=None)
@given(sizes, pieces, st.lists(st.integers(1, 3000), min_size=1, max_size=5))
def test_looked_at_or_not_it_is_as_if_all_was_drawn_at_once(size: tuple[int, int], stream: list[bytes], cut: list[int]) -> None:
    mirror, plain = Lazy(PyteMirror(*size)), PyteMirror(*size)
    for chunk in chunks(b"".join(stream), cut):
        assert mirror.feed(chunk) == plain.feed(chunk)
        assert (mirror.modes, mirror.title, mirror.focus_events) == (plain.modes, plain.title, plain.focus_events)
    assert mirror.text() == plain.text()
    assert mirror.repaint(1000) == plain.repaint(1000)
    assert mirror._engine.cursor == plain.cursor
    assert everything_of(mirror._engine) == everything_of(plain)


def test_a_flood_waits_until_somebody_looks() -> None:
    mirror, engine = lazy()
    for _ in range(3):
        mirror.feed(FLOOD)
    assert engine.fed == []
    assert mirror.text()[0].startswith("a line of a flood")
    assert engine.fed == [FLOOD * 3]


def test_a_question_behind_it_is_answered_at_once() -> None:
    mirror, engine = lazy()
    mirror.feed(FLOOD)
    assert mirror.feed(QUESTION).replies == (b"\x1b[5;1R",)
    assert engine.fed == [FLOOD, QUESTION]


def test_a_question_cut_in_two_is_answered_with_its_end() -> None:
    mirror, _ = lazy()
    mirror.feed(FLOOD + b"\x1b[")
    assert mirror.feed(b"6n" + FLOOD).replies == (b"\x1b[5;1R",)


def test_colours_cut_in_two_are_part_of_the_flood() -> None:
    mirror, engine = lazy()
    mirror.feed(FLOOD + b"\x1b[1;3")
    mirror.feed(b"1m" + FLOOD)
    assert engine.fed == []


def test_a_flood_behind_a_prompt_waits_too_but_none_within_a_string() -> None:
    mirror, engine = lazy()
    mirror.feed(b"\x1b[?2004l\rtyped\r\n")
    mirror.feed(FLOOD)
    assert len(engine.fed) == 1
    mirror.feed(b"\x1b]0;title")
    mirror.feed(FLOOD)
    assert len(engine.fed) == 4


def test_little_output_is_drawn_at_once() -> None:
    mirror, engine = lazy()
    mirror.feed(b"word")
    assert engine.fed == [b"word"]


def test_what_is_kept_is_bounded() -> None:
    mirror, engine = lazy()
    for _ in range(MOST // len(FLOOD) + 1):
        mirror.feed(FLOOD)
    assert len(engine.fed) == 1
    assert len(engine.fed[0]) < MOST + len(FLOOD)

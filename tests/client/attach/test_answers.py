"""The colours that the person's terminal tells, and that nothing else of what is typed is touched."""

from hypothesis import given
from hypothesis import strategies as st

from roost.attach.answers import LAST_QUESTION, REST, SPLIT, Answers

TOLD = b"\x1b]10;rgb:ffff/8080/0000\x1b\\" + b"\x1b]11;rgb:1e/1e/2e\x07" + b"\x1b]12;rgba:f/f/f/f\x1b\\"
LAST = b"\x1b[?62;22c"
PALETTE = b"\x1b]4;0;rgb:0/0/0\x07\x1b]4;21;rgb:ffff/8080/0000\x1b\\"
COLOURS = {"foreground": 0xFF8000, "background": 0x1E1E2E, "cursor": 0xFFFFFF}


def typed(answers: Answers, *chunks: bytes) -> bytes:
    return b"".join(answers.feed(chunk, 0.0) for chunk in chunks)


def test_the_answers_are_taken_out_of_what_is_typed() -> None:
    answers = Answers(0.0)
    assert typed(answers, b"a" + TOLD + b"b" + PALETTE + LAST + b"c") == b"abc"
    assert (answers.colours, answers.waiting) == (COLOURS, False)
    assert answers.told() == {**COLOURS, "palette": {0: 0, 21: 0xFF8000}}


@given(st.data())
def test_in_any_chunking(data: st.DataObject) -> None:
    stream = b"typ" + TOLD + PALETTE + b"\x1b[A\x1bx" + LAST + b"ed"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    answers = Answers(0.0)
    assert typed(answers, *(stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True))) == b"typ\x1b[A\x1bxed"
    assert answers.colours == COLOURS


@given(st.lists(st.binary(max_size=12)))
def test_what_is_no_answer_passes_byte_for_byte(chunks: list[bytes]) -> None:
    answers = Answers(0.0)
    passed = typed(answers, *chunks) + answers.expire()
    assert passed == b"".join(chunks) or answers.colours or not answers.waiting


def test_an_escape_alone_waits_for_a_moment_only() -> None:
    answers = Answers(0.0)
    assert answers.feed(b"\x1b", 5.0) == b""
    waits_until = answers.deadline
    assert waits_until == 5.0 + SPLIT
    assert answers.expire() == b"\x1b"
    assert answers.deadline is None


def test_the_rest_of_an_answer_may_take_its_time() -> None:
    for cut in (b"\x1b]11;rgb:1e/1", b"\x1b]4;", b"\x1b[?62"):
        answers = Answers(0.0)
        assert answers.feed(cut, 5.0) == b""
        assert answers.deadline == 5.0 + REST


def test_what_may_still_be_keys_is_kept_for_a_moment_only() -> None:
    for cut in (b"\x1b", b"\x1b[", b"\x1b]", b"\x1b]1", b"\x1b]4"):
        answers = Answers(0.0)
        assert answers.feed(cut, 5.0) == b""
        assert answers.deadline == 5.0 + SPLIT


def test_once_all_is_told_no_key_is_kept_but_answers_are_still_taken() -> None:
    answers = Answers(0.0)
    assert typed(answers, LAST, b"a" + TOLD, LAST, b"\x1b", b"\x1b[", b"\x1b]") == b"a\x1b\x1b[\x1b]"
    assert typed(answers, b"\x1b]10;rgb:0/0", b"/0\x07b") == b"b"
    assert answers.colours == {**COLOURS, "foreground": 0}


def test_asked_once_more_it_waits_for_the_last_answer() -> None:
    answers = Answers(0.0)
    answers.feed(LAST, 0.0)
    assert (answers.ask_again(7.0), answers.asked, answers.waiting) == (LAST_QUESTION, 7.0, True)
    answers.feed(LAST, 8.0)
    assert not answers.waiting


def test_all_that_was_told_can_be_set_again() -> None:
    answers = Answers(0.0)
    answers.feed(TOLD + PALETTE, 0.0)
    assert answers.as_they_were() == (
        b"\x1b]10;#ff8000\x1b\\\x1b]11;#1e1e2e\x1b\\\x1b]12;#ffffff\x1b\\\x1b]4;0;#000000\x1b\\\x1b]4;21;#ff8000\x1b\\"
    )


def test_a_colour_that_is_none_is_left_out() -> None:
    answers = Answers(0.0)
    assert typed(answers, b"\x1b]11;rgb:1/2\x07\x1b]10;rgb:11111/2/3\x07") == b""
    assert answers.colours == {}

"""The detach key in all its forms, and that nothing else is touched."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from roost.attach.keys import ALONE, SECOND_KEY, SPLIT, DetachFilter, parse, plain
from roost_protocol.errors import RoostError

FORMS = [
    b"\x1c",
    b"\x1b[92;5u",
    b"\x1b[92;5:1u",
    b"\x1b[92:124:92;5u",
    b"\x1b[92;69u",  # caps lock
    b"\x1b[92;133u",  # num lock
    b"\x1b[92;197:1u",  # both
    b"\x1b[92;5;28u",
    b"\x1b[27;5;92~",
    b"\x1b[27;69;92~",
]
NOT_THE_KEY = [
    b"\\",
    b"\x1b[92;1u",
    b"\x1b[92u",
    b"\x1b[92;6u",  # shift too
    b"\x1b[92;5:2u",  # repeated
    b"\x1b[92;5:3u",  # released
    b"\x1b[93;5u",
    b"\x1b[27;5;93~",
    b"\x1b[27;1;92~",
    b"\x1b[27;5~",
    b"\x1b[;5u",
    b"\x1b[92;u5u",
    b"\x1b[99999999999;5u",
    b"\x1b[92;0u",
    b"\x1b[A",
    b"\x1b[200~\x1c\x1b[201~",
    b"\x1b[200~\x1b[92;5u\x1b[201~",
    b"\x1b",
    b"\x1b\x1b",
    b"\x1b[",
    b"\x1bOA",
    b"\x1b[<0;10;10M",
]


def one_key() -> DetachFilter:
    return DetachFilter(parse("ctrl-\\"))


def two_keys() -> DetachFilter:
    return DetachFilter(parse("ctrl-a d"))


def typed(keys: DetachFilter, *chunks: bytes, at: float = 0.0) -> tuple[bytes, bool]:
    """All chunks at one moment; what passed, and whether it detached."""
    passed = b""
    for chunk in chunks:
        data, detach = keys.feed(chunk, at)
        passed += data
        if detach:
            return passed, True
    return passed, False


def bytewise(data: bytes) -> list[bytes]:
    return [data[i : i + 1] for i in range(len(data))]


@pytest.mark.parametrize("form", FORMS)
def test_alone_it_detaches_after_its_time_and_sends_nothing(form: bytes) -> None:
    keys = one_key()
    assert keys.feed(form, 10.0) == (b"", False)
    assert keys.deadline == 10.0 + ALONE
    assert keys.expire(10.0 + ALONE / 2) == (b"", False)
    assert keys.expire(10.0 + ALONE) == (b"", True)


@pytest.mark.parametrize("form", FORMS)
def test_twice_it_is_sent_once(form: bytes) -> None:
    keys = one_key()
    assert typed(keys, form + form) == (form, False)
    assert keys.deadline is None
    assert typed(keys, form, form) == (form, False)


@pytest.mark.parametrize("form", FORMS)
def test_it_is_found_in_any_two_pieces(form: bytes) -> None:
    for cut in range(1, len(form)):
        keys = one_key()
        passed, detach = typed(keys, form[:cut], form[cut:])
        # An ESC that came alone is the escape key until more is known: it has gone through.
        assert (passed, detach) == (b"\x1b" if cut == 1 else b"", False)
        assert keys.expire(ALONE) == (b"", True)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("behind", [b"2", b"ls\r", b"\x1b[A", b"\x1b[97;5u", b"\x1bOA", "é".encode(), b"\x1b[200~x\x1b[201~"])
def test_any_other_key_detaches_at_once_and_is_not_the_jobs(form: bytes, behind: bytes) -> None:
    keys = one_key()
    assert keys.feed(b"a" + form + behind, 0.0) == (b"a", True)
    assert keys.behind == behind
    keys = one_key()
    typed(keys, form)
    assert keys.armed
    assert typed(keys, *bytewise(behind)) == (b"", True)
    assert behind.startswith(keys.behind)
    assert keys.behind


def test_an_escape_behind_the_key_detaches_once_it_is_known_to_be_one() -> None:
    keys = one_key()
    assert keys.feed(b"\x1c\x1b", 0.0) == (b"", False)
    assert keys.deadline == SPLIT
    assert (keys.expire(SPLIT), keys.behind) == ((b"", True), b"\x1b")


def test_what_comes_too_late_for_a_second_press_is_behind_it() -> None:
    keys = one_key()
    assert keys.feed(b"\x1c", 0.0) == (b"", False)
    assert (keys.feed(b"\x1cx", ALONE), keys.behind) == ((b"", True), b"\x1cx")


@pytest.mark.parametrize(
    "report",
    [b"\x1b[92;5:3u", b"\x1b[92;5:2u", b"\x1b[57442;5:3u", b"\x1b[57442;5u", b"\x1b[1;1:3A", b"\x1b[<35;10;10M", b"\x1b[I", b"\x1b[?1;2c"],
)
def test_what_is_no_press_of_a_key_does_not_end_the_waiting(report: bytes) -> None:
    for chunks in ([b"\x1c" + report + b"\x1c"], [b"\x1c", *bytewise(report), b"\x1c"]):
        assert typed(one_key(), *chunks) == (b"\x1c", False)
    keys = one_key()
    assert typed(keys, b"\x1c", report) == (b"", False)
    assert (keys.expire(ALONE), keys.behind) == ((b"", True), b"")


def test_only_text_is_plain() -> None:
    sequences = (b"\x1b[A", b"\x1b[M !!", b"\x1bOP", b"\x1b]11;rgb:0/0/0\x1b\\", b"\x1b[200~rm\r\x1b[201~", b"\x1b[<0;1;2M", b"\x1b[?62;c")
    assert plain(b"l".join((b"", *sequences, b"\x1b[1;"))) == b"l" * 8
    assert plain("né\r\x03\t".encode()) == "né\r\x03\t".encode()


@pytest.mark.parametrize("form", NOT_THE_KEY)
@pytest.mark.parametrize("chunked", [lambda data: [data], bytewise])
def test_what_is_not_the_key_passes(form: bytes, chunked: object) -> None:
    keys = one_key()
    passed, detach = typed(keys, *chunked(form))  # type: ignore[operator]
    late, expired = keys.expire(SPLIT)
    assert (passed + late, detach or expired) == (form, False)
    assert keys.deadline is None


@pytest.mark.parametrize("data", [b"\x1b", b"\x1b[1", b"\x1b[200", b"\x1b[<0;1", b"\x1b[93", b"\x1bO", b"abc"])
def test_what_cannot_become_the_key_is_not_kept_back(data: bytes) -> None:
    keys = one_key()
    assert keys.feed(data, 0.0) == (data, False)
    assert keys.deadline is None


def test_what_may_become_the_key_waits_for_a_moment_only() -> None:
    keys = one_key()
    assert keys.feed(b"x\x1b[92;5", 1.0) == (b"x", False)
    assert keys.deadline == 1.0 + SPLIT
    assert keys.expire(1.0 + SPLIT) == (b"\x1b[92;5", False)
    assert keys.expire(9.0) == (b"", False)
    # The rest comes late: what has gone cannot be taken back, but the person wanted to detach.
    assert keys.feed(b"u", 10.0) == (b"", False)
    assert keys.expire(10.0 + ALONE) == (b"", True)


def test_a_paste_is_text_to_its_end_however_it_is_cut() -> None:
    data = b"\x1b[200~a\x1cb\x1b[92;5uc\x1b[201d\x1b[201~"
    for chunks in ([data], bytewise(data), [data[:3], data[3:20], data[20:]]):
        keys = one_key()
        passed, detach = typed(keys, *chunks)
        assert (passed, detach) == (data, False)
        assert typed(keys, b"\x1c") == (b"", False)
        assert keys.expire(ALONE) == (b"", True)


def test_a_paste_is_passed_on_as_it_comes() -> None:
    keys = one_key()
    assert keys.feed(b"\x1b[200~one", 0.0) == (b"\x1b[200~one", False)
    assert keys.feed(b"two\x1b[20", 0.0) == (b"two\x1b[20", False)
    assert keys.deadline is None


def test_two_keys() -> None:
    assert typed(two_keys(), b"\x01d") == (b"", True)
    assert typed(two_keys(), b"\x01", b"d") == (b"", True)
    assert typed(two_keys(), b"\x1b[97;5u", b"\x1b[100;1u") == (b"", True)
    assert typed(two_keys(), b"ddd") == (b"ddd", False)


def test_the_first_of_two_keys_twice_is_sent_once() -> None:
    keys = two_keys()
    assert typed(keys, b"\x01\x01") == (b"\x01", False)
    assert keys.deadline is None


def test_the_first_of_two_keys_and_another_are_both_sent_in_order() -> None:
    assert typed(two_keys(), b"\x01x") == (b"\x01x", False)
    assert typed(two_keys(), b"\x01", b"\x1b[A") == (b"\x01\x1b[A", False)


def test_the_first_of_two_keys_goes_through_when_the_second_does_not_come() -> None:
    keys = two_keys()
    assert keys.feed(b"\x01", 5.0) == (b"", False)
    assert keys.deadline == 5.0 + SECOND_KEY
    assert keys.expire(5.0 + SECOND_KEY) == (b"\x01", False)
    assert typed(keys, b"d", at=7.0) == (b"d", False)


@given(st.lists(st.sampled_from([*NOT_THE_KEY, b"hello", "é".encode(), b"\r", b"\x03", b"\x1b[1;5C"])), st.data())
@example([b"\x1b[200~\x1c\x1b[201~"], None)
def test_in_any_chunking_everything_passes_unchanged_and_in_order(pieces: list[bytes], data: st.DataObject | None) -> None:
    # An unfinished sequence in front of another piece may make a key of the two: those that are cut stand alone above.
    text = b"".join(piece for piece in pieces if piece not in (b"\x1b", b"\x1b\x1b", b"\x1b["))
    keys = one_key()
    passed, rest = b"", text
    while rest:
        size = data.draw(st.integers(1, len(rest))) if data else 1
        out, detach = keys.feed(rest[:size], 0.0)
        assert not detach
        passed, rest = passed + out, rest[size:]
    out, detach = keys.expire(SPLIT)
    assert (passed + out, detach) == (text, False)


@given(st.binary(max_size=200), st.data())
def test_bytes_without_the_key_pass_whatever_they_are(text: bytes, data: st.DataObject) -> None:
    text = text.replace(b"\x1c", b"").replace(b"\x1b[9", b"").replace(b"\x1b[27", b"")
    keys = one_key()
    passed, rest = b"", text
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        out, _ = keys.feed(rest[:size], 0.0)
        passed, rest = passed + out, rest[size:]
    assert passed + keys.expire(SPLIT)[0] == text


@pytest.mark.parametrize("text", ["ctrl-\\", "ctrl+b", "Ctrl-A d", "ctrl-a ctrl-a", "ctrl-]", "ctrl-^", "ctrl-b D"])
def test_keys_that_can_be_chosen(text: str) -> None:
    assert 1 <= len(parse(text)) <= 2


@pytest.mark.parametrize("text", ["", "d", "d ctrl-a", "ctrl-", "ctrl-1", "ctrl-a b c", "alt-x", "ctrl-é", "f12", "ctrl-["])
def test_keys_that_cannot_are_refused_with_their_name(text: str) -> None:
    with pytest.raises(RoostError, match="detach key") as caught:
        parse(text)
    assert caught.value.code == "bad_request"

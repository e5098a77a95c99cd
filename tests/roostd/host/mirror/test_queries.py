"""The filter of the raw relay: nothing that asks passes, and everything else does."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roostd.host.mirror.parser import MAX_STRING
from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.host.mirror.queries import QueryFilter
from tests.roostd.host.mirror.looks import chunks, screen_of, streams

ANSWERED = [
    b"\x1b[c", b"\x1b[0c", b"\x1b[>c", b"\x1b[>0c", b"\x1b[=c", b"\x1bZ", b"\x1b[5n", b"\x1b[6n", b"\x1b[?6n", b"\x1b[?996n",
    b"\x1b[?2026$p", b"\x1b[4$p", b"\x1b[>q", b"\x1b[>0q", b"\x1bP$qm\x1b\\", b"\x1bP+q544e\x1b\\", b"\x1b]10;?\x07",
    b"\x1b]11;?\x1b\\", b"\x1b]12;?\xc2\x9c", b"\x1b]4;1;?\x07", b"\x1b]7501;?\x1b\\", b"\x1b[?u", b"\x1b[?4m", b"\x1b[14t",
    b"\x1b[16t", b"\x1b[18t", b"\xc2\x9bc", b"\xc2\x9d11;?\x07", b"\x1b]011;?\x07", b"\x1b]04;1;?\x07", b"\xc2\x9a",
]  # fmt: skip
REMOVED_UNANSWERED = [
    b"\x1b]52;c;?\x07", b"\x1b]52;;?\x1b\\", b"\x1b]7501;state=working\x1b\\", b"\x05", b"\x1b[1c", b"\x1b[0n", b"\x1b[?25n", b"\x1b[?15n",
    b"\x1b[11t", b"\x1b[13;2t", b"\x1b[19t", b"\x1b[20t", b"\x1b[21t", b"\x1b[x", b"\x1b[1;1;1;1;2;2*y", b"\x1b[1$w", b"\x1b[&u",
    b'\x1b["v',
    b"\x1b['|", b"\x1b[#R", b"\x1b[?1;1;0S", b"\x1b_Gi=1,a=q;AAAA\x1b\\", b"\x1b_Ga=T,f=100;AAAA\x1b\\", b"\xc2\x9fGa=q;\xc2\x9c",
    b"\x1b]50;?\x07",
    b"\x1b]22;?__current__\x07", b"\x1b]99;i=1:p=?;\x1b\\", b"\x1b]1337;ReportCellSize\x07", b"\x1b]21;foreground=?\x1b\\",
    b"\x1b]5;0;?\x07",
    b"\x1b]17;?\x07", b"\x1b]5522;type=read;\x1b\\", b"\xc2\x9b615n",
]  # fmt: skip
REFUSED = [
    b"\x1b[12l", b"\x1b[12h", b"\x1b[?2l", b"\x1b[?3h", b"\x1b[?40;3h", b"\x1b[?67h", b"\x1b[?1036l", b"\x1b[?1000s", b"\x1b[?1007r",
    b"\x1b[>1;2m", b"\x1b[>2;2m", b"\x1b[>1n", b"\x1b[>1s", b"\x1b[>2p", b"\x1b[1;2'z", b"\x1b[8;30;90t", b"\x1b[2t", b"\x1b[9;1t",
    b"\x1b[132$|", b"\x1b[50*|", b"\x1b[2$~", b"\x1b[1$}",
    b"\x1b[#P", b"\x1b[#Q",
    b"\x1bPq#0~\x1b\\", b"\x1bP1000p\x1b\\", b"\x1b_x\x1b\\", b"\x1b^x\x1b\\", b"\x1bXx\x1b\\",
    b"\x1b]5;0;red\x07", b"\x1b]7;file:///\x07", b"\x1b]21;background=red\x1b\\", b"\x1b]50;fixed\x07", b"\x1b]66;w=2;x\x07",
    b"\x1b[5i", b"\x1b[?5i", b"\x1b[1;1R", b"\x1b[1;2$x", b"\x1b[22;0t", b"\x1b[23;0t", b"\x1b[22;2t", b"\x1b[?69h", b"\x1b[?8l",
    b"\x1b[?9001h", b"\x1b[?5522h", b'\x1b[61"p', b"\x1b[>0t", b"\x1b[>4;1f", b"\x1b[2 t", b"\x1b[2*x", b"\x1b[?6c", b"\x1b[8]",
    b"\x1b[U", b"\x1b[V", b"\x1b[2 P", b"\x1b#3", b"\x1b#6", b"\x1b G", b"\x1bk", b"\x1bN", b"\x1b]13;#ff0000\x07",
    b"\x1b]17;red\x07", b"\x1b]4;256;red\x07", b"\x1b]1;icon\x07", b"\x1b]9;2;box\x07", b"\x1b]9;9;/\x07", b"\x1b]117\x07",
    b"\x1b]1337;SetProfile=x\x07", b"\x1b]3008;start\x1b\\", b"\x1b]x\x07",
]  # fmt: skip
PASSED = [
    b"text", b"\x1b[>4n", b"\x1b]9;4;1;50\x07", b"\x1b]777;notify;a;b\x07", b"\x1b]1337;RequestAttention=yes\x07",
    b"\x1b]99;;done\x1b\\", b"\x1b]22;pointer\x07", b"\x1b]104\x07", b"\x1b[2 q", b"\x1b[>4;2m", b"\x1b[?25h", b"\x1b[u",
    b"\x1b[?1;1000;1006h", b"\x1b[?1007h", b"\x1b]4;255;red\x07", b"\x1b(0", b"\x1b#8", b"\x1b]9;12 files\x07",
    b"\x1b]11;#000000\x07", b"\x1b]4;1;red\x07", b"\x1b]52;c;QUJD\x07", b"\x1b]0;?\x07",
    b"\x1b]8;;http://localhost/\x1b\\", b"\x1b[!p", b"\xff\xfe", b"\x1b[6\x18n",
    b"\x1b]11;?\x18", "漢字 é ⠋".encode(),
]  # fmt: skip


def filtered(*pieces: bytes) -> bytes:
    relay = QueryFilter()
    return b"".join(relay.feed(piece) for piece in pieces)


@pytest.mark.parametrize("query", ANSWERED)
def test_what_the_mirror_answers_is_removed(query: bytes) -> None:
    assert len(PyteMirror(20, 6).feed(query).replies) == 1
    assert filtered(b"a" + query + b"b") == b"ab"
    assert filtered(*(b"a" + query + b"b" for _ in range(2))) == b"abab"


@pytest.mark.parametrize("query", REMOVED_UNANSWERED)
def test_what_nobody_may_answer_is_removed(query: bytes) -> None:
    assert PyteMirror(20, 6).feed(query).replies == ()
    assert filtered(b"a" + query + b"b") == b"ab"


@pytest.mark.parametrize("data", REFUSED)
def test_what_nobody_would_undo_is_removed(data: bytes) -> None:
    mirror, fresh = PyteMirror(20, 6), PyteMirror(20, 6)
    mirror.feed(b"a" + data + b"b")
    fresh.feed(b"ab")
    assert screen_of(mirror) == screen_of(fresh)
    assert filtered(b"a" + data + b"b") == b"ab"


def test_of_several_modes_those_pass_that_may() -> None:
    assert filtered(b"\x1b[?1000;67;25h\x1b[12;4h\x1b[?3;40;67l") == b"\x1b[?1000;25h\x1b[4h"


@pytest.mark.parametrize(
    ("data", "passed"),
    [
        (b"\x1b]11;rgb:1/2/3;?\x07", b"\x1b]11;rgb:1/2/3\x07"),
        (b"\x1b]10;?;#123456;?\x1b\\x", b"\x1b]11;#123456\x1b\\x"),
        (b"\x1b]10;red;?;;?\x07\x1b[c", b"\x1b]10;red\x07"),
        (b"\x1b]4;1;?;2;rgb:1/2/3;3;?;4;blue\x07", b"\x1b]4;2;rgb:1/2/3\x07\x1b]4;4;blue\x07"),
        (b"\x1b]4;?;red;1;?\x07", b""),
        (b"\x1b]18;?;?;red\x07", b""),
    ],
)
def test_of_colours_in_one_string_those_pass_that_are_set(data: bytes, passed: bytes) -> None:
    assert QueryFilter().feed(data) == passed
    filtered = QueryFilter()
    assert b"".join(filtered.feed(data[at : at + 1]) for at in range(len(data))) == passed


def test_of_the_keyboards_stack_what_is_in_force_passes() -> None:
    assert filtered(b"\x1b[>1u\x1b[>5u\x1b[<u") == b"\x1b[=1;1u\x1b[=5;1u\x1b[=1;1u"
    assert filtered(b"\x1b[=8;2ua\x1b[<9u") == b"\x1b[=8;1ua\x1b[=0;1u"


@pytest.mark.parametrize("mode", [47, 1047, 1049])
def test_each_screen_has_a_keyboard_of_its_own(mode: int) -> None:
    relay = QueryFilter()
    relay.feed(b"\x1b[>1u\x1b[?%dh" % mode)
    assert relay.feed(b"\x1b[=8;2u") == b"\x1b[=8;1u"
    relay.feed(b"\x1b[?25;%dl" % mode)
    assert relay.feed(b"\x1b[=8;2u") == b"\x1b[=9;1u"


def test_a_hard_reset_does_not_pass_and_is_told() -> None:
    relay = QueryFilter()
    assert relay.feed(b"\x1b[>1u\x1b[?1049ha") == b"\x1b[=1;1u\x1b[?1049ha"
    assert [relay.was_reset, relay.feed(b"a\x1bcb"), relay.was_reset] == [False, b"ab", True]
    assert relay.feed(b"\x1b[=8;2u") == b"\x1b[=8;1u"


@pytest.mark.parametrize("data", PASSED)
def test_all_else_passes(data: bytes) -> None:
    assert PyteMirror(20, 6).feed(data).replies == ()
    assert filtered(b"a" + data + b"b") == b"a" + data + b"b"


def test_bytes_without_a_sequence_are_not_copied() -> None:
    data = "plain, and 漢字\r\n".encode()
    assert QueryFilter().feed(data) is data


def test_a_cut_query_is_held_until_it_is_known() -> None:
    relay = QueryFilter()
    assert relay.feed(b"a\x1b") == b"a"
    assert relay.feed(b"[") == b""
    assert relay.feed(b"6") == b""
    assert relay.feed(b"nb") == b"b"


def test_a_lone_escape_is_let_go_by_a_flush() -> None:
    relay = QueryFilter()
    assert relay.feed(b"a\x1b") == b"a"
    assert relay.flush() == b"\x1b"
    assert relay.feed(b"[6;1Hb") == b"[6;1Hb"
    assert relay.flush() == b""


def test_a_control_inside_a_query_passes() -> None:
    assert filtered(b"a\x1b[6\nnb") == b"a\nb"


def test_a_query_that_ended_another_sequence_leaves_an_end() -> None:
    assert filtered(b"\x1b[3\x1b[6nb") == b"\x1b[3\x18b"
    assert filtered(b"\x1b]0;title\x1b[6nb") == b"\x1b]0;title\x1b\\b"


def test_no_question_hides_in_a_string_that_another_terminal_ends_earlier() -> None:
    assert filtered("a\x1b]0;t\x9b6n\x84u\x9cb\x9b6nc".encode()) == "a\x1b]0;t6nu\x9cbc".encode()
    assert filtered("a\x1bP漢\x9d11;?\x9cb".encode()) == b"ab"


def test_a_repetition_behind_a_question_is_none_without_it() -> None:
    assert filtered(b"0\x1b[c\x1b[3b") == filtered(b"0\x1b[", b"c\x1b]11;?\x07\x1b[3", b"b") == b"0"
    assert filtered(b"0\x1b[c1\x1b[3b") == filtered(b"0\x1b[c", b"1", b"\x1b[3b") == b"01\x1b[3b"


def test_a_long_string_streams_through() -> None:
    relay = QueryFilter()
    copied = b"\x1b]52;c;" + b"QUJD" * MAX_STRING
    assert relay.feed(copied) == copied
    assert relay.feed(b"QUJD\x1b") == b"QUJD"
    assert relay.feed(b"\\b\x1b[6nc") == b"\x1b\\bc"


def test_an_endless_program_status_does_not_pass() -> None:
    relay = QueryFilter()
    assert relay.feed(b"a\x1b]7501;msg=" + b"A" * (2 * MAX_STRING)) == b"a"
    assert relay.feed(b"A" * MAX_STRING + b"\x07b") == b"b"


cuts = st.lists(st.integers(1, 7), min_size=1, max_size=5)
more = st.lists(st.one_of(streams, st.sampled_from([*ANSWERED, *REMOVED_UNANSWERED, *PASSED])), max_size=12).map(b"".join)
# The letter, or the mark, that everything that is removed has; and what may be left out of a string.
MAY_ASK = re.compile(rb"\xc2[\x80-\x9f]|[\x05?Zc]|\x1b[]PX^_]|[\\\\hlmsp'}~tcnxywuvqR|$+]")
many = settings(max_examples=150, deadline=None)


@many
@given(more, cuts)
def test_the_chunking_changes_nothing(data: bytes, cut: list[int]) -> None:
    relay = QueryFilter()
    whole = filtered(data) + b""
    pieces = b"".join(relay.feed(chunk) for chunk in chunks(data, cut))
    assert pieces + relay.flush() == filtered_to_the_end(data)
    assert filtered_to_the_end(data).startswith(whole)


def filtered_to_the_end(data: bytes) -> bytes:
    relay = QueryFilter()
    return relay.feed(data) + relay.flush()


def is_utf8(data: bytes) -> bool:
    """A removed query may join the halves of a broken character that it stood between."""
    return "\ufffd" not in data.decode("utf-8", "replace")


@many
@given(more.filter(is_utf8))
def test_nothing_that_passes_is_answered_and_nothing_shown_is_lost(data: bytes) -> None:
    relay = QueryFilter()
    passed = relay.feed(data + b"\x18")
    mirror, beyond = PyteMirror(20, 6), PyteMirror(20, 6)
    mirror.feed(data + b"\x18")
    assert beyond.feed(passed).replies == ()
    if relay.was_reset:
        beyond.feed(mirror.repaint())
    assert screen_of(beyond) == screen_of(mirror)


@many
@given(more)
def test_bytes_pass_as_they_are_where_nothing_is_asked(data: bytes) -> None:
    if not MAY_ASK.search(data):
        assert filtered(data + b"\x18") == data + b"\x18"

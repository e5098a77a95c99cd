"""What a program leaves on a person's terminal beside its modes is undone, and only that."""

import pytest

from roostd.host.mirror.colours import PALETTE
from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.roostd.host.mirror.looks import everything_of

POINTER = b"\x1b]22;text\x1b\\\x1b]22;\x1b\\"


@pytest.mark.parametrize(
    ("written", "undone"),
    [
        (b"text\x1b[?1049h\x1b[1;31m\x1b[5;9H\x1bHtext", b""),
        (b"\x1b]4;1;?\x07\x1b]10;?\x07", b""),
        (b"\x1b]4;1;#ff0000;200;rgb:1/2/3\x07", b"\x1b]104;1;200\x1b\\"),
        (b"\x1b]10;red;blue\x07", b"\x1b]110\x1b\\\x1b]111\x1b\\"),
        (b"\x1b]11;papaya whip\x07", b"\x1b]111\x1b\\"),
        (b"\x1b]12;#123\x07\x1b]112\x07", b"\x1b]112\x1b\\"),
        (b"\x1b]4;7;#123\x07\x1b]4;8;#123\x07\x1b]104;7\x07", b"\x1b]104;7;8\x1b\\"),
        (b"\x1b]104\x07", b"\x1b]104;" + b";".join(b"%d" % n for n in range(256)) + b"\x1b\\"),
        (b"\x1b]17;#123\x07", b""),
        (b"\x1b]4;300;#123\x07\x1b]4;7\x07", b""),
        (b"\x1b]11;#123\x07\x1b]22;wait\x07\x1b[3g\x1bc", b"\x1b]111\x1b\\"),
        (b"\x1b]22;wait\x07", POINTER),
        (b"\x1b]22;wait\x07\x1b]22;?__current__\x07", POINTER),
        (b"\x1b]22;wait\x07\x1b]22;\x07", b""),
        (b"\x1b[3g", b"\x1b7\x1b[3g\x1b[9G\x1bH\x1b[17G\x1bH\x1b[?5W\x1b8"),
        (b"\x1b[3g\x1b[9G\x1bH\x1b[17G\x1bH", b""),
    ],
)
def test_what_is_undone(written: bytes, undone: bytes) -> None:
    mirror = PyteMirror(20, 6)
    mirror.feed(written)
    assert mirror.parting({}) == undone


def test_a_terminal_is_as_before_and_its_cursor_stays() -> None:
    mirror, fresh = PyteMirror(40, 6), PyteMirror(40, 6)
    for one in (mirror, fresh):
        one.feed(b"text\x1b[?6h\x1b[3;7H")
    mirror.feed(b"\x1b[3g\x1b[5G\x1bH\x1b[3;7H\x1b]10;#123456;#654321\x07\x1b]22;wait\x07")
    mirror.feed(mirror.parting({}))
    assert everything_of(mirror) == everything_of(fresh)
    ask = b"\x1b]10;?;?\x07\tx"
    assert mirror.feed(ask) == fresh.feed(ask)
    assert mirror.text() == fresh.text()


def test_a_repaint_sets_the_pointers_shape() -> None:
    mirror, fresh = PyteMirror(20, 6), PyteMirror(20, 6)
    mirror.feed(b"\x1b]22;wait\x07")
    fresh.feed(mirror.repaint())
    assert fresh.parting({}) == POINTER


def test_the_persons_own_colours_come_back_where_they_are_known() -> None:
    mirror = PyteMirror(20, 6)
    mirror.feed(b"\x1b]10;red\x07\x1b]111\x07\x1b]4;1;red;200;red\x07")
    theirs = {10: 0x010203, 11: 0xFFFFFF, 12: 0xFFFFFF, PALETTE + 1: 0x445566, PALETTE + 2: 0}
    assert mirror.parting(theirs) == (
        b"\x1b]104;200\x1b\\\x1b]10;rgb:0101/0202/0303\x1b\\\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b]4;1;rgb:4444/5555/6666\x1b\\"
    )


@pytest.mark.parametrize(
    ("said", "undone"),
    [(b"\x1b]9;4;1;50\x07", b"\x1b]9;4;0\x1b\\"), (b"\x1b]9;4;3\x07", b"\x1b]9;4;0\x1b\\"), (b"\x1b]9;4;1;50\x07\x1b]9;4;0\x07", b"")],
)
def test_what_a_program_shows_of_how_far_it_is_goes_with_it(said: bytes, undone: bytes) -> None:
    mirror = PyteMirror(20, 6)
    mirror.feed(said)
    assert mirror.parting({}) == undone

"""What the mirror answers, each in one write, in the order asked."""

from importlib.metadata import version

import pytest

from roostd.host.mirror.colours import palette_colour
from roostd.host.mirror.pyte_mirror import PyteMirror

ANSWERS = [
    ("\x1b[c", "\x1b[?62;22c"),
    ("\x1b[0c", "\x1b[?62;22c"),
    ("\x1bZ", "\x1b[?62;22c"),
    ("\x1b[>c", "\x1b[>1;277;0c"),
    ("\x1b[=c", "\x1bP!|00000000\x1b\\"),
    ("\x1b[5n", "\x1b[0n"),
    ("ab\r\ncd\x1b[6n", "\x1b[2;3R"),
    ("ab\x1b[?6n", "\x1b[?1;3R"),
    ("\x1b[1;20Hx\x1b[6n", "\x1b[1;20R"),
    ("\x1b[2;4r\x1b[?6h\x1b[2;3H\x1b[6n", "\x1b[2;3R"),
    ("\x1b[?996n", "\x1b[?997;1n"),
    ("\x1b[?2026$p", "\x1b[?2026;2$y"),
    ("\x1b[?2026h\x1b[?2026$p", "\x1b[?2026;1$y"),
    ("\x1b[?1049h\x1b[?1049$p", "\x1b[?1049;1$y"),
    ("\x1b[?1000h\x1b[?1003h\x1b[?1000$p", "\x1b[?1000;2$y"),
    ("\x1b[?25l\x1b[?25$p", "\x1b[?25;2$y"),
    ("\x1b[?6h\x1b[?6$p", "\x1b[?6;1$y"),
    ("\x1b[?1048$p", "\x1b[?1048;2$y"),
    ("\x1b[?2048$p", "\x1b[?2048;0$y"),
    ("\x1b[?12345$p", "\x1b[?12345;0$y"),
    ("\x1b[4h\x1b[4$p", "\x1b[4;1$y"),
    ("\x1b[2$p", "\x1b[2;4$y"),
    ("\x1b[12$p", "\x1b[12;3$y"),
    ("\x1b[3$p", "\x1b[3;0$y"),
    ("\x1b[?8$p", "\x1b[?8;3$y"),
    ("\x1b[?67$p", "\x1b[?67;4$y"),
    ("\x1b[?45h\x1b[?45$p", "\x1b[?45;1$y"),
    ("\x1b[?2027$p", "\x1b[?2027;2$y"),
    ("\x1b[?2027h\x1b[?2027$p", "\x1b[?2027;1$y"),
    ("\x1b]11;#fff\x07\x1b[?996n", "\x1b[?997;2n"),
    ("\x1b[>q", f"\x1bP>|roost({version('roost')})\x1b\\"),
    ("\x1b[1;31m\x1bP$qm\x1b\\", "\x1bP1$r0;1;31m\x1b\\"),
    ("\x1b[2;3r\x1bP$qr\x1b\\", "\x1bP1$r2;3r\x1b\\"),
    ("\x1b[4 q\x1bP$q q\x1b\\", "\x1bP1$r4 q\x1b\\"),
    ("\x1bP$qx\x1b\\", "\x1bP0$r\x1b\\"),
    ('\x1bP$q"p\x1b\\', '\x1bP1$r62;1"p\x1b\\'),
    ('\x1bP$q"q\x1b\\', '\x1bP1$r0"q\x1b\\'),
    ("\x1bP$qs\x1b\\", "\x1bP1$r1;20s\x1b\\"),
    ("\x1bP$qt\x1b\\", "\x1bP1$r6t\x1b\\"),
    ("\x1bP$q*|\x1b\\", "\x1bP1$r6*|\x1b\\"),
    ("\x1bP+q544e\x1b\\", "\x1bP1+r544e=787465726D2D323536636F6C6F72\x1b\\"),
    ("\x1bP+q436F;7878\x1b\\", "\x1bP1+r436F=323536\x1b\\\x1bP0+r7878\x1b\\"),
    ("\x1bP+qx\x1b\\", "\x1bP0+r\x1b\\"),
    ("\x1bP+qff\x1b\\", "\x1bP0+r\x1b\\"),
    ("\x1b]11;rgb:ff/8/0000\x07\x1b]11;?\x07", "\x1b]11;rgb:ffff/8888/0000\x07"),
    ("\x1b]10;#123456;#abc\x07\x1b]10;?;?\x07", "\x1b]10;rgb:1212/3434/5656\x07\x1b]11;rgb:a0a0/b0b0/c0c0\x07"),
    (
        "\x1b]4;1;red;2;grey50;3;Gray;4;gray101\x07\x1b]4;1;?;2;?;3;?\x07",
        "\x1b]4;1;rgb:ffff/0000/0000\x07\x1b]4;2;rgb:8080/8080/8080\x07\x1b]4;3;rgb:bebe/bebe/bebe\x07",
    ),
    ("\x1b]10;papaya;rgb:f/80/800\x07\x1b]10;?;?\x07", "\x1b]10;rgb:d0d0/d0d0/d0d0\x07\x1b]11;rgb:ffff/8080/8080\x07"),
    ("\x1b]4;1;#ffff00000000;2;?\x07", "\x1b]4;2;rgb:0000/cdcd/0000\x07"),
    ("\x1b]4;1;#010203\x07\x1b]4;1;?\x07", "\x1b]4;1;rgb:0101/0202/0303\x07"),
    ("\x1b]4;1;#010203\x07\x1b]104;1\x07\x1b]4;1;?\x07", "\x1b]4;1;rgb:cdcd/0000/0000\x07"),
    ("\x1b]4;1;#010203\x07\x1b]10;#010203\x07\x1b]104\x07\x1b]4;1;?\x07", "\x1b]4;1;rgb:cdcd/0000/0000\x07"),
    ("\x1b]12;#010203\x07\x1b]112\x07\x1b]12;?\x07", "\x1b]12;rgb:d0d0/d0d0/d0d0\x07"),
    ("\x1b]11;#010203\x07\x1bc\x1b]11;?\x07", "\x1b]11;rgb:1010/1010/1010\x07"),
    ("\x1b]10;?\x07", "\x1b]10;rgb:d0d0/d0d0/d0d0\x07"),
    ("\x1b]11;?\x1b\\", "\x1b]11;rgb:1010/1010/1010\x1b\\"),
    ("\x1b]12;?\x07", "\x1b]12;rgb:d0d0/d0d0/d0d0\x07"),
    ("\x1b]11;#123456;?\x07", "\x1b]12;rgb:d0d0/d0d0/d0d0\x07"),
    ("\x1b]10;?;#123456;?\x07", "\x1b]10;rgb:d0d0/d0d0/d0d0\x07\x1b]12;rgb:d0d0/d0d0/d0d0\x07"),
    ("\x1b]10;?;?\x07", "\x1b]10;rgb:d0d0/d0d0/d0d0\x07\x1b]11;rgb:1010/1010/1010\x07"),
    ("\x1b]4;1;?;200;red;255;?\x07", "\x1b]4;1;rgb:cdcd/0000/0000\x07\x1b]4;255;rgb:eeee/eeee/eeee\x07"),
    ("\x1b]7501;?\x1b\\", "\x1b]7501;?\x1b\\"),
    ("\x1b]7501;?\x07", "\x1b]7501;?\x07"),
    ("\x1b[?u", "\x1b[?0u"),
    ("\x1b[>5u\x1b[>1u\x1b[<u\x1b[?u", "\x1b[?5u"),
    ("\x1b[>4;2m\x1b[?4m", "\x1b[>4;2m"),
    ("\x1b[14t", "\x1b[4;120;200t"),
    ("\x1b[16t", "\x1b[6;20;10t"),
    ("\x1b[18t", "\x1b[8;6;20t"),
]


@pytest.mark.parametrize(("asked", "answer"), ANSWERS)
def test_answers(asked: str, answer: str) -> None:
    assert PyteMirror(20, 6).feed(asked.encode()).replies == (answer.encode(),)


@pytest.mark.parametrize("asked", ["\x1b[1c", "\x1b[7n", "\x1b[?25n", "\x1b]11;red\x07", "\x1b]4;999;?\x07", "\x1b]52;c;?\x07", "\x1b[19t"])
def test_what_is_no_question_gets_no_answer(asked: str) -> None:
    assert PyteMirror(20, 6).feed(asked.encode()).replies == ()


def test_answers_come_in_the_order_asked() -> None:
    """Agents believe in program status only if its answer comes before that of the DA1 that they ask next."""
    fed = PyteMirror(20, 6).feed(b"\x1b]7501;?\x1b\\\x1b[?u\x1b[c")
    assert fed.replies == (b"\x1b]7501;?\x1b\\", b"\x1b[?0u", b"\x1b[?62;22c")


def test_the_palette() -> None:
    assert [palette_colour(n) for n in (0, 9, 16, 196, 21, 231, 232, 255)] == [
        0x000000, 0xFF0000, 0x000000, 0xFF0000, 0x0000FF, 0xFFFFFF, 0x080808, 0xEEEEEE,
    ]  # fmt: skip


def test_the_real_colours_are_told() -> None:
    mirror = PyteMirror(20, 6)
    assert mirror.set_colours(0x111111, 0xEEEEEE, 0x222222) == ()
    assert mirror.feed(b"\x1b]11;?\x07").replies == (b"\x1b]11;rgb:eeee/eeee/eeee\x07",)
    mirror.feed(b"\x1b]11;#000\x07")
    assert mirror.feed(b"\x1b]11;?\x07").replies == (b"\x1b]11;rgb:0000/0000/0000\x07",)


def test_who_wants_to_know_hears_of_light_and_dark() -> None:
    mirror = PyteMirror(20, 6)
    mirror.feed(b"\x1b[?2031h")
    assert mirror.set_colours(0, 0xFFFFFF, 0) == (b"\x1b[?997;2n",)
    assert mirror.set_colours(0, 0xFEFEFE, 0) == ()
    assert mirror.set_colours(0xFFFFFF, 0, 0) == (b"\x1b[?997;1n",)


def test_colours_that_were_set_are_repainted() -> None:
    mirror, fresh = PyteMirror(20, 6), PyteMirror(20, 6)
    mirror.feed(b"\x1b]4;3;#123456\x07\x1b]10;#654321\x07")
    fresh.feed(mirror.repaint())
    assert fresh.feed(b"\x1b]4;3;?\x07\x1b]10;?\x07").replies == mirror.feed(b"\x1b]4;3;?\x07\x1b]10;?\x07").replies

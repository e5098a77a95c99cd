"""The engine behind the interface."""

from roostd.host.mirror.interface import Fed, Mirror
from roostd.host.mirror.pyte_mirror import PyteMirror, warm_up
from tests.roostd.host.mirror.looks import everything_of


def test_it_is_a_mirror() -> None:
    mirror: Mirror = PyteMirror(20, 6)
    assert (mirror.cols, mirror.rows, mirror.title, mirror.cursor) == (20, 6, None, (0, 0))
    assert mirror.text() == mirror.ansi() == [""] * 6
    assert mirror.feed(b"nothing to tell") == Fed((), ())


def test_what_is_fed_is_told_once() -> None:
    mirror = PyteMirror(20, 6)
    assert len(mirror.feed(b"\x07\x1b[c").events) == 1
    assert mirror.feed(b"") == Fed((), ())


def test_warming_up_changes_no_mirror() -> None:
    before = everything_of(PyteMirror(20, 6))
    warm_up()
    assert everything_of(PyteMirror(20, 6)) == before

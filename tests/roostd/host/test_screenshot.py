"""What a mirror shows, as an answer: lines, and cells with their looks."""

import msgspec

from roost_protocol.pictures import Look, Picture
from roostd.host import screenshot
from roostd.host.mirror.pyte_mirror import PyteMirror


def mirror(data: str, cols: int = 20, rows: int = 2) -> PyteMirror:
    made = PyteMirror(cols, rows)
    made.feed(data.encode())
    return made


def picture(data: str, lines: int = 0) -> Picture:
    """Through the wire's own description, so that a shape which is not that one fails."""
    return msgspec.convert(screenshot.picture(mirror(data), lines), Picture)


def test_lines_in_three_forms() -> None:
    shown = mirror("one\r\ntwo\r\n\x1b[31mred\x1b]0;a\u202et\x07")
    assert screenshot.screen(shown) == {"cols": 20, "rows": 2, "lines": ["two", "red"], "title": "at", "engine": "pyte"}
    assert screenshot.screen(shown, lines=9)["lines"] == ["one", "two", "red"]
    assert screenshot.screen(shown, ansi=True)["lines"] == ["two", "\x1b[0;31mred\x1b[0m"]
    assert screenshot.screen(shown, lines=9, cells=True)["picture"] == screenshot.picture(shown, 9)


def test_cells_that_look_alike_go_together() -> None:
    found = picture("ab\x1b[1mcd漢字e\u0301f")
    assert found.cells == [[("ab", 2, 1, 0), ("cd", 2, 1, 1), ("漢字", 2, 2, 1), ("e\u0301", 1, 1, 1), ("f", 1, 1, 1)], []]
    assert found.looks == [Look(), Look(bold=True)]


def test_every_attribute_has_its_name() -> None:
    found = picture("\x1b[1;2;3;4:3;5;7;8;9;53;38;5;200;48;2;1;2;3;58;5;9mx\x1b[0m\x1b]8;id=1;https://example.org/\x07y")
    everything = Look(
        fg=200, bg="#010203", bold=True, dim=True, italic=True, underline=3, blink=True, inverse=True, hidden=True, strike=True,
        overline=True, underline_colour=9,
    )  # fmt: skip
    assert found.looks == [everything, Look(link="https://example.org/")]


def test_history_cursor_and_modes() -> None:
    found = picture("one\r\ntwo\r\nthree\x1b[?25l\x1b[?2004h\x1b[4 q", lines=5)
    assert (found.history, len(found.cells)) == (1, 3)
    assert (found.cursor.x, found.cursor.y, found.cursor.visible, found.cursor.style) == (5, 1, False, 4)
    assert found.modes["bracketed_paste"] is True
    assert found.modes["mouse"] == 0
    assert len(picture("one\r\ntwo\r\nthree").cells) == 2

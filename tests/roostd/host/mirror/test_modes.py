"""What a program switched on, as the rest of the host sees it."""

import pytest

from roostd.host.mirror.pyte_mirror import PyteMirror

SWITCHED = [
    (b"", {"bracketed_paste": False, "cursor_visible": True, "autowrap": True, "mouse": 0, "kitty_flags": 0}),
    (b"\x1b[?2004h\x1b[?1004h", {"bracketed_paste": True, "focus_events": True}),
    (b"\x1b[?2004;1004h\x1b[?2004l", {"bracketed_paste": False, "focus_events": True}),
    (b"\x1b[?1h\x1b=", {"application_cursor": True, "application_keypad": True}),
    (b"\x1b=\x1b>", {"application_keypad": False}),
    (b"\x1b[?66h", {"application_keypad": True}),
    (b"\x1b[?1000h\x1b[?1002h\x1b[?1006h", {"mouse": 1002, "mouse_encoding": 1006}),
    (b"\x1b[?1003h\x1b[?1003l", {"mouse": 0}),
    (b"\x1b[?1015h\x1b[?1016h", {"mouse_encoding": 1016}),
    (b"\x1b[?25l\x1b[?12h", {"cursor_visible": False, "blinking": True}),
    (b"\x1b[?2026h", {"synchronized": True}),
    (b"\x1b[?2031h\x1b[?2048h", {"colour_scheme_reports": True, "in_band_resize": True}),
    (b"\x1b[?5h\x1b[?7l\x1b[?6h", {"reverse_screen": True, "autowrap": False, "origin": True}),
    (b"\x1b[4h\x1b[20h", {"insert": True, "newline": True}),
    (b"\x1b[5 q", {"cursor_style": 5}),
    (b"\x1b[5 q\x1b[ q", {"cursor_style": 0}),
    (b"\x1b[5 q\x1b[9 q", {"cursor_style": 5}),
    (b"\x1b[>4;2m", {"modify_other_keys": 2}),
    (b"\x1b[>4;2m\x1b[>4m", {"modify_other_keys": 0}),
    (b"\x1b[>4;2m\x1b[>m", {"modify_other_keys": 0}),
    (b"\x1b[>1;2m", {"modify_other_keys": 0}),
    (b"\x1b[>7u", {"kitty_flags": 7}),
    (b"\x1b[>7u\x1b[<u", {"kitty_flags": 0}),
    (b"\x1b[>7u\x1b[>1u\x1b[<9u", {"kitty_flags": 0}),
    (b"\x1b[=5;1u\x1b[=2;2u\x1b[=4;3u", {"kitty_flags": 3}),
    (b"\x1b[>7u\x1b[?1049h", {"kitty_flags": 0, "alternate": True}),
    (b"\x1b[>7u\x1b[?1049h\x1b[>1u\x1b[?1049l", {"kitty_flags": 7, "alternate": False}),
    (b"\x1b[>7u" * 100 + b"\x1b[<16u", {"kitty_flags": 7}),
    (b"\x1b[?1h\x1b[?6h\x1b[?25l\x1b[4h\x1b[5 q\x1b[!p", {"application_cursor": False, "cursor_visible": True, "insert": False}),
    (b"\x1b[?2004h\x1b[>7u\x1b[>4;2m\x1b[?1049h\x1bc", {"bracketed_paste": False, "kitty_flags": 0, "alternate": False}),
]


@pytest.mark.parametrize(("data", "expected"), SWITCHED)
def test_modes(data: bytes, expected: dict[str, object]) -> None:
    mirror = PyteMirror(20, 6)
    mirror.feed(data)
    assert {name: getattr(mirror.modes, name) for name in expected} == expected

"""What may be shown to a terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roost_protocol.text import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("plain", "plain"),
        ("⠋ 漢字 é\u0301 👩\u200d💻", "⠋ 漢字 é\u0301 👩\u200d💻"),
        ("a\x1b[2Jb\x07", "a[2Jb"),
        ("a\x9b2Jb\x7f\x00", "a2Jb"),
        ("a\r\nb\tc\u2028d\u2029e", "a  b c d e"),
        ("\u202eevil\u2066\u200f\u061c", "evil"),
        ("\udc9b\ud800x", "\ufffd\ufffdx"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text(st.characters()))
def test_nothing_unsafe_is_left_and_it_can_be_written(text: str) -> None:
    shown = printable(text)
    shown.encode()
    assert not any(char < " " or "\x7f" <= char <= "\x9f" for char in shown)
    assert not set(shown) & set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")
    assert printable(shown) == shown

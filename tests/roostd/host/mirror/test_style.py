"""SGR in every form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roostd.host.mirror.style import BOLD, DEFAULT, DIM, INVERSE, ITALIC, OVERLINE, RGB, STRIKE, Style, apply_sgr

FORMS = [
    ("1;3;7;9", Style(flags=BOLD | ITALIC | INVERSE | STRIKE)),
    ("1;2;22", DEFAULT),
    ("2;53", Style(flags=DIM | OVERLINE)),
    ("53;55", DEFAULT),
    ("31;42", Style(fg=1, bg=2)),
    ("91;102", Style(fg=9, bg=10)),
    ("31;39;42;49", DEFAULT),
    ("38;5;200", Style(fg=200)),
    ("48;2;1;2;3", Style(bg=RGB | 0x010203)),
    ("38:5:200", Style(fg=200)),
    ("38:2:1:2:3", Style(fg=RGB | 0x010203)),
    ("38:2::1:2:3", Style(fg=RGB | 0x010203)),
    ("38:2::1:2:3;1", Style(fg=RGB | 0x010203, flags=BOLD)),
    ("58;2;1;2;3;4", Style(underline=1, underline_colour=RGB | 0x010203)),
    ("58:5:9;59", DEFAULT),
    ("4", Style(underline=1)),
    ("4:3", Style(underline=3)),
    ("4:3;4:0", DEFAULT),
    ("21", Style(underline=2)),
    ("21;24", DEFAULT),
    ("1;;31", Style(fg=1)),
    ("38;5", Style(fg=0)),
    ("38:5", Style(fg=0)),
    ("38;2;1;2", Style(fg=RGB | 0x010200)),
    ("38:2:1:2", Style(fg=RGB | 0x020000)),
    ("38;6;1;1;1;1;3", Style(flags=ITALIC)),
    ("38;0;1;1;1;1;1;3", Style(flags=ITALIC)),
    ("38;5;99999999999999999999", Style(fg=255)),
    ("4:", Style(underline=1)),
    ("4:9", Style(underline=1)),
    ("38;5;300;1", Style(fg=44, flags=BOLD)),
    ("38;2;1;2;300", Style(fg=RGB | 0x01022C)),
    ("38:9:1", DEFAULT),
    ("38", DEFAULT),
    ("666;1", Style(flags=BOLD)),
    ("999999999999999999999999", DEFAULT),
]


@pytest.mark.parametrize(("params", "style"), FORMS)
def test_forms(params: str, style: Style) -> None:
    assert apply_sgr(DEFAULT, params) == style


@pytest.mark.parametrize("params", ["", "0", "00", ";"])
def test_resets(params: str) -> None:
    assert apply_sgr(Style(fg=1, flags=BOLD, underline=3), params) == DEFAULT


@given(st.text("0123456789;:", max_size=40))
def test_every_style_can_be_said_again(params: str) -> None:
    style = apply_sgr(DEFAULT, params)
    assert apply_sgr(Style(fg=3, bg=4, flags=BOLD, underline=5), style.sgr()[2:-1]) == style


def test_what_is_remembered_is_bounded() -> None:
    from roostd.host.mirror import style as module

    for n in range(10_000):
        apply_sgr(DEFAULT, f"38;2;{n % 256};{n // 256};7").sgr()
    assert len(module._changes) <= 600
    assert len(module._sequences) <= 600
    assert len(module._styles) <= 600

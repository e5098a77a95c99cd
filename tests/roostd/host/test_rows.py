from roostd.host.rows import coloured, plain


def test_nothing_but_text_and_colour_is_shown_elsewhere() -> None:
    row = "a\u202eb\x1b[1;38:2::1:2:3mc\x1b]0;t\x07d\x1b[2Je\x1b[0m"
    assert coloured([row, ""]) == ["ab\x1b[1;38:2::1:2:3mc]0;td[2Je\x1b[0m", ""]
    assert plain(["a\u202eb\u2028c"]) == ["ab c"]

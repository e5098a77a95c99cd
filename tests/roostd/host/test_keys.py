import pytest

from roost_protocol.errors import RoostError
from roostd.host.keys import encode


@pytest.mark.parametrize(
    ("key", "data"),
    [
        ("esc", b"\x1b"),
        ("Escape", b"\x1b"),
        ("enter", b"\r"),
        ("tab", b"\t"),
        ("shift+tab", b"\x1b[Z"),
        ("backtab", b"\x1b[Z"),
        ("backspace", b"\x7f"),
        ("delete", b"\x1b[3~"),
        ("insert", b"\x1b[2~"),
        ("pageup", b"\x1b[5~"),
        ("pgdn", b"\x1b[6~"),
        ("space", b" "),
        ("f1", b"\x1bOP"),
        ("f12", b"\x1b[24~"),
        ("up", b"\x1b[A"),
        ("home", b"\x1b[H"),
        ("ctrl+c", b"\x03"),
        ("Ctrl+C", b"\x03"),
        ("ctrl+space", b"\0"),
        ("ctrl+\\", b"\x1c"),
        ("alt+x", b"\x1bx"),
        ("alt+enter", b"\x1b\r"),
        ("alt+ctrl+x", b"\x1b\x18"),
        ("ctrl+right", b"\x1b[1;5C"),
        ("shift+alt+up", b"\x1b[1;4A"),
        ("shift+a", b"A"),
        ("y", b"y"),
        ("Y", b"Y"),
        ("+", b"+"),
        ("alt++", b"\x1b+"),
        ("-", b"-"),
        ("alt--", b"\x1b-"),
        ("ctrl-c", b"\x03"),
        ("Ctrl-C", b"\x03"),
        ("C-c", b"\x03"),
        ("c", b"c"),
        ("M-x", b"\x1bx"),
        ("M-X", b"\x1bX"),
        ("alt-x", b"\x1bx"),
        ("C-M-x", b"\x1b\x18"),
        ("C-M-c", b"\x1b\x03"),
        ("C-Left", b"\x1b[1;5D"),
        ("C-_", b"\x1f"),
        ("shift-tab", b"\x1b[Z"),
        ("S-Tab", b"\x1b[Z"),
        ("é", "é".encode()),
    ],
)
def test_a_key_is_what_a_terminal_sends_for_it(key: str, data: bytes) -> None:
    assert encode([key], application_cursor=False) == data


def test_cursor_keys_follow_their_mode_but_not_with_a_modifier() -> None:
    assert encode(["up", "end", "ctrl+up"], application_cursor=True) == b"\x1bOA\x1bOF\x1b[1;5A"


@pytest.mark.parametrize(
    "key",
    ["", "nonsense", "ctrl+", "ctrl-", "C-", "ctrl+é", "C-nonsense", "hyper+x", "H-x", "--", "shift+1", "\x1b", "alt+nonsense", "f13"],
)
def test_an_unknown_key_is_refused_by_name_and_told_what_there_is(key: str) -> None:
    with pytest.raises(RoostError) as refused:
        encode(["y", key], application_cursor=False)
    assert refused.value.code == "bad_request"
    assert repr(key) in refused.value.message
    assert "backtab" in refused.value.message

"""The parser alone: what comes out of bytes, in order."""

import pytest

from roostd.host.mirror.parser import MAX_PARAMS, MAX_STRING, Parser, numbers


class Heard:
    """A sink that writes down what it is told; neighbouring text is one."""

    def __init__(self) -> None:
        self.actions: list[tuple[str, ...]] = []

    def text(self, text: str) -> None:
        if self.actions and self.actions[-1][0] == "text":
            text = self.actions.pop()[1] + text
        self.actions.append(("text", text))

    def control(self, char: str) -> None:
        self.actions.append(("control", char))

    def escape(self, sequence: str) -> None:
        self.actions.append(("escape", sequence))

    def csi(self, kind: str, params: str) -> None:
        self.actions.append(("csi", kind, params))

    def osc(self, payload: str, terminator: str) -> None:
        self.actions.append(("osc", payload, terminator))

    def dcs(self, payload: str) -> None:
        self.actions.append(("dcs", payload))


def parsed(*pieces: bytes) -> list[tuple[str, ...]]:
    heard = Heard()
    parser = Parser(heard)
    for piece in pieces:
        parser.feed(piece)
    return heard.actions


ACTIONS: list[tuple[bytes, list[tuple[str, ...]]]] = [
    (b"a\r\nb", [("text", "a"), ("control", "\r"), ("control", "\n"), ("text", "b")]),
    (b"\x1b[m", [("csi", "m", "")]),
    (b"\x1b[38:2::1:2:3;4m", [("csi", "m", "38:2::1:2:3;4")]),
    (b"\x1b[?25h", [("csi", "?h", "25")]),
    (b"\x1b[>4;2m", [("csi", ">m", "4;2")]),
    (b"\x1b[2 q", [("csi", " q", "2")]),
    (b"\x1b[?2026$p", [("csi", "?$p", "2026")]),
    (b"\x1b(0\x1b=\x1b#8", [("escape", "(0"), ("escape", "="), ("escape", "#8")]),
    (b"\x1b]0;t\x07", [("osc", "0;t", "\x07")]),
    (b"\x1b]0;t\x1b\\", [("osc", "0;t", "\x1b\\")]),
    (b"\x1b]00;00t\x07\x1b]02\x07\x1b]0\x07", [("osc", "0;00t", "\x07"), ("osc", "2", "\x07"), ("osc", "0", "\x07")]),
    ("\x1b]0;t\x84u\x07".encode(), [("osc", "0;t\x84u", "\x07")]),
    ("\x1bP漢\x90u\x1b\\".encode(), [("dcs", "漢\x90u")]),
    (b"\xc2\x9d0;t\xc2\x9c", [("osc", "0;t", "\x9c")]),
    (b"\x1b]0;t\x1b[mx", [("osc", "0;t", "\x1b\\"), ("csi", "m", ""), ("text", "x")]),
    (b"\x1b]0;t\x18x", [("text", "x")]),
    (b"\x1b]0;t\x1ax", [("text", "x")]),
    (b"\x1bP+q544e\x1b\\x", [("dcs", "+q544e"), ("text", "x")]),
    (b"\x1bPa\x07b\x1b\\", [("dcs", "a\x07b")]),
    (b"\x1b_Ga=q\x1b\\\x1b^p\x1b\\\x1bXs\x1b\\x", [("text", "x")]),
    (b"\x1b[3\x18x", [("text", "x")]),
    (b"\x1b[3\x1b[1mx", [("csi", "m", "1"), ("text", "x")]),
    (b"\x1b[3\n1mx", [("control", "\n"), ("csi", "m", "31"), ("text", "x")]),
    (b"\x1b[1?2hx", [("text", "x")]),
    (b"\x1b[ 1qx", [("text", "x")]),
    (b"\xc2\x9b31mx\xc2\x85", [("csi", "m", "31"), ("text", "x"), ("control", "\x85")]),
    (b"a\x7fb", [("text", "ab")]),
    (b"\xe6\x1b[mx", [("csi", "m", ""), ("text", "x")]),
    (b"\xffa\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80b\xe6\xbcc", [("text", "abc")]),
    ("a\ufeffb".encode(), [("text", "ab")]),
    ("漢é⠋".encode(), [("text", "漢é⠋")]),
]


@pytest.mark.parametrize(("data", "actions"), ACTIONS)
def test_bytes_become_actions(data: bytes, actions: list[tuple[str, ...]]) -> None:
    assert parsed(data) == actions
    assert parsed(*(bytes([byte]) for byte in data)) == actions


def test_what_is_cut_waits() -> None:
    assert parsed(b"\xe6\xbc") == []
    assert parsed(b"\x1b[31") == []
    assert parsed(b"\x1b]0;t\x1b") == []


def test_a_string_beyond_the_bound_is_swallowed_whole() -> None:
    assert parsed(b"\x1b]0;" + b"a" * (MAX_STRING - 2) + b"\x07")[0][0] == "osc"
    assert parsed(b"\x1b]0;" + b"a" * MAX_STRING + b"\x07x") == [("text", "x")]
    assert parsed(b"\x1b]0;", *([b"a" * 1_000] * 1_000), b"\x07x") == [("text", "x")]


@pytest.mark.parametrize("cut", [1, 5_000])
def test_parameters_are_bounded(cut: int) -> None:
    data = b"\x1b[" + b"1" * 100_000 + b"A"
    ((_, kind, params),) = parsed(data[:cut], data[cut:])
    assert kind == "A"
    assert len(params) == MAX_PARAMS
    assert numbers(params) == (65_535,)


def test_numbers() -> None:
    assert numbers("") == ()
    assert numbers("1;;3") == (1, 0, 3)
    assert numbers("4:3;0000000000007") == (4, 7)
    assert numbers("9" * 1_000) == (65_535,)
    assert len(numbers(";" * 1_000)) == 32

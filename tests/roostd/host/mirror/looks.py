"""What two mirrors are compared by, and streams to feed them with."""

from hypothesis import strategies as st

from roostd.host.mirror.interface import Mirror

# Pieces of which random terminal streams are made: whole and cut sequences, controls, wide and combining characters.
PIECES = [
    *(bytes([n]) for n in (0x00, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0D, 0x0E, 0x0F, 0x18, 0x1A, 0x1B, 0x7F, 0x9B, 0xC2, 0xE6, 0xFF)),
    *(b"\x1b" + tail for tail in (b"[", b"]", b"P", b"_", b"\\", b"7", b"8", b"M", b"H", b"Z", b"c", b"#8", b"(0", b")0", b"(B")),
    *(b"\xc2" + tail for tail in (b"\x84", b"\x85", b"\x9b", b"\x9c", b"\x9d", b"\x90")),
    *(b"\x1b[" + tail for tail in (b"m", b"1;31m", b"0;44m", b"38;2;1;2;3m", b"48:2::9:8:7m", b"4:3m", b">4;2m", b"?4m")),
    *(b"\x1b[?" + tail for tail in (b"6h", b"6l", b"7l", b"25l", b"47h", b"47l", b"1047h", b"1048h", b"1049h", b"1049l", b"2026h")),
    *(b"\x1b[" + tail for tail in (b"2;4r", b"r", b"4h", b"4l", b"20h", b"H", b"3;3H", b"2J", b"J", b"1K", b"3b", b"3g", b"2 q")),
    *(b"\x1b[" + tail for tail in (b"2@", b"2P", b"2X", b"2L", b"2M", b"2S", b"2T", b"2A", b"2B", b"2C", b"2D", b"2 @", b"2 A", b"2Z")),
    *(b"\x1b[" + tail for tail in (b">7u", b"<u", b"=5;1u", b"?u", b"s", b"u", b"c", b"6n", b"?2026$p", b"14t", b"22t", b"23t", b"!p")),
    *(b"\x1b]" + tail for tail in (b"0;t\x07", b"2;u\x1b\\", b"11;?\x07", b"7501;?\x1b\\", b"7501;state=idle\x07", b"9;4;1;50\x07")),
    *(b"\x1b]" + tail for tail in (b"9;hello\x07", b"133;D;1\x07", b"52;c;?\x07", b"52;c;QUJD\x07", b"99;i=1:d=0;a\x07", b"0;open")),
    *(b"0123456789;:?<=>$" [n : n + 1] for n in range(17)),
    b"99999999999999999999", b"abc", b"a longer run of plain text", "漢字".encode(), "é\u0301".encode(), "👩‍💻".encode(), b"\r\n",
]  # fmt: skip

streams = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=60).map(b"".join),
    st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=12)), max_size=30).map(b"".join),
)
sizes = st.sampled_from([(20, 6), (9, 4), (5, 3), (2, 2), (1, 1)])


def chunks(data: bytes, cuts: list[int]) -> list[bytes]:
    """`data` cut into pieces whose lengths go round in `cuts`."""
    pieces, at, turn = [], 0, 0
    while at < len(data):
        length = cuts[turn % len(cuts)]
        pieces.append(data[at : at + length])
        at, turn = at + length, turn + 1
    return pieces


def screen_of(mirror: Mirror) -> dict[str, object]:
    """All that can be seen of a mirror, the history left out."""
    return {
        "text": mirror.text(),
        "ansi": mirror.ansi(),
        "cursor": mirror.cursor,
        "modes": mirror.modes,
        "title": mirror.title,
    }


def everything_of(mirror: Mirror) -> dict[str, object]:
    """All that can be seen of a mirror."""
    return {**screen_of(mirror), "history": mirror.ansi(1 << 20)}

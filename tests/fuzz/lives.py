"""Random lives of a terminal: what programs write, what nobody should, and both mixed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from tests.roostd.host.mirror.looks import PIECES
from tests.support.oracle.case import Case, Step
from tests.support.oracle.streams import piece

SIZES = ((1, 1), (2, 2), (5, 3), (9, 4), (20, 6), (40, 10), (80, 24), (133, 7))
_NUMBERS = ("", "0", "1", "2", "7", "38", "48", "58", "1000000000", "99999999999999999999", "-1")
_STRANGE = (
    *("\u200d", "\ufe0f", "\ufe0e", "\u0301", "👩‍💻", "🇩🇪", "🇩", "⚠️", "\u202e", "\u2028", "\ufffd"),
    *("\U000e0001", "\x85", "漢", "ﷺ", "\u1160", "\xad"),
)


def life(chance: random.Random, name: str) -> Case:
    """A size to begin with, and steps; in some of them widths go by grapheme clusters (mode 2027), now and then."""
    clusters = chance.random() < 0.3
    steps: list[Step] = [b"\x1b[?2027h"] if clusters else []
    for _ in range(chance.randint(1, 6)):
        data = chance.choices(_MAKERS, _WEIGHTS)[0](chance)
        steps.append(chance.choice((b"", b"", b"\x1b[?2027l", b"\x1b[?2027h")) + data if clusters else data)
        if chance.random() < 0.5:
            steps.append(chance.choice(SIZES))
    return Case(name, *chance.choice(SIZES), steps)


def cut(chance: random.Random, data: bytes) -> Iterator[bytes]:
    """The bytes in pieces, all short, all long or mixed."""
    most = chance.choice((1, 3, 50, 5000))
    at = 0
    while at < len(data):
        length = chance.randint(1, most)
        yield data[at : at + length]
        at += length


def _programs(chance: random.Random) -> bytes:
    return "".join(piece(chance) for _ in range(chance.randint(1, 60))).encode()


def _sequences(chance: random.Random) -> bytes:
    return b"".join(chance.choice(PIECES) for _ in range(chance.randint(1, 80)))


def _noise(chance: random.Random) -> bytes:
    return chance.randbytes(chance.randint(1, 400))


def _controls(chance: random.Random) -> bytes:
    """Noise that is mostly the beginnings and ends of sequences."""
    alphabet = b"\x1b\x1b\x1b[[]P_^X\\;;::?>=!$ '\"0123456789@ABCHJKLMPSTXZcdhlmnpqrstu\x07\x18\x1a\x9b\x9c\x9d\x90\xc2\r\n\t\b"
    return bytes(chance.choices(alphabet, k=chance.randint(1, 400)))


def _csi(chance: random.Random) -> bytes:
    """Every final byte, with any prefix, parameters and intermediates."""
    made = []
    for _ in range(chance.randint(1, 30)):
        separator = chance.choice(";;;:")
        numbers = separator.join(chance.choice(_NUMBERS) for _ in range(chance.choice((0, 1, 1, 2, 3, 5, 40))))
        prefix, between = chance.choice(("", "", "?", ">", "<", "=")), chance.choice(("", "", "", " ", "$", "!", '"', "'", "#"))
        made.append(f"\x1b[{prefix}{numbers}{between}{chr(chance.randint(0x40, 0x7E))}{chance.choice(('', 'x', '漢'))}")
    return "".join(made).encode()


_BEGINNINGS = (b"\x1b]", b"\x1bP", b"\x1b_", b"\x1b^", b"\x1bX", b"\xc2\x9d", b"\xc2\x90")
_COMMANDS = (0, 1, 2, 4, 7, 8, 9, 10, 11, 12, 22, 52, 99, 104, 110, 133, 633, 777, 1337, 7501)
_INSIDES = (b";?", b";x", b";;https://e.org/", b";1;#102030", b";A", b";4;1;50", b"$qm", b"+q544e", b"\xff\x00\x80", b"y" * 5000)
_ENDS = (b"\x07", b"\x1b\\", b"\xc2\x9c", b"\x18", b"\x1b", b"")


def _strings(chance: random.Random) -> bytes:
    """OSC, DCS, APC, PM and SOS of every kind, ended or not."""
    made = b""
    for _ in range(chance.randint(1, 10)):
        made += chance.choice(_BEGINNINGS) + b"%d" % chance.choice(_COMMANDS) + chance.choice(_INSIDES) + chance.choice(_ENDS)
    return made


def _widths(chance: random.Random) -> bytes:
    """Clusters, marks and what has no width, at the edges of rows."""
    made = []
    for _ in range(chance.randint(1, 60)):
        made.append(chance.choice((*_STRANGE, *_STRANGE, "a", "bc", "\x1b[999C", "\x1b[D", "\r", "\r\n", "\x1b[2P", "\x1b[2@", "\x1b[X")))
    return "".join(made).encode()


def _mutated(chance: random.Random) -> bytes:
    """What a program writes, with bytes changed, lost and doubled."""
    data = bytearray(_programs(chance))
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(len(data) + 1)
        data[at : at + chance.choice((0, 1, 1, 3))] = chance.choice((b"", chance.randbytes(1), bytes(data[at : at + 9]) * 2))
    return bytes(data)


_TABLE: tuple[tuple[Callable[[random.Random], bytes], int], ...] = (
    (_programs, 4),
    (_sequences, 4),
    (_noise, 2),
    (_controls, 3),
    (_csi, 3),
    (_strings, 3),
    (_widths, 3),
    (_mutated, 3),
)
_MAKERS = [maker for maker, _ in _TABLE]
_WEIGHTS = [weight for _, weight in _TABLE]

"""Streams that try to fill memory, and how much a mirror takes of it."""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from roostd.host.mirror.interface import Mirror

CHUNK = 4096
MOST = 32 << 20
"""Bytes that a mirror may have taken after any of them, history and whatever it remembers of styles included."""


def truecolor(chance: random.Random) -> Iterator[bytes]:
    """A look that was never there before, in every cell."""
    while True:
        yield b"".join(b"\x1b[38;2;%d;%d;%d;48;2;%d;%d;%dmx" % tuple(chance.randbytes(6)) for _ in range(100))


def links(chance: random.Random) -> Iterator[bytes]:
    """A link that was never there before, in every cell."""
    while True:
        yield b"".join(b"\x1b]8;;https://example.org/%s\x07x" % chance.randbytes(200).hex().encode() for _ in range(10))


def endless_string(introducer: bytes) -> Callable[[random.Random], Iterator[bytes]]:
    """A string that never ends."""

    def bomb(_: random.Random) -> Iterator[bytes]:
        yield introducer
        while True:
            yield b"x" * CHUNK

    return bomb


def marks(_: random.Random) -> Iterator[bytes]:
    """One cell with more and more on top of it, then the next."""
    while True:
        yield b"a" + "\u0301".encode() * 2000


def joiners(_: random.Random) -> Iterator[bytes]:
    """One emoji joined with the next for ever, with grapheme widths on."""
    yield b"\x1b[?2027h"
    while True:
        yield "👩\u200d".encode() * 500


def parameters(_: random.Random) -> Iterator[bytes]:
    """A sequence with more and more numbers, none of them small."""
    yield b"\x1b["
    while True:
        yield b"1000000000;" * 300


def repeats(_: random.Random) -> Iterator[bytes]:
    """Ten to the ninth of everything that can be counted."""
    while True:
        yield b"x" + b"".join(b"\x1b[1000000000%c" % final for final in b"@ABCDEFGILMPSTXZabde`") + b"\x1b[1000000000;1000000000H"


def titles(chance: random.Random) -> Iterator[bytes]:
    """Titles, pushed and never popped."""
    while True:
        yield b"\x1b]0;%s\x07\x1b[22t\x1b[>7u" % chance.randbytes(400).hex().encode()


def wide_history(chance: random.Random) -> Iterator[bytes]:
    """Rows that are as wide as the screen and full of colours, for ever."""
    while True:
        yield b"\x1b[38;5;%dm\x1b[4:3m%s\r\n" % (chance.randrange(256), "漢".encode() * 60)


BOMBS: dict[str, Callable[[random.Random], Iterator[bytes]]] = {
    "random truecolor": truecolor,
    "links": links,
    "endless OSC": endless_string(b"\x1b]0;"),
    "endless OSC 8": endless_string(b"\x1b]8;;"),
    "endless DCS": endless_string(b"\x1bP"),
    "endless APC": endless_string(b"\x1b_"),
    "combining marks": marks,
    "joiners": joiners,
    "parameters": parameters,
    "10^9": repeats,
    "titles": titles,
    "wide history": wide_history,
}


def growth(create: Callable[[int, int], Mirror], name: str, size: int) -> int:
    """Bytes by which this process has grown once a mirror of 120x40 has been fed with `size` bytes of a bomb."""
    gc.collect()
    before, mirror, fed = _resident(), create(120, 40), 0
    for data in BOMBS[name](random.Random(name)):
        mirror.feed(data)
        fed += len(data)
        if fed > size:
            break
    mirror.resize(80, 24)
    mirror.repaint(100)
    gc.collect()
    return _resident() - before


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

"""What programs write, by the megabyte: the streams of ROOST_TEST_DATA where it is set, else some of our own that resemble them."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

NAMES = {"plain": "plain", "sgr": "sgr", "ink": "ink", "ratatui": "ratatui", "unicode": "uni"}
"""Ours, and what the generator of the outside data calls them."""

_WORDS = (
    *("alpha", "beta", "gamma", "delta", "build", "test", "error", "warning"),
    *("path/to/file.c", "200", "12ms", "queue", "worker", "session"),
)
_CLUSTERS = ("漢字", "한국어", "日本", "👩‍💻", "✅", "⚠️", "🚀", "e\u0301", "naïve", "│├──", "…", "नि")


def files(folder: Path, megabytes: int) -> dict[str, Path]:
    """A file for each stream, at most so long."""
    data, size = os.environ.get("ROOST_TEST_DATA"), megabytes << 20
    given = Path(data) / "terminal" / "streams.py" if data else None
    made = _given(given, folder) if given and given.exists() else _own(folder, size)
    for path in made.values():
        os.truncate(path, min(size, path.stat().st_size))
    return made


def _given(generator: Path, folder: Path) -> dict[str, Path]:
    subprocess.run([sys.executable, str(generator), str(folder / "streams")], stdout=subprocess.DEVNULL, check=True)
    return {name: folder / "streams" / f"{theirs}.bin" for name, theirs in NAMES.items()}


def _own(folder: Path, size: int) -> dict[str, Path]:
    made = {}
    for name, maker in _MAKERS.items():
        chance, path, length = random.Random(name), folder / f"{name}.bin", 0
        with path.open("wb") as file:
            for piece in maker(chance):
                length += file.write(piece.encode())
                if length >= size:
                    break
        made[name] = path
    return made


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choices(_WORDS, k=count))


def _plain(chance: random.Random) -> Iterator[str]:
    while True:
        yield f"2026-01-01T{chance.randrange(10**6):06d}Z [info] {_words(chance, chance.randint(3, 16))}\r\n"


def _sgr(chance: random.Random) -> Iterator[str]:
    while True:
        parts = [f"\x1b[{chance.choice((31, 32, 33, 34, 35, 36, 90, 1))}m{_words(chance, 2)}\x1b[0m" for _ in range(5)]
        rgb = ";".join(str(chance.randrange(256)) for _ in range(3))
        yield " ".join(parts) + f" \x1b[38;2;{rgb}m{_words(chance, 1)}\x1b[39m\r\n"


def _ink(chance: random.Random) -> Iterator[str]:
    """A frame of some lines, erased line by line from below and written again."""
    yield "\x1b[?25l"
    while True:
        height = chance.randint(4, 12)
        lines = [f"\x1b[36m│\x1b[39m {_words(chance, 8)} \x1b[2m{_words(chance, 2)}\x1b[22m" for _ in range(height)]
        yield "\r\n".join(lines) + "\x1b[2K\x1b[1A" * (height - 1) + "\x1b[2K\x1b[G"
        if chance.random() < 0.2:
            yield f"{_words(chance, 10)}\r\n"


def _ratatui(chance: random.Random) -> Iterator[str]:
    """Synchronized frames of moves and short texts on the alternate screen."""
    yield "\x1b[?1049h\x1b[2J"
    while True:
        moves = [
            f"\x1b[{chance.randint(1, 40)};{chance.randint(1, 90)}H\x1b[38;5;{chance.randrange(256)}m{_words(chance, 3)[:28]}"
            for _ in range(chance.randint(3, 25))
        ]
        yield "\x1b[?2026h\x1b[?25l" + "".join(moves) + "\x1b[0m\x1b[39;4H\x1b[?25h\x1b[?2026l"


def _unicode(chance: random.Random) -> Iterator[str]:
    while True:
        line = " ".join(chance.choice((*_CLUSTERS, *_WORDS[:6])) for _ in range(chance.randint(4, 18)))
        yield (f"\x1b[3{chance.randrange(8)}m{line}\x1b[0m" if chance.random() < 0.3 else line) + "\r\n"


_MAKERS: dict[str, Callable[[random.Random], Iterator[str]]] = {
    "plain": _plain,
    "sgr": _sgr,
    "ink": _ink,
    "ratatui": _ratatui,
    "unicode": _unicode,
}

"""What a busy agent writes: thirty frames a second, some 50 KB/s: a spinner, a counter, text that streams and a screen around it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

RATE, FRAME_BYTES = 30, 1700
COLS, ROWS = 120, 40
TURNS = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_WORDS = "and then it reads the next file, finds what depends on it and says so in a row of its own "


def frames(seconds: float, size: int = FRAME_BYTES) -> Iterator[tuple[float, bytes]]:
    """(seconds after the beginning, bytes): each frame synchronized, its last rows redrawn, a new row of text every tenth one."""
    for n in range(int(seconds * RATE)):
        yield n / RATE, _frame(n, size)


def recording(path: Path, seconds: float, size: int) -> Path:
    """The same as a recording in JSON lines."""
    with path.open("w") as file:
        for at, data in frames(seconds, size):
            file.write(json.dumps({"t": round(at, 3), "o": base64.b64encode(data).decode()}) + "\n")
    return path


def _frame(n: int, size: int) -> bytes:
    begin = "\x1b[?2026h\x1b[?25l"
    if n % 10 == 0:
        begin += f"\x1b[{ROWS - 4};1H\x1b[J• {n} {_WORDS[: 40 + n % 40]}\r\n\r\n\r\n\r\n\r\n"
    bottom = f"\x1b[{ROWS - 3};1H\x1b[2K\x1b[36m{TURNS[n % 10]}\x1b[m Working ({n // RATE}s • esc to interrupt)"
    bottom += f"\x1b[{ROWS - 1};1H\x1b[2K› \x1b[2mAsk for anything\x1b[m"
    row = 0
    while len((begin + bottom).encode()) < size - 20:
        room = size - 20 - len((begin + bottom).encode())
        begin += f"\x1b[{1 + row % (ROWS - 6)};1H\x1b[3{row % 8}m{(_WORDS * 2)[row % 7 :][: min(110, room)]}"
        row += 1
    return f"{begin}\x1b[m{bottom}\x1b[?2026l".encode()

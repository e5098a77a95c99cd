"""A mirror that a flood does not wait for: plain and coloured text is kept until somebody looks, or something else comes.

While a program pours out text, nobody sees the screens in between. What has gathered when the next look comes is fed in one piece, and an
engine that is given much at once need not draw what has scrolled away again. A question, a bell or any other sequence is fed at once,
behind all that came before it: answers and events come in the same turn as ever.
"""

import re

from roostd.host.mirror.interface import Cell, Fed, Mirror
from roostd.host.mirror.modes import Modes

BULK = 1024
"""A program that writes less at once is no flood: its screen is drawn at once."""
MOST = 4 << 20
"""Bytes that are kept at most."""

_NOTHING = Fed((), ())

# Printed text, its line ends and its colours; and at the end what may still become such (a sequence or a character that is cut).
_PLAIN = re.compile(rb"(?>[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f\xc2]+|\xc2[^\x80-\x9f]|\x1b\[[0-9;:]*m)*(\xc2|\x1b(?:\[[0-9;:]{0,64})?)?")

# The last sequence of some bytes, if it is whole, and text behind it: then nothing is open. Any ESC ends what was open before.
_CLOSED = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\x9c]*\x07|[ -/]*[0-OQ-WYZ\\`-~])[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f\xc2]*")


class Lazy:
    """Implements `interface.Mirror` around an engine."""

    def __init__(self, engine: Mirror) -> None:
        self._engine = engine
        self._kept: list[bytes] = []
        self._size = 0
        self._cut: bytes | None = b""
        """How far the last sequence has come, if it is a colour; None after anything else."""

    def feed(self, data: bytes) -> Fed:
        plain = _PLAIN.fullmatch(self._cut + data) if self._cut is not None else None
        if plain and (self._kept or len(data) >= BULK):
            self._cut = plain[1] or b""
            self._kept.append(data)
            self._size += len(data)
            if self._size >= MOST:
                self._catch_up()
            return _NOTHING
        self._catch_up()
        self._cut = plain[1] or b"" if plain else _open(data)
        return self._engine.feed(data)

    def _catch_up(self) -> Mirror:
        if self._kept:
            kept, self._kept, self._size = b"".join(self._kept), [], 0
            self._engine.feed(kept)
        return self._engine

    # -- what plain text cannot change

    @property
    def cols(self) -> int:
        return self._engine.cols

    @property
    def rows(self) -> int:
        return self._engine.rows

    @property
    def engine(self) -> str:
        return self._engine.engine

    @property
    def title(self) -> str | None:
        return self._engine.title

    @property
    def modes(self) -> Modes:
        return self._engine.modes

    @property
    def focus_events(self) -> bool:
        return self._engine.focus_events

    # -- what it can

    @property
    def cursor(self) -> tuple[int, int]:
        return self._catch_up().cursor

    @property
    def history_size(self) -> int:
        return self._catch_up().history_size

    def resize(self, cols: int, rows: int) -> None:
        self._catch_up().resize(cols, rows)

    def text(self) -> list[str]:
        return self._catch_up().text()

    def history(self, limit: int) -> list[str]:
        return self._catch_up().history(limit)

    def cells(self) -> list[list[Cell]]:
        return self._catch_up().cells()

    def history_cells(self, limit: int) -> list[list[Cell]]:
        return self._catch_up().history_cells(limit)

    def ansi(self, history: int = 0) -> list[str]:
        return self._catch_up().ansi(history)

    def repaint(self, history: int = 0) -> bytes:
        return self._catch_up().repaint(history)

    def picture(self, cols: int, rows: int) -> bytes:
        return self._catch_up().picture(cols, rows)


def _open(data: bytes) -> bytes | None:
    """After bytes that were no plain text: nothing is open, or what is is not known."""
    last = data.rfind(b"\x1b")
    return b"" if last >= 0 and _CLOSED.fullmatch(data, last) else None

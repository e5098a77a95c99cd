"""A table that stays on the terminal and is redrawn in place: `roost ls --watch`."""

from __future__ import annotations

import os
import signal
import sys
import time

from roost.output import colours, terminal_size
from roost.table import clock, lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType
    from typing import Any

    Json = dict[str, Any]

ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l"
LEAVE = "\x1b[?7h\x1b[?25h\x1b[?1049l"


class Board:
    """The alternate screen for as long as the `with` block lasts; given back on every way out, signals too."""

    def __init__(self) -> None:
        self._jobs: Sequence[Json] | None = None

    def __enter__(self) -> Board:
        signal.signal(signal.SIGTERM, _end)
        signal.signal(signal.SIGHUP, _end)
        signal.signal(signal.SIGWINCH, self._resized)
        self._take()
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGWINCH, signal.SIG_DFL)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        self._write(LEAVE)

    def show(self, jobs: Sequence[Json]) -> None:
        """Draws these rows over the ones before: each line is erased behind its end, not before it is drawn, so that nothing flickers."""
        self._jobs = jobs
        columns, rows = terminal_size() or (80, 24)
        table = lines(jobs, clock(time.time()), columns, colours())
        if len(table) > rows:
            table = [*table[: rows - 1], f"and {len(table) - rows + 1} more"]
        self._write("\x1b[H" + "\r\n".join(f"{line}\x1b[K" for line in table) + "\x1b[J")

    def _resized(self, _number: int, _frame: FrameType | None) -> None:
        if self._jobs is not None:
            self.show(self._jobs)

    def _take(self) -> None:
        signal.signal(signal.SIGTSTP, self._suspended)
        self._write(ENTER)

    def _suspended(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-z: the shell gets its screen for as long as we are stopped."""
        self._write(LEAVE)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        self._take()
        self._resized(number, frame)

    def _write(self, text: str) -> None:
        """Past the buffer of `sys.stdout`, which a signal's handler may not enter while it is being written."""
        data = text.encode("utf-8", "replace")
        while data:
            data = data[os.write(sys.stdout.fileno(), data) :]


def _end(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)

"""What commands print: JSON lines, and text that is safe to show."""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def print_json(value: Any) -> None:
    """One JSON value on one line. All that is not ASCII is escaped, so that no terminal can be moved by it."""
    sys.stdout.write(json.dumps(value).replace("\x7f", "\\u007f") + "\n")
    sys.stdout.flush()


def print_line(text: str) -> None:
    """One line, out at once: whoever reads a pipe of ours may wait for it."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def warn(text: str) -> None:
    """One line for the person that is no answer."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def is_terminal(fd: int) -> bool:
    """Whether this descriptor is open and a terminal."""
    try:
        return os.isatty(fd)
    except OSError:
        return False


def terminal_size() -> tuple[int, int] | None:
    """Columns and rows of the terminal on stdout, stderr or stdin; none where there is none, or it does not say."""
    for fd in (1, 2, 0):
        try:
            cols, rows = os.get_terminal_size(fd)
        except OSError:
            continue
        if cols > 0 and rows > 0:
            return cols, rows
    return None


def colours() -> bool:
    """Whether stdout takes colours: a terminal, and nobody said NO_COLOR (no-color.org: any value that is not empty)."""
    return is_terminal(1) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

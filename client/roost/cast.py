"""Files that a recording is kept in: an asciicast (version 2), and the states beside it, each line on the disk as it comes."""

from __future__ import annotations

import codecs
import json
import os

from roost.failure import Failed
from roost_protocol.errors import EXIT_NOT_FOUND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STATES = ".states.jsonl"
"""What is put behind a recording's name for its states."""


def create(path: str, force: bool) -> int:
    """A new file that nobody else can read; its descriptor.

    Raises `Failed` for one that is there already, unless by `force`, and for one in a folder that is not there (3).
    """
    if force:
        try:
            os.unlink(path)  # noqa: PTH108
        except (FileNotFoundError, NotADirectoryError):
            pass
    try:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_APPEND, 0o600)
    except FileExistsError:
        raise Failed(f"{path} exists already; choose another name, or replace it with --force") from None
    except (FileNotFoundError, NotADirectoryError):
        raise Failed(f"{path}: there is no such folder to make it in", EXIT_NOT_FOUND) from None


class Lines:
    """One JSON value a line. A line is whole or, at worst, the last one that was cut off."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def write(self, value: Any) -> None:
        data = memoryview(json.dumps(value).encode() + b"\n")
        while data:
            data = data[os.write(self._fd, data) :]

    def close(self) -> None:
        os.close(self._fd)


class Cast:
    """What a terminal was sent; `t` is seconds since the beginning. What is not UTF-8 becomes U+FFFD: the format holds text."""

    def __init__(self, lines: Lines, size: tuple[int, int], title: str, began: float) -> None:
        self._lines = lines
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        header = {"version": 2, "width": size[0], "height": size[1], "timestamp": int(began), "title": title}
        lines.write({**header, "env": {"TERM": "xterm-256color"}})

    def output(self, t: float, data: bytes, final: bool = False) -> None:
        """A character that is cut in two is written once it is whole."""
        text = self._decoder.decode(data, final)
        if text:
            self._lines.write([round(t, 6), "o", text])

    def resize(self, t: float, cols: int, rows: int) -> None:
        self._lines.write([round(t, 6), "r", f"{cols}x{rows}"])

    def marker(self, t: float, text: str) -> None:
        self._lines.write([round(t, 6), "m", text])

    def close(self, t: float) -> None:
        self.output(t, b"", final=True)
        self._lines.close()

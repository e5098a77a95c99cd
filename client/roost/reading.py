"""What a person gives a command to read."""

from __future__ import annotations

import os
import sys

from roost.durations import parse
from roost.failure import Usage


def text_or_stdin(text: str) -> str:
    """`text`, or for `-` all of stdin without its last line's end. Raises `Usage` for what is not UTF-8."""
    if text != "-":
        return text
    if sys.stdin is None:
        raise Usage("stdin is closed: there is no text to read")
    try:
        read = sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        raise Usage(f"stdin is not UTF-8 (byte {error.start}): jobs take text only") from None
    return read.removesuffix("\n").removesuffix("\r")


def seconds(text: str) -> float:
    """What `--timeout` says, in seconds. Raises `Usage`."""
    try:
        return parse(text)
    except ValueError as error:
        raise Usage(f"--timeout: {error}") from None


def check_terminal_size(text: str) -> None:
    """Raises `Usage` where what `--size` says is no size of a terminal."""
    cols, x, rows = text.partition("x")
    if not (x and text.isascii() and all(part.isdecimal() and len(part) < 6 and 0 < int(part) <= 10_000 for part in (cols, rows))):
        raise Usage(f"--size: {text!r} is not COLSxROWS, as in 80x24 (1 to 10000 each)")


def working_folder(folder: str | None) -> str:
    """The absolute folder to run a job in. Raises `Usage` where there is none, or it cannot be named in UTF-8."""
    if folder == "":
        raise Usage("--cwd: name a folder; an empty name is none")
    try:
        path = os.path.abspath(folder or ".")  # noqa: PTH100
    except FileNotFoundError:
        raise Usage("the current folder has been removed; go to another one, or name one with --cwd") from None
    try:
        path.encode()
    except UnicodeEncodeError:
        raise Usage(f"the folder {os.fsencode(path)!r} is not UTF-8, which jobs cannot be given") from None
    return path

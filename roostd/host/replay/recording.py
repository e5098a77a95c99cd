"""Recordings of terminals, read step by step; what kind it is, its first bytes say. No more than a line or a block is in memory."""

from __future__ import annotations

import base64
import binascii
import io
import json
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NamedTuple

FIRST_LINE = 1 << 20
BLOCK = 65536
GZIP = b"\x1f\x8b"
OWN_SIZE = (100, 30)
"""Columns and rows that our own recordings begin with: they name sizes only where these change."""

SHAPES = '[seconds, "o", "text"] in an asciicast, {"t": seconds, "o": "base64"} in one of ours'

LARGEST = 10_000
BARE_SIZE = (80, 24)


class BrokenRecording(ValueError):
    """What is wrong with the file, and where."""


class Output(NamedTuple):
    """What the program wrote, `at` seconds after the beginning."""

    at: float
    data: bytes


class Input(NamedTuple):
    """What the program was sent: keys, and a terminal's answers."""

    at: float
    data: bytes


class Resize(NamedTuple):
    at: float
    cols: int
    rows: int


Step = Output | Input | Resize


class Recording(NamedTuple):
    """`kind` is `asciicast`, `roost` or `bytes`; `steps` can be gone through once, and raises BrokenRecording where it cannot go on."""

    kind: str
    cols: int
    rows: int
    steps: Iterator[Step]


def read(file: BinaryIO) -> Recording:
    """What a file, read from where it stands, holds. It may be gzipped. Raises BrokenRecording and OSError."""
    plain = _unzipped(file)
    first = _line(plain)
    value = _object(first)
    if value is not None and value.get("version") in (2, 3):
        cols, rows = _size_of_asciicast(value)
        return Recording("asciicast", cols, rows, _steps(plain, _of_asciicast(relative=value["version"] == 3), 2))
    if value is not None and "version" in value and "stdout" in value:
        raise BrokenRecording("this is an asciicast of version 1; make one of version 2 of it")
    if value is not None and "t" in value and value.keys() & {"o", "i", "w"}:
        return Recording("roost", *OWN_SIZE, _steps(io.BufferedReader(_Again(first, plain), BLOCK), _of_ours, 1))
    return Recording("bytes", *BARE_SIZE, _blocks(first, plain))


def size(text: str) -> tuple[int, int]:
    """`80x24` as columns and rows. Raises ValueError."""
    cols, _, rows = text.partition("x")
    if not (text.isascii() and cols.isdecimal() and rows.isdecimal() and len(text) < 12):
        raise ValueError(f"{text!r} is not COLSxROWS, as in 80x24")
    return _checked(int(cols), int(rows))


def _checked(cols: int, rows: int) -> tuple[int, int]:
    if not (isinstance(cols, int) and isinstance(rows, int) and 0 < cols <= LARGEST and 0 < rows <= LARGEST):
        raise ValueError(f"a terminal of {cols}x{rows} cannot be: both sizes are 1 to {LARGEST}")
    return cols, rows


def _unzipped(file: BinaryIO) -> io.BufferedIOBase:
    start = file.read(len(GZIP))
    again = io.BufferedReader(_Again(start, file), BLOCK)
    if start != GZIP:
        return again
    import gzip

    return gzip.GzipFile(fileobj=again)


class _Again(io.RawIOBase):
    """A file with some bytes, read from it before, put back."""

    def __init__(self, start: bytes, file: BinaryIO | io.BufferedIOBase) -> None:
        self._start = start
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data, self._start = self._start[: len(buffer)], self._start[len(buffer) :]
        if not data:
            data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _line(file: io.BufferedIOBase, limit: int = FIRST_LINE) -> bytes:
    return _taken(file.readline, limit)


def _taken(read: Callable[[int], bytes], most: int) -> bytes:
    try:
        return read(most)
    except (EOFError, ValueError, zlib.error) as error:
        raise BrokenRecording("what is gzipped here is broken or cut off") from error
    except OSError as error:
        if error.errno is None:  # gzip's own
            raise BrokenRecording("what is gzipped here is broken or cut off") from error
        raise


def _object(line: bytes) -> dict[str, Any] | None:
    """The JSON object on a line; None if it holds something else."""
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _blocks(first: bytes, file: io.BufferedIOBase) -> Iterator[Step]:
    if first:
        yield Output(0.0, first)
    while data := _taken(file.read, BLOCK):
        yield Output(0.0, data)


def _steps(file: io.BufferedIOBase, step: Callable[[Any], Step | None], number: int) -> Iterator[Step]:
    """The steps on the lines of a file. A last line that was cut off, as a recorder leaves it that was killed, is let go."""
    while line := _line(file, -1):
        if line.strip() and not line.lstrip().startswith(b"#"):
            try:
                found = step(json.loads(line))
            except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, binascii.Error) as error:
                if not line.endswith(b"\n"):
                    return
                raise BrokenRecording(f"line {number} is no step of a recording: {SHAPES}") from error
            if found is not None:
                yield found
        number += 1


def _of_ours(value: dict[str, Any]) -> Step | None:
    at = float(value["t"])
    if "o" in value:
        return Output(at, base64.b64decode(value["o"], validate=True))
    if "i" in value:
        return Input(at, base64.b64decode(value["i"], validate=True))
    if "w" in value:
        rows, cols = value["w"]
        return Resize(at, *_checked(cols, rows))
    return None


def _size_of_asciicast(header: dict[str, Any]) -> tuple[int, int]:
    try:
        if header["version"] == 3:
            return _checked(header["term"]["cols"], header["term"]["rows"])
        return _checked(header["width"], header["height"])
    except (KeyError, TypeError, ValueError) as error:
        raise BrokenRecording(f"line 1 names no size of the terminal: both are whole numbers from 1 to {LARGEST}") from error


def _of_asciicast(*, relative: bool) -> Callable[[list[Any]], Step | None]:
    """What makes a step of `[time, code, data]`; in version 3 the time is counted from the step before."""
    passed = 0.0

    def step(value: list[Any]) -> Step | None:
        nonlocal passed
        time, code, data = value
        passed = passed + float(time) if relative else float(time)
        if code == "o":
            return Output(passed, data.encode("utf-8", "replace"))
        if code == "i":
            return Input(passed, data.encode("utf-8", "replace"))
        if code == "r":
            return Resize(passed, *size(data))
        return None

    return step

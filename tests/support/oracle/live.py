"""An xterm that is there for a while, as a person's terminal is: it answers what it is asked."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.oracle.xterm import environ

SCRIPT = Path(__file__).with_name("live.cjs")


class Xterm:
    """`answers` is all that it has answered so far."""

    def __init__(self, cols: int, rows: int) -> None:
        argv = ["node", str(SCRIPT), str(cols), str(rows)]
        self._process = subprocess.Popen(argv, env=environ(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin
        assert self._process.stdout
        self._in, self._out = self._process.stdin, self._process.stdout.fileno()
        os.set_blocking(self._out, False)
        self.answers = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.communicate()

    def show(self, data: bytes) -> None:
        self._in.write(data)
        self._in.flush()

    def answered(self) -> bytes:
        """What it has answered since it was last asked."""
        try:
            answer = os.read(self._out, 65536)
        except BlockingIOError:
            return b""
        self.answers += answer
        return answer

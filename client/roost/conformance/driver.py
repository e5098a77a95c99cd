"""The driver: the process under test, which leads a session of its own. Its pipes are read and written by the edge."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import IO, Any, Final

from roost.conformance.broken import Broken
from roost.conformance.watch import Watch
from roost.failure import Usage

Json = dict[str, Any]
LONGEST: Final = 4096
"""Bytes of stderr that are kept, to say what went wrong."""
PAUSE: Final = 0.01
OURS: Final = frozenset({"ROOST_SOCKET", "ROOST_JOB_ID", "ROOST_JOB_TOKEN", "ROOST_AGENT_PID", "ROOST_AGENT_NESTED"})
NAMES: Final = OURS | {"PI_DAEMON_SOCK", "PI_JOB_ID", "PI_JOB_TOKEN"}
"""What a driver's environment has from the scenario alone."""


class Driver:
    """One process. `answers` are its lines that nobody has looked at yet."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str], watch: Watch) -> None:
        self._watch = watch
        self._partial = b""
        self.answers: deque[Json] = deque()
        self.out = bytearray()
        self.printed = b""
        self.ended = False
        """Whether its stdout has."""
        self.silent = False
        """Whether its stderr has."""
        try:
            self._process = subprocess.Popen(
                command,
                env=environ,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise Usage(f"{command[0]!r} cannot be started: {getattr(error, 'strerror', None) or error}") from error
        self.stdin, self.stdout, self.stderr = (_pipe(pipe) for pipe in (self._process.stdin, self._process.stdout, self._process.stderr))
        for pipe in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(pipe.fileno(), False)

    def say(self, command: Json) -> None:
        self.out += json.dumps(command).encode() + b"\n"

    def feed(self, data: bytes) -> None:
        """What came from its stdout; nothing is its end."""
        self.ended = not data
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in lines:
            self._watch.sees(line, "stdout")
            try:
                answer = json.loads(line)
            except (ValueError, RecursionError):
                answer = None
            if not isinstance(answer, dict):
                raise Broken(f"the driver's stdout is for answers, one JSON object a line, and had {line[:200]!r}")
            self.answers.append(answer)

    def complain(self, data: bytes) -> None:
        """What came from its stderr; nothing is its end."""
        self.silent = not data
        self._watch.sees(self.printed + data, "stderr")
        self.printed = (self.printed + data)[-LONGEST:]

    def status(self, within: float) -> int | None:
        """Its exit code (a signal's number below 0); None if it runs on. It stays a zombie, so that its group stays its own."""
        deadline = time.monotonic() + within
        while True:
            ended = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
            if ended is not None:
                return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
            if time.monotonic() > deadline:
                return None
            time.sleep(PAUSE)

    def kill(self) -> None:
        """Ends the process and all of its group."""
        if self._process.returncode is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        for pipe in (self.stdin, self.stdout, self.stderr):
            try:
                pipe.close()
            except OSError:
                pass  # What it did not read is nobody's now.


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe

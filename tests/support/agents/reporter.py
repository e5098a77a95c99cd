"""An agent that speaks the socket: reports and takes replies, and outlives any number of daemons.

    python reporter.py FILE REPORTS REPLIES EXIT_CODE

Appends to FILE, fsynced, a line for each reply acted on (`reply N TEXT`) and for each report acked (`acked SEQ`), so that the file is
there once a daemon has welcomed it. The last report is sent behind the last reply's ack: the daemon takes one message after the other,
and so that report's ack says that both are durable. Then it ends with EXIT_CODE.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import sys
import time
from typing import Any

RETRY = 0.02
"""Seconds between two attempts to reach a daemon that is away."""


class Reporter:
    def __init__(self, file: str, reports: int, replies: int) -> None:
        self._path = file
        self._reports = reports
        self._replies = replies
        self._epoch = os.urandom(8).hex()
        self._acked = 0
        self._had = 0
        self._sock: socket.socket | None = None
        self._buffer = b""

    def run(self) -> None:
        while self._acked < self._reports:
            with contextlib.suppress(OSError):
                self._connection()
            time.sleep(RETRY)

    def _connection(self) -> None:
        """One connection, from hello to the end of it or of the work."""
        with socket.socket(socket.AF_UNIX) as self._sock:
            self._sock.connect(os.environ["ROOST_SOCKET"])
            self._buffer = b""
            self._send(
                {
                    "type": "hello",
                    "protocol": 1,
                    "job": os.environ["ROOST_JOB_ID"],
                    "token": os.environ["ROOST_JOB_TOKEN"],
                    "epoch": self._epoch,
                    "agent": {"name": "reporter", "version": "1"},
                    "capabilities": ["report", "replies"],
                }
            )
            while self._acked < self._reports:
                for message in self._receive():
                    self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "hello":
            self._ack(message["last_seq"])
            if self._had:
                self._send({"type": "ack", "reply": self._had})
            self._report()
        elif kind == "ack":
            self._ack(message["seq"])
            self._report()
        elif kind == "reply":
            if message["n"] > self._had:
                self._had = message["n"]
                self._log(f"reply {message['n']} {message['text']}")
            self._send({"type": "ack", "reply": self._had})
            if self._had == self._replies and self._acked == self._reports - 1:
                self._report()

    def _ack(self, seq: int) -> None:
        while self._acked < seq:
            self._acked += 1
            self._log(f"acked {self._acked}")

    def _report(self) -> None:
        if self._acked < self._reports - (self._had < self._replies):
            seq = self._acked + 1
            self._send({"type": "report", "seq": seq, "state": "working", "status": f"step {seq}", "summary": f"report {seq}"})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._sock
        self._sock.sendall(json.dumps(message).encode() + b"\n")

    def _receive(self) -> list[dict[str, Any]]:
        assert self._sock
        select.select([self._sock], [], [])
        data = self._sock.recv(65536)
        if not data:
            raise ConnectionError("the daemon went away")
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        return [json.loads(line) for line in lines]

    def _log(self, line: str) -> None:
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(f"{line}\n")
            file.flush()
            os.fsync(file.fileno())
        print(line, flush=True)


if __name__ == "__main__":
    path, reports, replies, code = sys.argv[1:]
    Reporter(path, int(reports), int(replies)).run()
    sys.exit(int(code))

"""A live job, recorded: what it writes from its host, what state it is in from the daemon, each into its file."""

from __future__ import annotations

import os
import struct
import threading
import time

from roost.cast import STATES, Cast, Lines, create
from roost.connection import Daemon
from roost.failure import Failed
from roost.hosts import greet
from roost.stream import connect
from roost.version import VERSION
from roost.wording import full_label, label
from roost_protocol.errors import RoostError
from roost_protocol.frame import FrameReader
from roost_protocol.states import ENDED

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket as socket
    from typing import Any

    Json = dict[str, Any]

PROTOCOL = 1
OUTPUT, REPAINT, RESIZED, END = b"O", b"P", b"S", b"X"
_SIZE = struct.Struct(">HH")

LAST_STATE = 5.0
"""Seconds that the last state may take to come, once the job has ended."""


class Recording:
    """`run` until the job ends (True) or ctrl-c is pressed (False); `complaint` says why the states are not all there."""

    def __init__(self, daemon: Daemon, ref: str, path: str, force: bool) -> None:
        since = daemon.ask("daemon.status", timeout=30)["last_event"]
        target = daemon.ask("job.attach", {"job": ref}, timeout=30)
        self.job: Json = target["job"]
        if not target.get("socket"):
            why = f"has ended and writes nothing any more; `roost screen {label(self.job)}` shows its last screen"
            raise Failed(f"{full_label(self.job)} {why}")
        self.seconds = 0.0
        self.complaint = ""
        files = _create(path, force)
        try:
            self._host, answer, self._first = _reach(target["socket"], self.job)
        except BaseException:
            _discard(files)
            raise
        self._began, self._clock = time.time(), time.monotonic()
        self._states = Lines(files[path + STATES])
        size = (answer["cols"], answer["rows"])
        self._cast = Cast(Lines(files[path]), size, label(self.job), self._began)
        self._size = size
        self._painted = False
        self._thread = threading.Thread(target=self._follow, args=(since,), daemon=True)

    def run(self) -> bool:
        """Raises OSError where the file takes no more, `Failed` where the host is lost."""
        self._thread.start()
        try:
            self._host.settimeout(None)
            ended = self._record()
        except KeyboardInterrupt:
            return False
        finally:
            self.seconds = time.monotonic() - self._clock
            self._cast.close(self.seconds)
            self._host.close()
        if not ended:
            raise Failed(f"the host of {full_label(self.job)} is gone; what was recorded until then is kept")
        self._thread.join(LAST_STATE)
        return True

    def _record(self) -> bool:
        """Whether the job's end was heard."""
        frames = FrameReader()
        data = self._first
        while True:
            now = time.monotonic() - self._clock
            for kind, payload in frames.feed(data):
                if kind == END:
                    return True
                self._take(kind, payload, now)
            data = self._host.recv(262_144)
            if not data:
                return False

    def _take(self, kind: bytes, payload: bytes, now: float) -> None:
        if kind == OUTPUT:
            self._cast.output(now, payload)
        elif kind in (RESIZED, REPAINT):
            size = _SIZE.unpack_from(payload)
            if size != self._size:
                self._size = (size[0], size[1])
                self._cast.resize(now, *size)
            if kind == REPAINT:
                if self._painted:
                    self._cast.marker(now, "gap: more was written than could be recorded")
                self._painted = True
                self._cast.output(now, payload[_SIZE.size :])

    def _follow(self, since: int) -> None:
        """In a thread of its own, and over a connection of its own: neither stream waits for the other."""
        try:
            self._write(0.0, self.job["state"], self.job.get("evidence"))
            with Daemon(os.environ) as daemon:
                for event in daemon.follow("event.subscribe", {"since": since, "follow": True}):
                    if event["job"] == self.job["id"] and event["kind"] == "job.state":
                        self._write(max(0.0, event["at"] - self._began), event["data"]["to"], event["data"].get("evidence"))
                        if event["data"]["to"] in ENDED:
                            return
        except (Failed, RoostError) as error:
            self.complaint = error.message
        except OSError as error:
            self.complaint = str(error.strerror or error)

    def _write(self, t: float, state: str, evidence: Json | None) -> None:
        said = evidence or {}
        self._states.write({"t": round(t, 3), "state": state, "signal": said.get("signal"), "detail": said.get("detail")})


def _create(path: str, force: bool) -> dict[str, int]:
    """Both files, or none."""
    files: dict[str, int] = {}
    try:
        for name in (path, path + STATES):
            files[name] = create(name, force)
    except BaseException:
        _discard(files)
        raise
    return files


def _discard(files: dict[str, int]) -> None:
    for name, fd in files.items():
        os.close(fd)
        os.unlink(name)  # noqa: PTH108


def _reach(path: str, job: Json) -> tuple[socket.socket, Json, bytes]:
    hello = {"type": "attach", "protocol": PROTOCOL, "version": VERSION, "cols": 80, "rows": 24, "read_only": True, "records": True}
    host = connect(path)
    answer, first = greet(host, hello)
    if not answer.get("records"):
        host.close()
        raise Failed(f"the host of {full_label(job)} is of an older release and cannot be recorded")
    return host, answer, first

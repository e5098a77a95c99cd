"""Who records a job: gets every byte that it writes, as it writes it, and is no terminal: it has no size, and nobody looks by it.

Nothing waits for a recorder. One that reads too slowly loses what waits for it, and gets the whole screen anew once it has caught up.
"""

from __future__ import annotations

from functools import partial

from roost_protocol.frame import pack_frame
from roost_protocol.host import OUTPUT, REPAINT, RESIZED
from roostd.host.connection import Connection
from roostd.host.mirror.interface import Mirror
from roostd.host.terminal import QUEUE, SIZE

MOST = 8 * QUEUE
"""Bytes that may wait for a recorder: it has nothing to show in time, and each gap is a fault in what it keeps."""


class Recorders:
    """All of one job."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self._behind: dict[Connection, bool] = {}

    def add(self, connection: Connection) -> None:
        """From now on; the screen as it is comes first."""
        self._behind[connection] = False
        connection.on_end = partial(self._left, connection)
        connection.on_drained = partial(self._drained, connection)
        self._paint(connection)

    def output(self, data: bytes) -> None:
        """What the job wrote, questions and all."""
        if self._behind:
            self._tell(pack_frame(OUTPUT, data))

    def resized(self) -> None:
        """The mirror has another size."""
        if self._behind:
            self._tell(pack_frame(RESIZED, SIZE.pack(self._mirror.cols, self._mirror.rows)))

    def end(self, farewell: bytes) -> None:
        """The job has ended. Who is behind has the last screen before that."""
        for connection in list(self._behind):
            self._drained(connection)
            connection.send(farewell)
            connection.close_when_sent()

    @property
    def unsent(self) -> int:
        return sum(connection.queued for connection in self._behind)

    def _tell(self, frame: bytes) -> None:
        for connection, behind in list(self._behind.items()):
            if not behind:
                connection.send(frame)
                if connection.queued > MOST:
                    connection.drop_queue()
                    self._behind[connection] = True

    def _drained(self, connection: Connection) -> None:
        if self._behind.get(connection):
            self._behind[connection] = False
            self._paint(connection)

    def _paint(self, connection: Connection) -> None:
        connection.send(pack_frame(REPAINT, SIZE.pack(self._mirror.cols, self._mirror.rows) + self._mirror.repaint(0)))

    def _left(self, connection: Connection) -> None:
        self._behind.pop(connection, None)
        connection.close()

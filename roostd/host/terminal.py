"""One attached terminal, and where what it shows goes: over its connection in frames, straight to it if it was lent, or nowhere yet."""

from __future__ import annotations

import struct

from roost_protocol.frame import FrameReader, pack_frame
from roost_protocol.host import OUTPUT, REPAINT
from roostd.host.connection import Connection
from roostd.host.lent import Lent
from roostd.host.timers import Timer

QUEUE = 1024 * 1024
"""Bytes that may wait for a terminal; over this they are dropped and it is repainted."""

LATE = 0.25
LATE_QUEUE = 64 * 1024
"""Seconds that more bytes than these may wait for a terminal: what it shows then is old, and it is repainted as well."""

SIZE = struct.Struct(">HH")
"""Columns and rows, in frames."""


class Framed:
    """Shown by whoever is at the other end of the connection."""

    __slots__ = ("_connection", "drop_queue")

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.drop_queue = connection.drop_queue

    @property
    def queued(self) -> int:
        return self._connection.queued

    @property
    def gone(self) -> int:
        return self._connection.gone

    def show(self, data: bytes) -> None:
        if data:
            self._connection.send(pack_frame(OUTPUT, data))

    def paint(self, size: tuple[int, int], picture: bytes) -> None:
        self._connection.send(pack_frame(REPAINT, SIZE.pack(*size) + picture))


class Away:
    """Not lent yet, or taken back: nothing is shown, and nothing is missed since the whole screen comes first."""

    __slots__ = ()
    queued = gone = 0

    def show(self, data: bytes) -> None:
        """Nowhere."""

    def paint(self, size: tuple[int, int], picture: bytes) -> None:
        """Nowhere."""

    def drop_queue(self) -> None:
        """There is none."""


class Terminal:
    """One attached terminal."""

    __slots__ = ("behind", "colours", "connection", "farewell", "frames", "read_only", "screen", "size", "unseen", "watch")

    def __init__(self, connection: Connection, size: tuple[int, int], *, read_only: bool, lends: bool) -> None:
        self.connection = connection
        self.screen: Framed | Lent | Away = Away() if lends else Framed(connection)
        self.frames = FrameReader(QUEUE)
        self.size = size
        self.read_only = read_only
        self.behind = False
        """It has lost output and gets a picture once its queue is empty."""
        self.watch: Timer | None = None
        """Until it is known whether it shows what waits for it in time."""
        self.unseen = True
        """Nothing has been painted on it: the history comes before the first picture."""
        self.colours: dict[int, int] = {}
        """Its person's, as far as it told them, by the numbers of `mirror.colours`."""
        self.farewell: dict[str, object] | None = None
        """What is said to it once it has shown all; then it is parted from."""
        if lends:
            connection.expect_descriptor()

    def show_on(self, screen: Framed | Lent | Away) -> None:
        """From now on; nothing is written any more to what was lent before."""
        if isinstance(self.screen, Lent):
            self.screen.give_back()
        self.screen = screen

    def take_back(self) -> None:
        """Shows nothing any more, until it is lent again."""
        self.show_on(Away())
        self.connection.expect_descriptor()

    def forget(self, parting: bytes) -> None:
        """It is gone: one that was lent to us and not taken back is left as it was found, by `parting` and its will."""
        if isinstance(self.screen, Lent):
            self.screen.execute_will(parting)
        self.screen = Away()

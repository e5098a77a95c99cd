"""The loop between a terminal and a host that the test plays: what goes where, and that every buffer has a bound."""

from __future__ import annotations

import json
import os
import pty
import select
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from roost.attach import loop
from roost.attach.keys import parse
from roost.attach.loop import Loop, Outcome
from roost.attach.signals import Signals
from roost.attach.terminal import RESTORE, Terminal
from roost_protocol.frame import FrameReader, pack_frame
from tests.support.waiting import DEADLINE, eventually

SIZE = struct.pack(">HH", 80, 24)
ENDED = pack_frame(loop.ENDED, json.dumps({"exit_code": 0, "exit_signal": None}).encode())


class Scene:
    """A person's terminal (`master` is its other side), a host's socket, and the loop between them."""

    def __init__(self, stack: ExitStack) -> None:
        self.master, slave = pty.openpty()
        stack.callback(os.close, self.master)
        stack.callback(os.close, slave)
        self.host, ours = socket.socketpair()
        stack.callback(self.host.close)
        stack.callback(ours.close)
        self.host.settimeout(20)
        self._signals = stack.enter_context(Signals())
        self._terminal = stack.enter_context(Terminal(slave, slave))
        self._ours = ours

    def loop(self, first: bytes = b"", size: tuple[int, int] = (80, 24), *, lend: bool = False) -> Loop:
        given = self._terminal, self._signals, self._ours, parse("ctrl-\\")
        return Loop(*given, read_only=False, size=size, first=first, lend=lend, farewell="<detached>")

    def shown(self, end: bytes) -> bytes:
        """What came to the terminal, read until it ends with `end`, or nothing more comes."""
        shown = b""
        while not shown.endswith(end) and select.select([self.master], [], [], DEADLINE)[0]:
            shown += os.read(self.master, 1000)
        return shown

    def frames(self, count: int) -> list[tuple[bytes, bytes]]:
        """What the host was sent: so many frames."""
        reader, found = FrameReader(), list[tuple[bytes, bytes]]()
        while len(found) < count:
            found += reader.feed(self.host.recv(65536))
        return found


@pytest.fixture
def scene() -> Iterator[Scene]:
    with ExitStack() as stack:
        yield Scene(stack)


def test_a_size_that_changed_meanwhile_is_told_first(scene: Scene) -> None:
    scene.host.sendall(ENDED)
    assert scene.loop(size=(100, 30)).run().how == "ended"
    assert scene.frames(1) == [(loop.RESIZE, SIZE)]


def test_frames_behind_the_greeting_are_not_lost(scene: Scene) -> None:
    assert scene.loop(first=pack_frame(loop.OUTPUT, b"hi\n\n") + ENDED).run().how == "ended"
    assert scene.shown(b"hi\n\n") == b"hi\n\n"


def test_only_the_first_picture_pushes_the_screen_up(scene: Scene) -> None:
    picture = pack_frame(loop.REPAINT, SIZE + b"<picture>")
    assert scene.loop(first=picture + picture + ENDED).run().how == "ended"
    shown = scene.shown(b"<picture><picture>")
    assert shown.endswith(b"\r\n" * 24 + b"<picture><picture>")
    assert shown.count(b"\r\n") == 24


def test_what_is_typed_reaches_the_host_byte_for_byte(scene: Scene) -> None:
    typed = bytes(byte for byte in range(256) if byte != 0x1C)
    os.write(scene.master, typed)
    outcome: list[Outcome] = []
    thread = threading.Thread(target=lambda: outcome.append(scene.loop().run()))
    thread.start()
    got = b""
    while len(got) < len(typed):
        got += b"".join(payload for kind, payload in scene.frames(1) if kind == loop.INPUT)
    scene.host.sendall(ENDED)
    thread.join()
    assert (got, outcome[0].how) == (typed, "ended")


def test_a_host_that_closes_without_a_word_is_lost(scene: Scene) -> None:
    scene.host.close()
    assert scene.loop().run().how == "lost"


def test_a_host_that_sends_nonsense_is_lost(scene: Scene) -> None:
    scene.host.sendall(b"O\xff\xff\xff\xff")
    assert scene.loop().run().how == "lost"


def test_a_terminal_that_takes_nothing_stops_the_host_and_not_the_person(scene: Scene) -> None:
    loop_of_it = scene.loop()
    outcome: list[Outcome] = []
    thread = threading.Thread(target=lambda: outcome.append(loop_of_it.run()))
    thread.start()
    scene.host.settimeout(0)
    flood = pack_frame(loop.OUTPUT, b"y" * 65000)
    rest = bytearray()

    def stuck() -> bool:
        """Nobody has read any more for so long that both the loop's buffer and the socket's are full."""
        rest.extend(b"" if rest else flood)
        try:
            del rest[: scene.host.send(rest)]
        except BlockingIOError:
            return len(loop_of_it._unshown) >= loop.MOST_UNSHOWN
        return False

    eventually(stuck, "that the host is not read any more")
    assert len(loop_of_it._unshown) < loop.MOST_UNSHOWN + 2 * len(flood)
    os.write(scene.master, b"\x1c")
    thread.join()
    assert outcome[0].how == "detached"


def borrowed(scene: Scene) -> tuple[int, dict[str, Any]]:
    """What the host is lent, and with what will."""
    reader = FrameReader()
    data, (descriptor,), _, _ = socket.recv_fds(scene.host, 65536, 1)
    ((kind, payload),) = reader.feed(data)
    assert kind == loop.LEND
    return descriptor, json.loads(payload)


def test_the_host_is_lent_the_terminal_below_what_was_there(scene: Scene) -> None:
    outcome: list[Outcome] = []
    thread = threading.Thread(target=lambda: outcome.append(scene.loop(lend=True).run()))
    thread.start()
    descriptor, will = borrowed(scene)
    os.write(descriptor, b"<drawn by the host>")
    os.close(descriptor)
    os.write(scene.master, b"\x1c")
    assert scene.frames(1) == [(loop.RETURN, b"")]
    scene.host.sendall(pack_frame(loop.OUTPUT, b"late") + pack_frame(loop.RETURNED, b""))
    thread.join()
    assert outcome[0].how == "detached"
    leave = will["leave"].encode() + b"<detached>\r\n"
    assert scene.shown(leave).endswith(b"\r\n" * 24 + b"<drawn by the host>" + leave)
    assert will["leave"].encode().startswith(RESTORE)
    assert len(will["attributes"]) == 7


def test_a_host_that_keeps_the_terminal_does_not_keep_the_person(scene: Scene) -> None:
    outcome: list[Outcome] = []
    thread = threading.Thread(target=lambda: outcome.append(scene.loop(lend=True).run()))
    thread.start()
    descriptor, _ = borrowed(scene)
    os.write(scene.master, b"\x1c")
    thread.join()
    os.close(descriptor)
    assert outcome[0].how == "detached"


def test_a_host_that_ends_at_once_is_heard_though_it_takes_no_terminal(scene: Scene) -> None:
    scene.host.sendall(pack_frame(loop.REPAINT, SIZE + b"<picture>") + ENDED)
    scene.host.shutdown(socket.SHUT_RD)
    assert scene.loop(lend=True).run().how == "ended"
    assert scene.shown(b"<picture>").endswith(b"<picture>")


def test_a_host_that_takes_nothing_does_not_keep_the_person(scene: Scene) -> None:
    outcome: list[Outcome] = []
    loop_of_it = scene.loop()
    loop_of_it._unsent += b"x" * (loop.MOST_UNSENT // 2)
    thread = threading.Thread(target=lambda: outcome.append(loop_of_it.run()))
    thread.start()
    os.write(scene.master, b"\x1c")
    thread.join()
    assert outcome[0].how == "detached"

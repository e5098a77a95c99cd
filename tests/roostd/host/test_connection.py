import socket
from collections.abc import Iterator

import pytest

from roostd.host.connection import Connection
from roostd.host.loop import Loop


@pytest.fixture
def loop() -> Iterator[Loop]:
    made = Loop()
    yield made
    made.close()


@pytest.fixture
def peers() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    yield ours, theirs
    ours.close()
    theirs.close()


def run_until_end(loop: Loop, connection: Connection) -> None:
    connection.on_end = loop.stop
    loop.run()


def test_what_a_peer_said_before_it_left_is_read_though_it_hears_no_more(loop: Loop, peers: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = peers
    connection = Connection(loop, ours)
    heard: list[bytes] = []
    connection.on_data = heard.append
    theirs.send(b"last words")
    theirs.close()
    connection.send(b"are you there?")
    run_until_end(loop, connection)
    assert heard == [b"last words"]
    assert not connection.open


def test_what_the_peer_does_not_read_is_queued_and_sent_in_order(loop: Loop, peers: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = peers
    connection = Connection(loop, ours)
    pieces = [bytes([number]) * 50_000 for number in range(40)]
    for piece in pieces:
        connection.send(piece)
    assert connection.queued > 0
    got = bytearray()
    drained: list[bool] = []
    connection.on_drained = lambda: drained.append(True)
    theirs.setblocking(False)

    def read() -> None:
        got.extend(theirs.recv(65536))
        if len(got) == 2_000_000:
            loop.stop()

    loop.watch(theirs.fileno(), read)
    loop.run()
    assert bytes(got) == b"".join(pieces)
    assert drained
    assert connection.queued == 0
    loop.watch(theirs.fileno(), None)
    connection.close()


def test_a_dropped_queue_ends_at_the_end_of_a_message(loop: Loop, peers: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = peers
    connection = Connection(loop, ours)
    while not connection.queued:
        connection.send(b"[" + b"x" * 50_000 + b"]")
    connection.send(b"[dropped]")
    connection.drop_queue()
    connection.send(b"[kept]")
    connection.close_when_sent()
    got = bytearray()
    theirs.setblocking(False)

    def read() -> None:
        data = theirs.recv(65536)
        got.extend(data)
        if not data:
            loop.watch(theirs.fileno(), None)
            loop.stop()

    loop.watch(theirs.fileno(), read)
    loop.run()
    assert got.endswith(b"x][kept]")
    assert not connection.open


def test_a_paused_peer_waits(loop: Loop, peers: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = peers
    connection = Connection(loop, ours)
    heard: list[bytes] = []
    connection.on_data = heard.append
    connection.pause(True)
    theirs.send(b"x")
    loop.after(0.05, loop.stop)
    loop.run()
    assert heard == []
    connection.pause(False)
    assert connection.open
    connection.close()
    connection.close()

"""A whole host, run in the spawner itself before anything is forked from it.

Python writes into code when it runs for the first times (it specialises it, and fills caches). A page that a host writes is a page of its
own; one that was written here is shared by all of them.
"""

from __future__ import annotations

import os
import signal
import socket
from contextlib import suppress

import msgspec

from roost_protocol.host import PROTOCOL, AskEvidence, AskScreen, AttachHello, HostSpec, Link, StatusAck
from roostd.host.host import Host
from roostd.host.loop import Loop
from roostd.version import VERSION

TIMES = 10
"""The interpreter specialises a function after some eight calls."""

NOWHERE = "/nonexistent"
"""What a host keeps on disk is not rehearsed: a folder that is not there means that nobody wants it."""

SCRIPT = (
    "printf '\\033]0;title\\007\\033[?2004h\\033[1;32mroost\\033[0m \\303\\274\\r\\n'; i=0; "
    "while [ $i -lt 50 ]; do i=$((i+1)); echo some words of an agent, and then some more; done"
)
SPEC = HostSpec(
    job="rehearsal",
    dir=NOWHERE,
    socket=f"{NOWHERE}/socket",
    argv=["/bin/sh", "-c", SCRIPT],
    environ={"PATH": os.defpath},
    cwd="/",
)
DAEMON = (Link(PROTOCOL, VERSION), StatusAck(1), AskScreen(1), AskEvidence(2))
TERMINAL = (AttachHello(protocol=PROTOCOL, version=VERSION, cols=SPEC.cols, rows=SPEC.rows),)


def rehearse() -> None:
    """Where it cannot be done nothing is lost but memory. It leaves no descriptor and no process."""
    opened = _descriptors()
    try:
        for _ in range(TIMES):
            _once()
    except OSError:
        pass
    finally:
        signal.set_wakeup_fd(-1)
        for fd in _descriptors() - opened:
            with suppress(OSError):
                os.close(fd)


def _once() -> None:
    loop = Loop()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind("")  # an abstract name that the kernel chooses (unix(7), autobind); elsewhere an error
    listener.listen()
    host = Host(loop, SPEC, listener)
    peers = [_peer(listener, *said) for said in (DAEMON, TERMINAL)]
    host.start()
    loop.run()
    for peer in peers:
        peer.close()


def _peer(listener: socket.socket, *said: msgspec.Struct) -> socket.socket:
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    peer.connect(listener.getsockname())
    peer.sendall(b"".join(msgspec.json.encode(message) + b"\n" for message in said))
    return peer


def _descriptors() -> set[int]:
    return {int(name) for name in os.listdir("/dev/fd") if _is_open(int(name))}  # noqa: PTH208 (it lists itself, too)


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True

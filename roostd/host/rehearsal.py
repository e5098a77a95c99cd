"""A whole host, run in the spawner itself before anything is forked from it.

Python writes into code when it runs for the first times (it specialises it, and fills caches). A page that a host writes is a page of its
own; one that was written here is shared by all of them.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
from contextlib import suppress

import msgspec

from roost_protocol.host import PROTOCOL, AskEvidence, AskScreen, AttachHello, HostSpec, Link, Spawn, StatusAck
from roostd.host.main import run_host
from roostd.version import VERSION

TIMES = 10
"""The interpreter specialises a function after some eight calls."""

SCRIPT = (
    "printf '\\033]0;title\\007\\033[?2004h\\033[1;32mroost\\033[0m \\303\\274\\r\\n'; i=0; "
    "while [ $i -lt 50 ]; do i=$((i+1)); echo some words of an agent, and then some more; done"
)
DAEMON = (Link(PROTOCOL, VERSION), StatusAck(1), AskScreen(1), AskEvidence(2))
TERMINAL = (AttachHello(protocol=PROTOCOL, version=VERSION, cols=120, rows=40),)


def rehearse(folder: str) -> None:
    """In a folder of that name, made for it and removed. Where it cannot be done nothing is lost but memory. It leaves no descriptor and no
    process."""
    opened = _descriptors()
    try:
        for _ in range(TIMES):
            _once(folder)
    except OSError:
        pass
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        signal.set_wakeup_fd(-1)
        for fd in _descriptors() - opened:
            with suppress(OSError):
                os.close(fd)


def _once(folder: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder, 0o700)  # noqa: PTH102 (pathlib would cost each host pages of its own)
    peers: list[socket.socket] = []
    spec = _spec(folder)
    run_host(spec, lambda _: peers.extend(_peer(spec.socket, *said) for said in (DAEMON, TERMINAL)))
    for peer in peers:
        peer.close()


def _spec(folder: str) -> HostSpec:
    """As it comes from the daemon."""
    spec = HostSpec(
        job="rehearsal",
        dir=folder,
        socket=f"{folder}/socket",
        argv=["/bin/sh", "-c", SCRIPT],
        environ={"PATH": os.defpath},
        cwd="/",
    )
    return msgspec.json.decode(msgspec.json.encode(Spawn(spec)), type=Spawn).spec


def _peer(address: str, *said: msgspec.Struct) -> socket.socket:
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    peer.connect(address)
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

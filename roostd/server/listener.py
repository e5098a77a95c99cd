"""The doors: sockets that only this user can open, checked again when somebody comes."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import anyio
import structlog
from anyio.abc import TaskGroup

from roost_protocol.errors import RoostError
from roostd.peer import answers, is_ours

log = structlog.get_logger()

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Door:
    """One listening socket. `refusal` is the line that another user gets."""

    def __init__(self, path: Path, serve: Serve, refusal: bytes, tasks: TaskGroup) -> None:
        self.path = path
        self._serve = serve
        self._refusal = refusal
        self._tasks = tasks
        self._listening: socket.socket | None = None

    def open(self) -> None:
        """Listens from now on, in place of what a dead daemon left. RoostError `conflict` where anything else stands there."""
        self.close()
        if answers(str(self.path)):
            folder = self.path.parent
            raise RoostError("conflict", f"another daemon serves at {self.path}: set ROOST_RUNTIME_DIR to a directory other than {folder}")
        self._clear()
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listening.setblocking(False)
        before = os.umask(0o177)
        try:
            listening.bind(str(self.path))
        finally:
            os.umask(before)
        listening.listen(128)
        self._listening = listening
        asyncio.get_running_loop().add_reader(listening, self._accept, listening)

    def close(self) -> None:
        """Takes nobody in any more; who is in stays."""
        if self._listening is not None:
            asyncio.get_running_loop().remove_reader(self._listening)
            self._listening.close()
            self._listening = None

    def remove(self) -> None:
        """Closes for good."""
        self.close()
        self.path.unlink(missing_ok=True)

    def _clear(self) -> None:
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            what = "it is a directory" if self.path.is_dir() else str(error.strerror or error)
            remedy = f"remove it, or set ROOST_RUNTIME_DIR to a directory other than {self.path.parent}"
            raise RoostError("conflict", f"{self.path} stands where the daemon's socket is to be: {what}; {remedy}") from None

    def _accept(self, listening: socket.socket) -> None:
        try:
            connection, _ = listening.accept()
        except (BlockingIOError, ConnectionAbortedError, InterruptedError):
            return
        except OSError as error:
            # Out of descriptors: whoever waits is taken in once there are some, without spinning meanwhile.
            log.error("cannot take a connection", why=str(error))
            asyncio.get_running_loop().remove_reader(listening)
            self._tasks.start_soon(self._resume, listening)
            return
        connection.setblocking(False)
        if not is_ours(connection):
            with suppress(OSError):
                connection.send(self._refusal)
            connection.close()
            return
        self._tasks.start_soon(self._welcome, connection)

    async def _resume(self, listening: socket.socket) -> None:
        await anyio.sleep(0.5)
        if listening is self._listening:
            asyncio.get_running_loop().add_reader(listening, self._accept, listening)

    async def _welcome(self, connection: socket.socket) -> None:
        reader, writer = await asyncio.open_unix_connection(sock=connection)
        try:
            await self._serve(reader, writer)
        except ConnectionError:
            pass
        except Exception:
            log.error("a connection failed", exc_info=True)
        finally:
            writer.close()

"""Programs that are run to tell somebody something: given all they need at once, listened to for nothing, ended when they take too long."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

import anyio

from roostd.signal_names import signal_name

LIMIT: Final = 10.0
"""Seconds that such a program may take."""


async def run(argv: Sequence[str], said: bytes, environ: Mapping[str, str], within: float = LIMIT) -> str | None:
    """Runs a program with `said` on its stdin, no shell and no output. Returns why it failed; None if it did not.

    What takes longer than `within` seconds is killed, with all that it started in its session.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            env=environ,
            start_new_session=True,
        )
    except OSError as error:
        return f"it cannot be run: {error.strerror or error}"
    try:
        with anyio.move_on_after(within):
            await process.communicate(said)
            return _ending(process.returncode)
        return f"it took longer than {within:g} s and was killed"
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            with anyio.CancelScope(shield=True):
                await process.wait()


def _ending(code: int | None) -> str | None:
    if not code:
        return None
    return f"it exited with {code}" if code > 0 else f"it was ended by {signal_name(-code)}"

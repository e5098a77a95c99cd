"""Waiting for something to become true, up to a deadline. Prefer waiting on the event itself where there is one."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import TypeVar, overload

T = TypeVar("T")

# Generous, since it only costs time when a test fails anyway, and a loaded machine is no failure.
DEADLINE = 20.0
PAUSE = 0.01


def eventually(condition: Callable[[], T], what: str = "", within: float = DEADLINE) -> T:
    """Calls `condition` until it returns something true, and returns that.

    Raises AssertionError naming `what` and the last value after `within` seconds. An AssertionError of the condition
    itself counts as "not yet", so that a condition may be written with `assert`.
    """
    deadline = time.monotonic() + within
    while True:
        value, reason = _tried(condition)
        if value:
            return value  # type: ignore[return-value]
        if time.monotonic() > deadline:
            raise AssertionError(_message(what, within, reason))
        time.sleep(PAUSE)


@overload
async def eventually_async(condition: Callable[[], Awaitable[T]], what: str = ..., within: float = ...) -> T: ...
@overload
async def eventually_async(condition: Callable[[], T], what: str = ..., within: float = ...) -> T: ...
async def eventually_async(condition: Callable[[], object], what: str = "", within: float = DEADLINE) -> object:
    """The same for a test that runs in an event loop; the condition may be async."""
    deadline = time.monotonic() + within
    while True:
        value, reason = _tried(condition)
        if isawaitable(value):
            value = await value
            reason = f"last seen: {value!r}"
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(_message(what, within, reason))
        await asyncio.sleep(PAUSE)


def _tried(condition: Callable[[], object]) -> tuple[object, str]:
    try:
        value = condition()
    except AssertionError as error:
        return None, str(error)
    return value, f"last seen: {value!r}"


def _message(what: str, within: float, reason: str) -> str:
    return f"{what or 'the condition'} did not come true within {within:g} s; {reason}"

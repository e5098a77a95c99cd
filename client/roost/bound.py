"""The bound of a request, kept before it is sent: a daemon can only end the connection of a line that is too long."""

from __future__ import annotations

import json

from roost_protocol.errors import RoostError
from roost_protocol.frame import MAX_LINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SPARE = 64
"""Bytes by which the number and the time left of a request may still grow."""

PARTS = {
    "task": ("the task", "put it in a file, and let the task name the file"),
    "text": ("the text", "put it in a file, and let the reply name the file"),
    "args": ("the arguments", "put what is long in a file, and name the file"),
    "caller": ("the environment", "unset what is large in it (`env -u NAME roost ...`)"),
    "env": ("the --env options", "put what is long in a file, and name the file"),
}
"""Parameters of a request that people fill: what each is to them, and what to do about a large one."""


def check_size(message: dict[str, Any]) -> None:
    """Raises RoostError (`too_large`) with the size, the largest part, and what to do about it."""
    size = len(json.dumps(message))
    if size + SPARE <= MAX_LINE:
        return
    params = message["params"]
    largest = max(params, key=lambda name: len(json.dumps(params[name])))
    part, advice = PARTS.get(largest, (f"its {largest!r}", "ask for less at once"))
    tenths = -(-size * 10 // 2**20)  # Rounded up, so that it is never said to be the bound itself.
    raise RoostError("too_large", f"this request has {tenths / 10:.1f} MiB, most of it {part}; the bound is {MAX_LINE >> 20} MiB: {advice}")

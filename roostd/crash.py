"""Named places where the daemon kills itself when a test asks for it; in ordinary life they do nothing.

`ROOST_TEST_CRASH=NAME` kills at the first time the place is passed, `NAME:N` at the Nth.
"""

import os
import signal
from typing import Final, Literal

Place = Literal["accept", "commit", "ack", "spawn", "adopt", "end", "notify"]

VARIABLE: Final = "ROOST_TEST_CRASH"

_name, _, _nth = os.environ.get(VARIABLE, "").partition(":")
_left = int(_nth or 1)


def crash_point(place: Place) -> None:
    """SIGKILL to ourselves, if this place is the one that was asked for."""
    global _left
    if place != _name:
        return
    _left -= 1
    if _left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

"""What Linux offers and other systems may not: adopting orphans and naming a process."""

from __future__ import annotations

import ctypes
import sys

_SET_NAME, _SET_CHILD_SUBREAPER = 15, 36  # linux/prctl.h

_prctl = getattr(ctypes.CDLL(None, use_errno=True), "prctl", None) if sys.platform == "linux" else None


def adopt_orphans() -> bool:
    """Make this process the parent of whatever its descendants leave behind; False where the system has no such thing."""
    return _prctl is not None and _prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def set_name(name: str) -> None:
    """The name that `ps` and `top` show, at most 15 bytes."""
    if _prctl is not None:
        _prctl(_SET_NAME, name.encode()[:15], 0, 0, 0)

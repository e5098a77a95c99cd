"""Which engine a mirror has: "pyte", ours in pure Python, always there and the default; or "ghostty", libghostty-vt's.

A process that does not ask for the second loads nothing of it.
"""

import os
from functools import cache
from typing import Final

from roostd.host.mirror.interface import Mirror
from roostd.host.mirror.pyte_mirror import PyteMirror

DEFAULT: Final = "pyte"
ENGINES: Final = ("pyte", "ghostty")
VARIABLE: Final = "ROOST_MIRROR"


def create(cols: int, rows: int, engine: str | None = None) -> Mirror:
    """A mirror of this size, by `engine`, else by the one named in ROOST_MIRROR, else by "pyte".

    An engine that is not available (`why_not` says why) is replaced by "pyte": a job is not lost for it. `Mirror.engine`
    tells which it became. ValueError for a size that cannot be, and for an `engine` that is none.
    """
    if engine is not None and engine not in ENGINES:
        raise ValueError(f"there is no engine {engine!r}: known are {', '.join(ENGINES)}")
    wanted = engine or os.environ.get(VARIABLE) or DEFAULT
    if wanted == "ghostty" and why_not(wanted) is None:
        from roostd.host.mirror.ghostty_mirror import GhosttyMirror

        return GhosttyMirror(cols, rows)
    return PyteMirror(cols, rows)


def available() -> dict[str, str | None]:
    """Every engine, each with why it cannot be had, or None if it can."""
    return {engine: why_not(engine) for engine in ENGINES}


def missed(wanted: str, mirror: Mirror) -> str | None:
    """Why a mirror is not of the engine that was wanted; None if it is."""
    return None if mirror.engine == wanted else f"{wanted} cannot be had: {why_not(wanted)}"


@cache
def why_not(engine: str) -> str | None:
    """Why `engine` cannot be had; None if it can."""
    if engine == DEFAULT:
        return None
    if engine not in ENGINES:
        return f"there is no such engine: known are {', '.join(ENGINES)}"
    from roostd.host.mirror.ghostty_check import problem

    return problem()

"""A recording explained: asked of a process of its own, without a daemon, and shown as a timeline."""

from __future__ import annotations

import json

from roost.evidence import table
from roost.failure import Failed
from roost.replaying import complaint, run
from roost.width import clip, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    Json = dict[str, Any]

PUBLIC = ("t", "state", "signal", "detail")
"""What `--json` prints of a transition."""

INDENT = " " * 12


def explained(path: str, options: Sequence[str]) -> Iterator[Json]:
    """Each transition, as `roostd.host.replay.explain` prints it. Raises `Failed` with that program's exit code, and as `run` does."""
    done = run("roostd.host.replay.explain", [*options, "--", path], path)
    if done.returncode != 0:
        why, status = complaint(done)
        raise Failed(why or f"the replay ended with {done.returncode}", status)
    return map(json.loads, done.stdout.splitlines())


def lines(transition: Json, columns: int) -> list[str]:
    """When which state began, and below it the evidence, strongest first, the winner marked with `>`. No line is wider than `columns`."""
    head = f"{transition['t']:8.2f} s  {one_line(transition['state'])}: {one_line(transition['signal'])}, {one_line(transition['detail'])}"
    rows = table(transition["evidence"], transition["t"], columns - len(INDENT))
    return [clip(head, columns), *(clip(INDENT + row, columns) for row in rows)]

"""What the oracle and a mirror are asked. Pure."""

from __future__ import annotations

import base64
from typing import Any, NamedTuple

Step = bytes | tuple[int, int]
"""Bytes that the program writes, or a new size (columns, rows)."""

LOOK = "look"


class Case(NamedTuple):
    """A terminal's size, and what it meets; `looks` are the numbers of steps behind which it is looked at, besides the end."""

    name: str
    cols: int
    rows: int
    steps: list[Step]
    looks: frozenset[int] = frozenset()


def to_json(case: Case) -> dict[str, Any]:
    steps: list[object] = []
    for number, step in enumerate(case.steps):
        steps.append(base64.b64encode(step).decode() if isinstance(step, bytes) else list(step))
        if number in case.looks:
            steps.append(LOOK)
    return {"name": case.name, "cols": case.cols, "rows": case.rows, "steps": steps}


def from_json(value: dict[str, Any]) -> Case:
    steps: list[Step] = []
    looks = set()
    for step in value["steps"]:
        if step == LOOK:
            looks.add(len(steps) - 1)
        else:
            steps.append(base64.b64decode(step) if isinstance(step, str) else (step[0], step[1]))
    return Case(value["name"], value["cols"], value["rows"], steps, frozenset(looks))

"""A screen cell by cell, as `roost screen --json` prints it. Pure."""

from __future__ import annotations

from roost_protocol.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Json = dict[str, Any]


def as_json(screen: Json, lines: int) -> Json:
    """An answer to `job.screen` (`operator.Screen` with its `picture`) as one object: `lines` is how much history was asked for."""
    picture = screen.get("picture") or {}
    cells = expanded(picture) if picture else None
    first = len(screen["lines"]) - screen["rows"]
    history: Json = {"count": picture.get("history")}
    if lines:
        history |= {"rows": screen["lines"][:first], "cells": cells and cells[:first]}
    return {
        "job": screen.get("job"),
        "size": [screen["cols"], screen["rows"]],
        "rows": screen["lines"][first:],
        "cells": cells and cells[first:],
        "cursor": picture.get("cursor"),
        "modes": picture.get("modes"),
        "title": screen["title"],
        "engine": screen.get("engine"),
        "history": history,
    }


def expanded(picture: Json) -> list[list[Json]]:
    """`pictures.Picture` as one object for each cell: `text`, `width`, and what of its look is not default."""
    looks = picture["looks"]
    return [[cell for run in row for cell in _cells(run, looks)] for row in picture["cells"]]


def _cells(run: Sequence[Any], looks: Sequence[Json]) -> list[Json]:
    text, count, width, look = run
    return [{"text": printable(one), "width": width, **looks[look]} for one in ((text,) if count == 1 else text)]

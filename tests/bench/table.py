"""Rows as a table for people and as JSON values. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.bench.stats import Row

HEAD = ("what", "roost", "peer", "ratio", "reach", "", "peer is", "note")
LEFT = (0, 5, 6, 7)
"""The columns that hold words; numbers stand to the right."""


def table(rows: Sequence[Row]) -> str:
    """One line a row under a heading, columns two blanks apart."""
    lines = [HEAD, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    return "\n".join("  ".join(_pad(line, widths)).rstrip() for line in lines) + "\n"


def _pad(line: tuple[str, ...], widths: list[int]) -> list[str]:
    pairs = enumerate(zip(line, widths, strict=True))
    return [cell.ljust(width) if column in LEFT else cell.rjust(width) for column, (cell, width) in pairs]


def as_json(row: Row) -> dict[str, Any]:
    """The row with full precision; `reach` is null or `{"of", "at_most"}`."""
    reach = {"of": row.reach.of, "at_most": row.reach.at_most} if row.reach else None
    return {
        "what": row.what,
        "unit": row.unit,
        "roost": row.roost,
        "peer": row.peer,
        "peer_name": row.peer_name,
        "ratio": row.ratio,
        "reach": reach,
        "verdict": row.verdict,
        "note": row.note,
    }


def _cells(row: Row) -> tuple[str, ...]:
    ratio = "-" if row.ratio is None else f"{row.ratio:.2f} x"
    return (
        row.what,
        _number(row.roost, row.unit),
        _number(row.peer, row.unit),
        ratio,
        _reach(row),
        row.verdict,
        row.peer_name,
        row.note,
    )


def _reach(row: Row) -> str:
    if row.reach is None:
        return "-"
    return f"{row.reach.at_most:g} x" if row.reach.of == "ratio" else _number(row.reach.at_most, row.unit)


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    digits = f"{value:.0f}" if value >= 1000 or value == int(value) else f"{value:.4g}"
    return f"{digits} {unit}".rstrip()

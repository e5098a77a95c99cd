"""An explanation as lines for a person. Pure, and safe to show."""

from __future__ import annotations

from roost.durations import age
from roost.width import pad, width
from roost.wording import full_label, outcome
from roost_protocol.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Json = dict[str, Any]


def lines(explanation: Json, now: float) -> list[str]:
    """The job and its state; each piece of evidence, strongest first, the winner marked with `>`; what left the job's session."""
    job = explanation["job"]
    out = [f"{full_label(job)} is {outcome(job)}, since {age(now - job['since'])}"]
    rows = [_row(piece, now) for piece in explanation["evidence"]]
    widths = [max((width(row[i]) for row in rows), default=0) for i in range(4)]
    out += ["  ".join([*(pad(cell, size) for cell, size in zip(row, widths, strict=False)), row[-1]]).rstrip() for row in rows]
    if not rows:
        out.append("  there is no evidence yet")
    return out + [f"left its session and runs on: {printable(str(process))}" for process in explanation.get("left", [])]


def _row(piece: Json, now: float) -> tuple[str, str, str, str, str]:
    mark = ">" if piece.get("won") else " "
    at = piece.get("at")
    when = f"{age(now - at)} ago" if isinstance(at, int | float) else "-"
    return f"{mark} {_text(piece, 'signal')}", _text(piece, "says") or "-", when, _text(piece, "detail"), _text(piece, "why")


def _text(piece: Json, key: str) -> str:
    value = piece.get(key)
    return "" if value is None else printable(str(value))

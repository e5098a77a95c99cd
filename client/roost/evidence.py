"""An explanation as lines for a person. Pure, and safe to show."""

from __future__ import annotations

from roost.durations import age
from roost.width import clip, one_line, pad, width
from roost.wording import full_label, outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Json = dict[str, Any]

GAP = "  "
DETAIL = 3
"""Which column the details are."""
LEAST_DETAIL = 20
"""Columns of a detail that a reason behind it may not take away."""


def lines(explanation: Json, now: float, columns: int) -> list[str]:
    """The job and its state; each piece of evidence, strongest first, the winner marked with `>`; what left the job's session.

    No line is wider than `columns`: a long detail is cut first, so that the reason behind it is still seen.
    """
    job = explanation["job"]
    since = f", since {age(now - job['since'])}"
    out = [clip(f"{full_label(job)} is {outcome(job)}", columns - width(since)) + since]
    if job.get("stalled"):
        still = now - max(job["since"], job.get("last_change") or 0.0)
        out.append(f"  stalled: spinners and counters left out, nothing has changed for {age(still)}")
    out += table(explanation["evidence"], now, columns) or ["  there is no evidence yet"]
    out += [_part(part) for part in job.get("parts") or []]
    if explanation.get("not_engine"):
        out.append(f"  its terminal is mirrored by {one_line(str(explanation['engine']))}: {one_line(explanation['not_engine'])}")
    out += [f"left its session and runs on: {one_line(str(process))}" for process in explanation.get("left", [])]
    return [clip(line, columns) for line in out]


def _part(part: Json) -> str:
    """What a program of the job said of itself, as deep as it is below the others."""
    name = one_line(part["id"])
    depth = name.count("/") + 1 if name else 0
    said = [one_line(part["state"])]
    said += [one_line(part["waiting_for"])] if part.get("waiting_for") else []
    said += [f"{part['progress']} %"] if part.get("progress") is not None else []
    said += [one_line(part["app"])] if part.get("app") else []
    texts = ": ".join(one_line(part[key]) for key in ("title", "message") if part.get(key))
    return f"  part {'  ' * depth}{name or '.'}  {', '.join(said)}{GAP if texts else ''}{texts}"


def table(evidence: list[Json], now: float, columns: int) -> list[str]:
    """A line for each piece of evidence, as old as it is at `now`."""
    rows = [_row(piece, now) for piece in evidence]
    if not rows:
        return []
    widths = [max(width(row[i]) for row in rows) for i in range(5)]
    rest = sum(widths) - widths[DETAIL] + len(GAP) * (len(widths) - 1)
    widths[DETAIL] = min(widths[DETAIL], max(LEAST_DETAIL, columns - rest))
    return [GAP.join(pad(clip(cell, size), size) for cell, size in zip(row, widths, strict=True)).rstrip() for row in rows]


def _row(piece: Json, now: float) -> tuple[str, ...]:
    mark = ">" if piece.get("won") else " "
    at = piece.get("at")
    when = f"{age(now - at)} ago" if isinstance(at, int | float) else "-"
    return f"{mark} {_text(piece, 'signal')}", _text(piece, "says") or "-", when, _text(piece, "detail"), _text(piece, "why")


def _text(piece: Json, key: str) -> str:
    value = piece.get(key)
    return "" if value is None else one_line(str(value))

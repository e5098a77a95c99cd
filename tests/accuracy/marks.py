"""The truth of an agent that is watched live: what was done to it and what the scripted model did, as intervals. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tests.accuracy.judge import Interval


class Mark(NamedTuple):
    """Something that happened at a moment (Unix seconds). `what` is the scripted model's word, or one of `ready`,
    `sent`, `answered`, `gave_up` and `end`."""

    at: float
    what: str
    kind: str = ""


_LABELS: Final = {
    "ready": ("idle", "prompt"),
    # Between the sending of a task and the model's first word of it nobody knows when the agent took it.
    "sent": ("unknown", "sent"),
    "request": ("working", "turn"),
    "answered": ("working", "tool"),
    "tool_result_received": ("working", "turn"),
    "turn_complete": ("idle", "turn_complete"),
    "gave_up": ("idle", "error"),
    "end": ("exited", ""),
}


def intervals(marks: Sequence[Mark], began: float) -> list[Interval]:
    """What was true when, in seconds after `began`."""
    ordered = sorted(mark for mark in marks if mark.what in (*_LABELS, "tool_call_sent", "error_sent"))
    found, since, label = [], began, ("starting", "")
    for at, mark in enumerate(ordered):
        after = [later.what for later in ordered[at + 1 :]]
        now = _label(mark, after)
        if now != label:
            found.append(Interval(since - began, mark.at - began, *label))
            since, label = mark.at, now
    return found


def _label(mark: Mark, after: Sequence[str]) -> tuple[str, str]:
    """What is true from this mark on; what came after it says whether a tool was asked for, and whether an error was the last."""
    if mark.what == "tool_call_sent":
        asked = next((what for what in after if what in ("answered", "tool_result_received")), None) == "answered"
        return ("waiting", mark.kind) if asked else ("working", "tool")
    if mark.what == "error_sent":
        then = next((what for what in after if what in ("request", "gave_up", "sent", "end")), None)
        return {"request": ("working", "retry"), "gave_up": ("idle", "error")}.get(then or "", ("unknown", "error"))
    return _LABELS[mark.what]

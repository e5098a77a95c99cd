"""Which of the choices on offer a person means, and which kinds of reply a job can be sent. Pure."""

from __future__ import annotations

from typing import Final

from roost_protocol.errors import RoostError
from roost_protocol.jobs import Choice, Job, ReplyKind
from roostd.jobs.record import Record

_NEEDED: Final[dict[ReplyKind, str]] = {"steer": "steer", "follow_up": "steer", "set_model": "model-switch"}
"""The capability that a kind of reply takes. All others every agent takes."""


def chosen(job: Job, text: str) -> Choice:
    """By its id, its number from 1 or its label, else the one that begins so; case aside. RoostError `refused` where nothing is on
    offer, `not_found` or `ambiguous` else."""
    if not job.choices:
        raise RoostError("refused", f"{_name(job)} offers no choices; answer it in words, or look with `roost screen`")
    wanted = text.strip().casefold()
    by_id = [choice for choice in job.choices if choice.id.casefold() == wanted]
    if not by_id and wanted.isdecimal() and 0 < int(wanted) <= len(job.choices):
        return job.choices[int(wanted) - 1]
    words = [(choice, (choice.id.casefold(), choice.label.casefold())) for choice in job.choices]
    found = by_id or [choice for choice, known in words if wanted in known]
    found = found or [choice for choice, known in words if wanted and any(word.startswith(wanted) for word in known)]
    if len(found) == 1:
        return found[0]
    offered = ", ".join(f"{number} {choice.label}" for number, choice in enumerate(job.choices, 1))
    raise RoostError("ambiguous" if found else "not_found", f"{text!r} is not one of what {_name(job)} offers: {offered}")


def check_kind(record: Record, kind: ReplyKind) -> None:
    """RoostError `unsupported` for a kind that this job's agent did not announce to take."""
    needed = _NEEDED.get(kind)
    if needed is not None and not (record.takes_replies and needed in record.grants):
        name = _name(record.job)
        raise RoostError("unsupported", f"the agent of {name} did not announce {needed!r}; `roost reply {name} TEXT` reaches every agent")


def _name(job: Job) -> str:
    return job.name or job.id

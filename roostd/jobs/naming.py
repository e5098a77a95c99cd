"""Ids and names of jobs. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from roost_protocol.errors import RoostError
from roost_protocol.jobs import Job

MAX_NAME: Final = 64
_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")


def fit(wish: str) -> str:
    """A name made of what somebody called something: what a name may not have becomes a dash; `job` if nothing is left."""
    name = _UNFIT.sub("-", wish.rstrip("/").rpartition("/")[2]).strip("-._")
    return name[:MAX_NAME] or "job"


def free(wish: str, taken: Collection[str]) -> str:
    """`wish`, or `wish-2`, `wish-3` and so on: the first that nobody has."""
    if wish not in taken:
        return wish
    number = 2
    while (name := f"{wish[: MAX_NAME - len(str(number)) - 1]}-{number}") in taken:
        number += 1
    return name


def resolve(ref: str, jobs: Iterable[Job]) -> str:
    """The id that a person means: an exact id, else a name, else the only id that begins so.

    RoostError `not_found`, or `ambiguous` with the candidates.
    """
    rows = list(jobs)
    if any(job.id == ref for job in rows):
        return ref
    for job in rows:
        if job.name == ref:
            return job.id
    found = [job for job in rows if job.id.startswith(ref)]
    if len(found) == 1:
        return found[0].id
    if not found:
        raise unknown(ref)
    listed = ", ".join(f"{job.id} ({job.name or job.agent})" for job in found[:10])
    raise RoostError("ambiguous", f"{ref!r} fits {len(found)} jobs: {listed}")


def unknown(ref: str) -> RoostError:
    """The refusal of what no job is called; what is longer than any name is shown by its beginning."""
    shown = ref if len(ref) <= MAX_NAME else ref[: MAX_NAME - 1] + "…"
    return RoostError("not_found", f"no job {shown!r}; `roost ls -a` shows all there are")

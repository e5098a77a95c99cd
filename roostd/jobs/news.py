"""What there is to tell of a job, before it has a number."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

Kind = Literal["job.created", "job.state", "job.attention", "job.parts", "job.reply", "job.report", "job.renamed", "job.removed"]


class News(NamedTuple):
    """An event that has no number yet. `data` is JSON-able."""

    kind: Kind
    data: dict[str, Any]

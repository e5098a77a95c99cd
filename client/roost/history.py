"""An event as one line for a person. Pure, and safe to show."""

from __future__ import annotations

import time

from roost.width import one_line, pad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Json = dict[str, Any]

NAME_COLUMNS = 16
"""Enough for most names; a longer one moves its own line only."""
KIND_COLUMNS = len("job.attention")


class Names:
    """What jobs are called, as the events go by: begun with the rows there are, kept up by what is told of new names."""

    def __init__(self, jobs: Iterable[Json]) -> None:
        self._names: dict[Any, str | None] = {job["id"]: job.get("name") for job in jobs}

    def of(self, event: Json) -> str:
        """The name of the event's job once it has happened; a dash where none is known."""
        kind, data = event["kind"], event.get("data") or {}
        if kind == "job.created":
            self._names[event["job"]] = data.get("name")
            # The name has moved to the job that replaces another.
            self._names.pop(data.get("previous"), None)
        elif kind == "job.renamed":
            self._names[event["job"]] = data.get("to")
        return self._names.get(event["job"]) or "-"


def line_of(event: Json, name: str) -> str:
    """`SEQ  DATE TIME  ID  NAME  KIND  what`, in local time."""
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(event["at"]))
    said = one_line(_said(event["kind"], event.get("data") or {}))
    called = pad(one_line(name), NAME_COLUMNS)
    kind = pad(one_line(str(event["kind"])), KIND_COLUMNS)
    return f"{event['seq']:>6}  {when}  {one_line(str(event['job']))}  {called}  {kind}  {said}".rstrip()


def _said(kind: str, data: Json) -> str:
    if kind in ("job.state", "job.renamed"):
        moved = f"{data.get('from')} -> {data.get('to')}" if data.get("from") else str(data.get("to"))
        return ": ".join([moved, *(str(data[key]) for key in ("waiting_for", "question") if data.get(key))])
    if kind == "job.parts":
        return ", ".join(f"{part.get('id') or '.'} {part.get('state')}" for part in data.get("parts") or []) or "none"
    known = [(key, data.get(key)) for key in ("name", "agent", "state", "outcome", "text", "question", "previous", "why")]
    return ", ".join(f"{key} {value}" for key, value in known if value not in (None, ""))

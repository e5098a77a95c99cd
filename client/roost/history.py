"""An event as one line for a person. Pure, and safe to show."""

from __future__ import annotations

import time

from roost_protocol.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Json = dict[str, Any]


def line_of(event: Json) -> str:
    """`SEQ  DATE TIME  JOB  KIND  what`, in local time."""
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(event["at"]))
    said = " ".join(_said(event["kind"], event.get("data") or {}).split())
    return f"{event['seq']:>6}  {when}  {printable(str(event['job']))}  {printable(str(event['kind']))}  {printable(said)}".rstrip()


def _said(kind: str, data: Json) -> str:
    if kind == "job.state":
        moved = f"{data.get('from')} -> {data.get('to')}" if data.get("from") else str(data.get("to"))
        return ": ".join([moved, *(str(data[key]) for key in ("waiting_for", "question") if data.get(key))])
    known = [(key, data.get(key)) for key in ("name", "agent", "state", "outcome", "text", "question", "previous", "why")]
    return ", ".join(f"{key} {value}" for key, value in known if value not in (None, ""))

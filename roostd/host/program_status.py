"""OSC 7501, the program status protocol (revision 0.2), in simple form: flat records by id, and what they say together. Pure."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Final, Literal

from roost_protocol.states import WaitingFor
from roost_protocol.text import printable

ProgramState = Literal["idle", "working", "done", "blocked", "error", "clear"]

MAX_BYTES, MAX_KEYS, MAX_RECORDS, MAX_ID = 4096, 16, 256, 128
_MAX_TEXT: Final = {"title": (256, 192), "msg": (2732, 2048)}

_STATES: Final[dict[str, ProgramState]] = {
    "idle": "idle",
    "working": "working",
    "done": "done",
    "blocked": "blocked",
    "error": "error",
    "clear": "clear",
}
_KINDS: Final[dict[str, WaitingFor]] = {"permission": "approval", "question": "question", "auth": "login"}
_PAIR = re.compile(r"([a-z]+)=([A-Za-z0-9_.,+/=-]*)")
_ID = re.compile(r"[A-Za-z0-9_.+-]{1,32}(/[A-Za-z0-9_.+-]{1,32}){0,7}")
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class ProgramReport:
    """One accepted report: `id` is empty for the root."""

    id: str
    state: ProgramState
    kind: WaitingFor | None = None
    text: str | None = None


def parse(pairs: str) -> ProgramReport | None:
    """A report, or None if it breaks a limit, lacks a known state, or holds bad base64 or control characters."""
    parts = pairs.split(":")
    if len(pairs.encode("utf-8", "replace")) > MAX_BYTES or len(parts) > MAX_KEYS:
        return None
    values = {match[1]: match[2] for part in parts if (match := _PAIR.fullmatch(part))}
    state = _STATES.get(values.get("state", ""))
    name = values.get("id", "")
    if state is None or (name and (len(name) > MAX_ID or not _ID.fullmatch(name))):
        return None
    try:
        texts = {key: _text(key, values[key]) for key in ("msg", "title") if key in values}
    except ValueError:
        return None
    kind = _KINDS.get(values.get("kind", "")) if state == "blocked" else None
    return ProgramReport(name, state, kind, texts.get("msg") or texts.get("title"))


class ProgramRecords:
    """What the programs of a job said last, one record an id; over the bound the least recently updated goes."""

    __slots__ = ("_records",)

    def __init__(self) -> None:
        self._records: dict[str, ProgramReport] = {}

    def update(self, report: ProgramReport) -> None:
        if report.state == "clear":
            self._clear(report.id)
            return
        self._records.pop(report.id, None)
        self._records[report.id] = report
        if len(self._records) > MAX_RECORDS:
            del self._records[next(iter(self._records))]

    def drop_busy(self) -> None:
        """A shell's prompt came: who worked or was blocked has ended."""
        self._records = {name: report for name, report in self._records.items() if report.state not in ("working", "blocked")}

    def drop_all(self) -> None:
        self._records.clear()

    def together(self) -> ProgramReport | None:
        """The record that speaks for the job: the most urgent one, but while any works nothing says done."""
        order = ["blocked", "error", "working", "idle"]
        if not any(report.state == "working" for report in self._records.values()):
            order.insert(2, "done")
        for state in order:
            for report in reversed(self._records.values()):
                if report.state == state:
                    return report
        return None

    def _clear(self, name: str) -> None:
        under = f"{name}/"
        self._records = {known: report for known, report in self._records.items() if name and known != name and not known.startswith(under)}


def _text(key: str, encoded: str) -> str:
    most_encoded, most = _MAX_TEXT[key]
    if len(encoded) > most_encoded:
        raise ValueError(key)
    try:
        raw = base64.b64decode(encoded, validate=True)
    except binascii.Error as error:
        raise ValueError(key) from error
    text = raw.decode("utf-8")
    if len(raw) > most or _UNSAFE.search(text):
        raise ValueError(key)
    return printable(text)

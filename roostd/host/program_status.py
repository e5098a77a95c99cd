"""OSC 7501, the program status protocol (revision 0.2), the terminal's side: records by id, their lives, what they say together.

Pure.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from roost_protocol.jobs import Part
from roost_protocol.states import WaitingFor
from roost_protocol.text import printable

ProgramState = Literal["idle", "working", "done", "blocked", "error", "clear"]

MAX_BYTES, MAX_KEYS, MAX_RECORDS, MAX_ID = 4096, 16, 256, 128
MAX_SHOWN: Final = 160
"""Characters of a title or message that a job's row shows."""

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
_APP = re.compile(r"[A-Za-z0-9_.+-]{1,32}")
_PROGRESS = re.compile(r"0*(?:[0-9]{1,2}|100)")
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class ProgramReport:
    """One accepted report: `id` is empty for the root, `progress` 0 to 100. Its texts are fit to be shown, and nothing more."""

    id: str
    state: ProgramState
    kind: WaitingFor | None = None
    progress: int | None = None
    app: str | None = None
    title: str | None = None
    msg: str | None = None

    @property
    def text(self) -> str | None:
        """What it says, in words."""
        return self.msg or self.title


def parse(pairs: str) -> ProgramReport | None:
    """A report, or None if it breaks a limit, lacks a known state, has an id that is none, or holds bad base64 or control characters."""
    parts = pairs.split(":")
    if len(pairs.encode("utf-8", "replace")) > MAX_BYTES or len(parts) > MAX_KEYS:
        return None
    values = {match[1]: match[2] for part in parts if (match := _PAIR.fullmatch(part))}
    state = _STATES.get(values.get("state", ""))
    name = values.get("id")
    if state is None or (name is not None and (len(name) > MAX_ID or not _ID.fullmatch(name))):
        return None
    try:
        texts = {key: _text(key, values[key]) for key in _MAX_TEXT if key in values}
    except ValueError:
        return None
    return ProgramReport(
        id=name or "",
        state=state,
        kind=_KINDS.get(values.get("kind", "")) if state == "blocked" else None,
        progress=_progress(values.get("progress", "")) if state in ("working", "blocked") else None,
        app=app if _APP.fullmatch(app := values.get("app", "")) else None,
        title=texts.get("title") or None,
        msg=texts.get("msg") or None,
    )


class ProgramRecords:
    """What the programs of a job said last, one record an id; over the bound the least recently updated goes.

    `revision` grows whenever a record changes.
    """

    __slots__ = ("_records", "revision")

    def __init__(self) -> None:
        self._records: dict[str, ProgramReport] = {}
        self.revision = 0

    def update(self, report: ProgramReport) -> None:
        """A report replaces its record whole; a clear takes it, and all beneath it."""
        if report.state == "clear":
            self._clear(report.id)
            return
        before = self._records.pop(report.id, None)
        self._records[report.id] = report
        if len(self._records) > MAX_RECORDS:
            del self._records[next(iter(self._records))]
        if before != report:
            self.revision += 1

    def drop_busy(self) -> None:
        """A shell's prompt came, or the process has ended: whoever worked or was blocked has ended too."""
        self._keep(lambda report: report.state not in ("working", "blocked"))

    def drop_seen(self) -> None:
        """A person has looked: what is done, or failed, is no news any more."""
        self._keep(lambda report: report.state not in ("done", "error"))

    def drop_all(self) -> None:
        self._keep(lambda _: False)

    def together(self) -> ProgramReport | None:
        """The record that speaks for the job: the most urgent one; but while any works, nothing says that it is over."""
        working = any(report.state == "working" for report in self._records.values())
        for state in ("blocked", "working") if working else ("blocked", "error", "done", "idle"):
            for report in reversed(self._records.values()):
                if report.state == state:
                    return report
        return None

    def parts(self) -> list[Part]:
        """The tree, each record behind the one above it; an app that was not told is the nearest ancestor's. Long texts are cut."""
        found = []
        for name in sorted(self._records, key=lambda name: name.split("/")):
            report = self._records[name]
            if report.state != "clear":
                title, msg = (None if text is None else text[:MAX_SHOWN] for text in (report.title, report.msg))
                found.append(Part(name, report.state, report.kind, report.progress, self._app(report), title, msg))
        return found

    def _app(self, report: ProgramReport) -> str | None:
        name, app = report.id, report.app
        while app is None and name:
            name = name.rpartition("/")[0]
            above = self._records.get(name)
            app = above.app if above else None
        return app

    def _clear(self, name: str) -> None:
        self._keep(lambda report: bool(name) and report.id != name and not report.id.startswith(f"{name}/"))

    def _keep(self, wanted: Callable[[ProgramReport], bool]) -> None:
        kept = {name: report for name, report in self._records.items() if wanted(report)}
        if len(kept) != len(self._records):
            self._records = kept
            self.revision += 1


def _progress(value: str) -> int | None:
    return int(value) if _PROGRESS.fullmatch(value) else None


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

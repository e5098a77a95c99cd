"""Operating system commands that say something about the program: what event each of them is."""

import base64
import binascii
import re
from typing import Literal

from roost_protocol.text import printable
from roostd.host.mirror.events import MAX_TEXT, Event, Notification, ProgramStatus, Progress, PromptMark

MAX_LINK = 2_048
MAX_POINTER = 64
MAX_PENDING_NOTIFICATIONS = 8
_CONEMU = re.compile(r"\d{1,2}(;|$)")
_KINDS: tuple[Literal["A", "B", "C", "D"], ...] = ("A", "B", "C", "D")


def shown(text: str) -> str:
    """Untrusted text, safe and bounded."""
    return printable(text)[:MAX_TEXT]


def link(rest: str) -> str:
    """`params;uri` of OSC 8; "" where there is no URI, and for one that is too long or not printable."""
    params, _, uri = rest.partition(";")
    if not uri or len(rest) > MAX_LINK or not rest.isprintable():
        return ""
    return f"{params};{uri}"


def pointer(shape: str, rest: str) -> str:
    """The pointer's shape after OSC 22; "" for the usual one. Nobody knows what a stack (kitty) gives back, so what was set stays."""
    if rest[:1] in ("?", "<"):
        return shape
    return rest if len(rest) <= MAX_POINTER and rest.isprintable() else shape


def progress(rest: str) -> Progress | None:
    """`4;state;value` of OSC 9;4 (ConEmu)."""
    fields = rest.split(";")
    state = _small(fields[1]) if len(fields) > 1 else None
    value = _small(fields[2]) if len(fields) > 2 else None
    if state is None or state > 4:
        return None
    return Progress(state, None if value is None else min(value, 100))


def notification_9(rest: str) -> Notification | Progress | None:
    """OSC 9: a notification (iTerm2), progress, or another of ConEmu's numbered commands, which say nothing to us."""
    if rest == "4" or rest.startswith("4;"):
        return progress(rest)
    if _CONEMU.match(rest):
        return None
    return Notification(shown(rest), "OSC 9")


def notification_777(rest: str) -> Notification | None:
    """`notify;title;body` (urxvt)."""
    verb, _, text = rest.partition(";")
    if verb != "notify":
        return None
    title, _, body = text.partition(";")
    return Notification(shown(": ".join(part for part in (title, body) if part)), "OSC 777")


def attention_1337(rest: str) -> Notification | None:
    """iTerm2's `RequestAttention=yes|once|fireworks`."""
    key, _, value = rest.partition("=")
    return Notification("", "OSC 1337") if key == "RequestAttention" and value != "no" else None


def prompt_mark(rest: str) -> PromptMark | None:
    """OSC 133 (FinalTerm): `A`, `B`, `C`, or `D;exit code`, each with options that are not looked at."""
    fields = rest.split(";")
    for kind in _KINDS:
        if fields[0] == kind:
            code = _small(fields[1]) if kind == "D" and len(fields) > 1 else None
            return PromptMark(kind, code)
    return None


def program_status(rest: str) -> ProgramStatus:
    """OSC 7501: the pairs. Whoever understands them also judges them."""
    return ProgramStatus(rest)


def _small(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 5 else None


class KittyNotifications:
    """OSC 99, whose text may come in several pieces under one id (kitty's desktop notifications)."""

    def __init__(self) -> None:
        self._pending: dict[str, str] = {}

    def add(self, rest: str) -> Event | None:
        """One `metadata;payload`; the notification when it is complete."""
        metadata, _, payload = rest.partition(";")
        fields = dict(part.partition("=")[::2] for part in metadata.split(":") if part)
        if fields.get("p", "title") not in ("title", "body"):
            return None
        text = _decoded(payload) if fields.get("e") == "1" else payload
        name = fields.get("i", "")
        before = self._pending.pop(name, "")
        whole = f"{before}: {text}" if before and fields.get("p") == "body" else before + text
        if fields.get("d") == "0":
            self._hold(name, whole)
            return None
        return Notification(shown(whole), "OSC 99")

    def _hold(self, name: str, text: str) -> None:
        while len(self._pending) >= MAX_PENDING_NOTIFICATIONS:
            del self._pending[next(iter(self._pending))]
        self._pending[name] = text[:MAX_TEXT]


def _decoded(payload: str) -> str:
    try:
        return base64.b64decode(payload, validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return ""

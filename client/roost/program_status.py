"""A report as OSC 7501 (program status, revision 0.2), for the terminal that a program runs in. `sequence` is pure, `emit` writes."""

from __future__ import annotations

import base64
import os
import re

from roost.failure import Failed, Usage
from roost_protocol.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

STATES = {"working": "working", "waiting": "blocked", "idle": "idle", "done": "done", "error": "error", "clear": "clear"}
KINDS = {"approval": "permission", "question": "question", "choice": "question", "login": "auth"}
TITLE, MSG, ID = 192, 2048, 128
"""Bytes that they may have."""

_NAME = "[A-Za-z0-9_.+-]{1,32}"


def sequence(
    state: str, *, waiting_for: str | None, title: str | None, msg: str | None, progress: int | None, ids: Mapping[str, str | None]
) -> bytes:
    """The bytes. Texts become one line and are cut to what they may have; `ids` has `id` and `app`.

    Raises `Usage` for what cannot be said.
    """
    if progress is not None and state not in ("working", "waiting"):
        raise Usage(f"--progress goes with working and waiting, not with {state}")
    if progress is not None and not 0 <= progress <= 100:
        raise Usage(f"--progress: {progress} is not between 0 and 100")
    pairs = {"state": STATES[state], **_names(ids)}
    if waiting_for is not None and state == "waiting":
        pairs["kind"] = KINDS[waiting_for]
    if progress is not None:
        pairs["progress"] = str(progress)
    pairs |= {key: _coded(text, most) for key, text, most in (("title", title, TITLE), ("msg", msg, MSG)) if text}
    return f"\x1b]7501;{':'.join(f'{key}={value}' for key, value in pairs.items())}\x1b\\".encode("ascii")


def emit(data: bytes) -> None:
    """To the terminal of this process, wherever its output goes. Raises `Failed` where it has none."""
    try:
        terminal = os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY)
    except OSError as error:
        raise Failed(f"there is no terminal here to report to: /dev/tty: {error.strerror}") from error
    try:
        while data:
            data = data[os.write(terminal, data) :]
    except OSError as error:
        raise Failed(f"the terminal does not take the report: {error.strerror}") from error
    finally:
        os.close(terminal)


def _names(ids: Mapping[str, str | None]) -> dict[str, str]:
    levels = {"id": 8, "app": 1}
    for key, value in ids.items():
        if value is not None and not (len(value) <= ID and re.fullmatch(rf"{_NAME}(?:/{_NAME}){{0,{levels[key] - 1}}}", value)):
            form = "up to 8 names joined by /, 128 bytes in all" if key == "id" else "one name"
            raise Usage(f"--{key}: {value!r} is not {form}; a name is 1 to 32 of A-Z, a-z, 0-9, _ . + -")
    return {key: value for key, value in ids.items() if value is not None}


def _coded(text: str, most: int) -> str:
    cut = printable(text).encode("utf-8")[:most].decode("utf-8", "ignore")
    return base64.b64encode(cut.encode("utf-8")).decode("ascii")

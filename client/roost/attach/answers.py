"""What the person's terminal answers when it is asked for its colours. Pure: bytes go in, the bytes that were typed come out.

The job's programs ask for colours, and the job's mirror answers them: with those of the terminal that is attached, so they are asked for
here. The answers come between the keys; they are taken out of them, however late they come. A last question that every terminal
answers (DA1) tells that no more will come.
"""

from __future__ import annotations

import re

QUESTIONS = b"\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b]12;?\x1b\\\x1b[c"
NAMES = {b"10": "foreground", b"11": "background", b"12": "cursor"}

MUTE = ("", "dumb", "linux", "unknown")
"""TERM of terminals that know none of this, or would show the question."""

SPLIT = 0.1
"""Seconds for the rest of an answer that was cut in two on its way."""

_ANSWER = re.compile(rb"\x1b\](1[0-2]);rgba?:([0-9A-Fa-f/]{1,24})(?:\x07|\x1b\\)|\x1b\[\?[0-9;]{0,64}(c)")
_CUT = re.compile(rb"\x1b(?:\](?:1(?:[0-2](?:;[rgba:0-9A-Fa-f/]{0,30}\x1b?)?)?)?|\[(?:\?[0-9;]{0,64})?)?\Z")


class Answers:
    """`feed` and `expire` give what was typed. `colours` are those told so far, by `NAMES`, as 0xRRGGBB; `waiting` until all is told."""

    def __init__(self) -> None:
        self.waiting = True
        self.colours: dict[str, int] = {}
        self.deadline: float | None = None
        """When `expire` must be called, if nothing comes before."""
        self._held = b""

    def feed(self, data: bytes, now: float) -> bytes:
        """What came from the keyboard, in any chunking."""
        data, self._held, self.deadline = self._held + data, b"", None
        if b"\x1b" not in data:
            return data
        typed = _ANSWER.sub(self._take, data)
        cut = _CUT.search(typed) if self.waiting else None
        if cut:
            self._held = cut.group()
            self.deadline = now + SPLIT
            typed = typed[: cut.start()]
        return typed

    def expire(self) -> bytes:
        """It was no answer but a key: an ESC alone, mostly."""
        held, self._held, self.deadline = self._held, b"", None
        return held

    def _take(self, answer: re.Match[bytes]) -> bytes:
        if not self.waiting:
            return answer.group()
        if answer[3]:
            self.waiting = False
        elif (colour := _colour(answer[2])) is not None:
            self.colours[NAMES[answer[1]]] = colour
        return b""


def _colour(text: bytes) -> int | None:
    """`rgb:r/g/b`, each one to four hexadecimal digits (XParseColor), as 0xRRGGBB."""
    parts = text.split(b"/")[:3]
    if len(parts) != 3 or not all(1 <= len(part) <= 4 for part in parts):
        return None
    red, green, blue = (int(part, 16) * 255 // ((1 << 4 * len(part)) - 1) for part in parts)
    return (red << 16) + (green << 8) + blue

"""What the person's terminal answers when it is asked for its colours. Pure: bytes go in, the bytes that were typed come out.

The job's programs ask for colours, and the job's mirror answers them: with those of the terminal that is attached, so they are asked for
here; and what a job changes of them is as it was when the person leaves. The answers come between the keys; they are taken out of them,
however late they come. A last question that every terminal answers (DA1) tells that no more will come.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PALETTE = range(22)
"""Those of the palette that people change: ANSI's, and six more that base16's schemes have."""
LAST_QUESTION = b"\x1b[c"
QUESTIONS = b"\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b]12;?\x1b\\" + b"".join(b"\x1b]4;%d;?\x1b\\" % n for n in PALETTE) + LAST_QUESTION
NAMES = {b"10": "foreground", b"11": "background", b"12": "cursor"}

MUTE = ("", "dumb", "linux", "unknown")
"""TERM of terminals that know none of this, or would show the question."""

SPLIT = 0.1
"""Seconds for the rest of an answer that was cut in two on its way, and may be a key as well."""
REST = 5.0
"""The same for what is no key: nothing that is typed begins so."""

_ANSWER = re.compile(rb"\x1b\](1[0-2]|4;[0-9]{1,3});rgba?:([0-9A-Fa-f/]{1,24})(?:\x07|\x1b\\)|\x1b\[\?[0-9;]{0,64}(c)")
_CUT = re.compile(
    rb"\x1b(?:\](?:1(?:[0-2](?:;[rgba:0-9A-Fa-f/]{0,30}\x1b?)?)?|4(?:;[;rgba:0-9A-Fa-f/]{0,34}\x1b?)?)?|\[(?:\?[0-9;]{0,64})?)?\Z"
)
_NO_KEY = re.compile(rb"\x1b(?:\][0-9]+;|\[\?)")


class Answers:
    """`feed` and `expire` give what was typed. `colours` and `palette` are those told so far, as 0xRRGGBB; `waiting` until all is told.

    `asked` is when, in monotonic seconds.
    """

    def __init__(self, asked: float) -> None:
        self.asked = asked
        self.waiting = True
        self.colours: dict[str, int] = {}
        self.palette: dict[int, int] = {}
        self.deadline: float | None = None
        """When `expire` must be called, if nothing comes before."""
        self._held = b""

    def feed(self, data: bytes, now: float) -> bytes:
        """What came from the keyboard, in any chunking."""
        if self._held:
            data, self._held, self.deadline = self._held + data, b"", None
        if b"\x1b" not in data:
            return data
        typed = _ANSWER.sub(self._take, data)
        cut = _CUT.search(typed)
        if cut is None:
            return typed
        certain = _NO_KEY.match(cut.group()) is not None
        if not certain and not self.waiting:
            return typed
        self._held = cut.group()
        self.deadline = now + (REST if certain else SPLIT)
        return typed[: cut.start()]

    def expire(self) -> bytes:
        """It was no answer but a key: an ESC alone, mostly."""
        held, self._held, self.deadline = self._held, b"", None
        return held

    def ask_again(self, now: float) -> bytes:
        """What to ask so that everything that is under way has come before the answer."""
        self.asked, self.waiting = now, True
        return LAST_QUESTION

    def told(self) -> dict[str, Any]:
        """As the host is told of it (`roost_protocol.host.Colours`)."""
        return {**self.colours, "palette": self.palette}

    def as_they_were(self) -> bytes:
        """What sets all colours that were told."""
        numbers = {name: number.decode() for number, name in NAMES.items()}
        colours = {numbers[name]: colour for name, colour in self.colours.items()}
        colours |= {f"4;{index}": colour for index, colour in self.palette.items()}
        return "".join(f"\x1b]{what};#{colour:06x}\x1b\\" for what, colour in colours.items()).encode()

    def _take(self, answer: re.Match[bytes]) -> bytes:
        what, colour, last = answer.groups()
        if last:
            self.waiting = False
        elif (value := _colour(colour)) is not None:
            if what in NAMES:
                self.colours[NAMES[what]] = value
            else:
                self.palette[int(what[2:])] = value
        return b""


def _colour(text: bytes) -> int | None:
    """`rgb:r/g/b`, each one to four hexadecimal digits (XParseColor), as 0xRRGGBB."""
    parts = text.split(b"/")[:3]
    if len(parts) != 3 or not all(1 <= len(part) <= 4 for part in parts):
        return None
    red, green, blue = (int(part, 16) * 255 // ((1 << 4 * len(part)) - 1) for part in parts)
    return (red << 16) + (green << 8) + blue

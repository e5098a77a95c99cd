"""Whether what a person sees still changes. Pure: rows and times (monotonic seconds) in.

Two measures. *Life* is any change, a spinner or a counter included: a spinner that turns is work, even when nothing else moves. A
*change* is one of the content: spinners and digits left out. The cursor's row counts for neither: it is where people type.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

TYPING_GRACE = 1.0
REPAINT_GRACE = 1.0
"""Seconds after typing, a resize or an attach in which what changes is no progress."""

SPINNERS = "\u2800-\u28ff\u25d0-\u25d7\u2722-\u2748\u2b1d\u25a0-\u25a1\u2591-\u2593\u00b7\u2219\u25cf\u25cb\u25cc"
"""The characters that agents animate, as the inside of a character class: braille, half circles, stars, blocks, dots."""

_MAX_KNOWN = 128

_MOVING = re.compile(f"[{SPINNERS}0-9|/\\\\-]+")
_AROUND = re.compile(f"^[{SPINNERS}*\\s]+|[{SPINNERS}\\s]+$")


def without_spinner(text: str) -> str:
    """A title without the glyphs that an agent animates at either end."""
    return _AROUND.sub("", text)


class Settling:
    """`life` and `change` are when the content last did either; None before the first look."""

    __slots__ = ("_content", "_contents", "_exact", "_excused_until", "change", "life")

    def __init__(self) -> None:
        self._exact: int | None = None
        self._content: int | None = None
        self._contents: dict[str, int] = {}  # of rows seen lately; most of them are there again at the next look
        self._excused_until = float("-inf")
        self.life: float | None = None
        self.change: float | None = None

    def excuse(self, until: float) -> None:
        """What changes until then was caused from outside."""
        self._excused_until = max(self._excused_until, until)

    def no_excuse(self) -> None:
        """A submit: what changes from now on is the agent's."""
        self._excused_until = float("-inf")

    def look(self, rows: Sequence[str], cursor_row: int, now: float, *, busy: bool) -> None:
        """One look at the visible rows. While `busy` an excused change still keeps the work alive: it never starts any."""
        seen = list(filter(None, [*rows[:cursor_row], *rows[cursor_row + 1 :]]))
        exact = hash(tuple(seen))
        if exact == self._exact:
            return
        content = self._content_of(seen)
        first = self._exact is None
        if busy or first or now >= self._excused_until:
            self.life = now
            if content != self._content:
                self.change = now
        self._exact, self._content = exact, content

    def _content_of(self, rows: list[str]) -> int:
        """What stands for the rows without spinners and digits."""
        known = self._contents
        contents = list(map(known.get, rows))
        if None in contents and len(known) > _MAX_KNOWN:
            known.clear()
        while None in contents:
            number = contents.index(None)
            contents[number] = known[rows[number]] = hash(_MOVING.sub("", rows[number]))
        return hash(tuple(contents))

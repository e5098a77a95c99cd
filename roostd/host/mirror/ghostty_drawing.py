"""Text on its way to libghostty-vt, what was drawn last of it, and what the library does not know how to move."""

import re
from collections.abc import Iterator
from itertools import groupby

from roostd.host.mirror import modes
from roostd.host.mirror.ghostty_cells import GhosttyCells
from roostd.host.mirror.ghostty_vt import codepoint_width
from roostd.host.mirror.grid import MAX_REPEATED
from roostd.host.mirror.width import MAX_CELL_CHARACTERS, joins, width

_LAST_TEXT = re.compile(b"(?:^|[\x00-\x1a\x1c-\x1f\x7f]|\x1b\\[[?0-9;]*[@-~])([^\x00-\x1f\x7f]*)\\Z")
_UNDRAWN = re.compile("\x1b\\[[?0-9;]*[@-~]|[\x00-\x1f\x7f]")
_TAIL = 64  # bytes in which what was drawn last is looked for


class GhosttyDrawing(GhosttyCells):
    """`tail` is the end of what was drawn, `wide_before` whether its last character without autowrap was a wide one."""

    def __init__(self, columns: int, lines: int) -> None:
        self.tail = b""
        self.wide_before = False
        super().__init__(columns, lines)

    def takes(self, data: bytes) -> bool:
        """Whether the text in `data` may go to the library as it is. Grapheme clusters must be bounded first: the library's time
        for one grows with the square of its length. Without autowrap marks go another way (`_joined`), in origin mode moves to a column."""
        on = self.private
        if self.translation is not None or modes.ORIGIN in on:
            return False
        if (modes.GRAPHEMES not in on and modes.AUTOWRAP in on) or data.isascii():
            return True
        return modes.GRAPHEMES not in on and not any(map(_is_mark, set(data.decode("utf-8", "replace"))))

    def draw(self, text: str) -> None:
        if self.translation is not None:
            text = text.translate(self.translation)
        if modes.GRAPHEMES in self.private and not text.isascii():
            text = "".join(self._bounded(text))
        drawn = text.encode("utf-8", "replace")
        self._say_drawn(text)
        self.drawn(drawn)

    def _say_drawn(self, text: str) -> None:
        self.say(text if modes.AUTOWRAP in self.private else "".join(self._joined(text)))

    def drawn(self, data: bytes) -> None:
        """Remember the end of what was drawn, which may go on with what was drawn before."""
        self.tail = data[-_TAIL:] if len(data) >= _TAIL else (self.tail + data)[-_TAIL:]
        if modes.AUTOWRAP not in self.private:
            text = _UNDRAWN.sub("", data.decode("utf-8", "replace"))
            last = next((char for char in reversed(text) if not _is_mark(char)), None)
            self.wide_before = self.wide_before if last is None else codepoint_width(last) == 2

    def _joined(self, text: str) -> Iterator[str]:
        """`text` so that its marks join the last column where that was drawn just before: without autowrap the library joins them
        to the cell before it. That is right only behind a wide character, which found no place."""
        wide = self.wide_before
        for marks, run in groupby(text, _is_mark):
            drawn = "".join(run)
            yield f"\x1b[?7h{drawn}\x1b[?7l" if marks and not wide else drawn
            wide = wide if marks else codepoint_width(drawn[-1]) == 2

    def _bounded(self, text: str) -> Iterator[str]:
        """`text` without what would make a cluster longer than a cell of ours may be."""
        for char in text:
            if not self.cluster or not joins(self.cluster, char):
                self.cluster = char
            elif len(self.cluster) < MAX_CELL_CHARACTERS:
                self.cluster += char
            else:
                continue
            yield char

    @property
    def last_drawn(self) -> str | list[str]:
        """The character drawn just before, with what combines with it; "" if something else came after it."""
        found = _LAST_TEXT.search(self.tail)
        drawn = found[1].decode("utf-8", "replace") if found else ""
        marks = 0
        while marks < len(drawn) and not width(drawn[len(drawn) - 1 - marks]):
            marks += 1
        return drawn[-marks - 1 :]

    @last_drawn.setter
    def last_drawn(self, value: str | list[str]) -> None:
        self.tail = "".join(value).encode("utf-8", "replace")

    def forget_drawn(self) -> None:
        self.tail, self.cluster = b"", ""

    def repeat(self, count: int) -> None:
        self._say_drawn("".join(self.last_drawn) * min(count, MAX_REPEATED))

    def shift_columns(self, count: int, left: bool) -> None:
        self._shift_columns(0, count, left)

    def change_columns(self, count: int, delete: bool) -> None:
        self.locate()
        self._shift_columns(min(self.cursor.x, self.columns - 1), count, delete)

    def _shift_columns(self, x: int, count: int, left: bool) -> None:
        """SL, SR, DECIC and DECDC, which the library does not know, row by row."""
        self.locate()
        top, bottom = self.region
        if top <= self.cursor.y <= bottom:
            sequence = f"\x1b[{min(count, self.columns)}{'P' if left else '@'}"
            rows = "".join(f"\x1b[{y + 1};{x + 1}H{sequence}" for y in range(top, bottom + 1))
            self.say(f"\x1b7\x1b[?6l{rows}\x1b8")

    def alignment_display(self) -> None:
        self.margins = None
        origin = "\x1b[?6h" if modes.ORIGIN in self.private else ""
        self.say(f"\x1b#8{origin}\x1b[H")  # the library ends origin mode with it


def _is_mark(char: str) -> bool:
    """Whether it takes no column, by the library's own Unicode."""
    return char >= "\xa0" and not codepoint_width(char)

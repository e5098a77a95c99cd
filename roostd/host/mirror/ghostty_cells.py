"""A screen whose cells are in libghostty-vt: what the library is told, and what is read of it."""

import re

import pyte.modes as mo
from pyte.screens import Margins

from roostd.host.mirror.ghostty_history import GhosttyHistory, Normal
from roostd.host.mirror.ghostty_vt import Vt
from roostd.host.mirror.row import Row
from roostd.host.mirror.screen import Screen
from roostd.host.mirror.style import DEFAULT, Style, apply_sgr

_MOST_WAITING = 64 << 10  # bytes that a program wrote


class GhosttyCells(Screen):
    """`send` collects what the library is to hear, `flush` lets it."""

    def __init__(self, columns: int, lines: int) -> None:
        self.vt = Vt(columns, lines)
        self._out: list[bytes] = []
        self._waiting = 0
        self._rows: list[Row] | None = None
        self._behind = 0
        super().__init__(columns, lines, GhosttyHistory(self))

    def send(self, data: bytes) -> None:
        self._out.append(data)

    def bound(self, fed: int) -> None:
        """After so many bytes more: `flush` only now and then, because the library and Python are faster not turn by turn."""
        self._waiting += fed
        if self._waiting >= _MOST_WAITING:
            self.flush()

    def say(self, text: str) -> None:
        """`send` for what is put together here."""
        self._out.append(text.encode("utf-8", "replace"))

    def flush(self) -> None:
        if self._out:
            self.vt.write(self._out[0] if len(self._out) == 1 else b"".join(self._out))
            self._out.clear()
            self._waiting = 0
            self._rows = None

    def locate(self) -> None:
        """Bring `cursor` up to date."""
        self.flush()
        self.cursor.x, self.cursor.y = self.vt.place

    @property
    def rows(self) -> list[Row]:
        self.flush()
        if self._rows is None:
            self._rows = self.vt.rows()
        return self._rows

    @rows.setter
    def rows(self, rows: list[Row]) -> None:
        """Nothing to do: whoever replaces the rows tells the library in its own words."""

    @property
    def display(self) -> list[str]:
        self.flush()
        return self.vt.texts()

    @property
    def scrollback(self) -> int:
        """How many rows scrolled off the normal screen."""
        self.flush()
        return self._behind if self.alternate else self.vt.scrollback

    def load_normal(self) -> None:
        """Bring `normal_rows` up to date, if the alternate screen is in front of them."""
        if self.alternate:
            with self.normal() as vt:
                self.normal_rows = vt.rows()

    def normal(self) -> "Normal":
        """The terminal with its normal screen in front, for as long as it is looked at."""
        self.flush()
        return Normal(self.vt, self.alternate)

    def _go(self) -> None:
        """Put the library's cursor where ours is."""
        top = self.region[0] if mo.DECOM in self.mode else 0
        self.say(f"\x1b[{self.cursor.y - top + 1};{min(self.cursor.x, self.columns - 1) + 1}H")

    @property
    def style(self) -> Style:
        self.flush()
        style = DEFAULT
        for params in re.findall(r"\x1b\[([0-9;:]*)m", self.vt.pen().decode("utf-8", "replace")):
            style = apply_sgr(style, params)
        return style.linked(self._link)

    @style.setter
    def style(self, style: Style) -> None:
        self.say(style.sgr())
        self.set_link(style.link)

    def set_link(self, link: str) -> None:
        """OSC 8. The whole `params;uri` becomes the library's URI: that alone is what it tells of a cell."""
        self._link = link
        self.say(f"\x1b]8;;{link}\x1b\\")

    @property
    def margins(self) -> Margins | None:
        return self._margins

    @margins.setter
    def margins(self, margins: Margins | None) -> None:
        self._margins = margins
        region = "" if margins is None else f"{margins.top + 1};{margins.bottom + 1}"
        self.say(f"\x1b7\x1b[{region}r\x1b8")  # the library's saved cursor is used for nothing else

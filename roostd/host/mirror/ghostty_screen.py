"""The screen whose cells are in libghostty-vt, and what is done to it.

Everything a program can switch, save or ask for is kept by `screen.Screen` and answered by `terminal.Terminal`, the same
code as in the other engine; only cells, the cursor's place and the style to draw in are the library's. `GhosttyScreen.rows`
is a copy made when it is asked for, `cursor` is right after `locate`. What the library hears is our own canonical choice of sequences,
never what a program may have hidden in them: no query, no string but OSC 8, no mode that `Screen` does not know.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

import pyte.modes as mo
from pyte.screens import Margins

from roostd.host.mirror import modes, osc
from roostd.host.mirror.ghostty_vt import Vt
from roostd.host.mirror.grid import MAX_REPEATED
from roostd.host.mirror.history import MAX_ROWS, History, packed
from roostd.host.mirror.parser import numbers
from roostd.host.mirror.reflow import Line
from roostd.host.mirror.row import Row
from roostd.host.mirror.screen import Screen
from roostd.host.mirror.style import DEFAULT, Style, apply_sgr
from roostd.host.mirror.terminal import Terminal
from roostd.host.mirror.width import MAX_CELL_CHARACTERS, joins, width

# SGR that both understand alike, short.
_PLAIN_SGR = re.compile("(?:[0-35-79]?[0-9]|[4589][0-79]|1[0-9]{2})?(?:;(?:[0-35-79]?[0-9]|[4589][0-79]|1[0-9]{2})){0,8}")
_CONTROLS = {"\x84": "\x1bD", "\x85": "\x1bE", **{char: char for char in "\x08\x09\x0a\x0b\x0c\x0d"}}
_DRAWING = frozenset("@ABCDEFGHILMPXZ`adef")
_LAST_TEXT = re.compile(b"(?:^|[\x00-\x1a\x1c-\x1f\x7f]|\x1b\\[[?0-9;]*[@-~])([^\x00-\x1f\x7f]*)$")
TAIL = 64  # bytes in which what was drawn last is looked for


class GhosttyHistory(History):
    """What the library has scrolled off the normal screen."""

    def __init__(self, screen: "GhosttyScreen") -> None:
        super().__init__()
        self._screen = screen

    def __len__(self) -> int:
        return min(self._screen.scrollback, MAX_ROWS)

    def _each(self, limit: int) -> Iterator[Row]:
        """One after the other, so that they need not all be there at once."""
        limit = min(max(0, limit), MAX_ROWS)
        if limit:
            with self._screen.normal() as vt:
                yield from vt.history(limit)

    def rows(self, limit: int) -> list[Row]:
        return list(self._each(limit))

    def lines(self, limit: int = MAX_ROWS) -> list[Line]:
        return [packed(row) for row in self._each(limit)]

    def ansi(self, limit: int) -> list[str]:
        return [row.ansi() for row in self._each(limit)]

    def text(self, limit: int) -> list[str]:
        return [row.text() for row in self._each(limit)]


class GhosttyScreen(Screen):
    """`send` collects what the library is to hear, `flush` lets it."""

    def __init__(self, columns: int, lines: int) -> None:
        self.vt = Vt(columns, lines)
        self._out: list[bytes] = []
        self._rows: list[Row] | None = None
        self._behind = 0
        self.tail = b""
        super().__init__(columns, lines, GhosttyHistory(self))

    # -- to and from the library --------------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        self._out.append(data)

    def say(self, text: str) -> None:
        """`send` for what is put together here."""
        self._out.append(text.encode("utf-8", "replace"))

    def flush(self) -> None:
        if self._out:
            self.vt.write(self._out[0] if len(self._out) == 1 else b"".join(self._out))
            self._out.clear()
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

    def normal(self) -> "_Normal":
        """The terminal with its normal screen in front, for as long as it is looked at."""
        self.flush()
        return _Normal(self.vt, self.alternate)

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

    # -- what `Screen` keeps, and the library has to know -------------------------------------------------------------

    def reset(self) -> None:
        super().reset()
        self.say("\x1b[?47l\x1b[?6;45;2027l\x1b[?7h\x1b[4;20l\x1b[r\x1b[?5W\x1b[H\x1b[2J\x1b[3J")

    def soft_reset(self) -> None:
        self.locate()
        super().soft_reset()
        self.say("\x1b[?6;45l\x1b[?7h\x1b[4l")
        self._go()

    def save_cursor(self) -> None:
        self.locate()
        super().save_cursor()

    def restore_cursor(self) -> None:
        super().restore_cursor()
        self._go()

    def set_margins(self, top: int | None = None, bottom: int | None = None) -> None:
        first = max(1, top or 1) - 1
        last = min(bottom or self.lines, self.lines) - 1
        if first < last:
            self._margins = None if (first, last) == (0, self.lines - 1) else Margins(first, last)
            self.say(f"\x1b[{first + 1};{last + 1}r")

    def cursor_position(self, line: int | None = None, column: int | None = None) -> None:
        super().cursor_position(line, column)
        self._go()

    def set_private(self, mode: int, on: bool) -> None:
        super().set_private(mode, on)
        if mode in (modes.AUTOWRAP, modes.REVERSE_WRAP, modes.GRAPHEMES):
            self.say(f"\x1b[?{mode}{'h' if on else 'l'}")

    def set_ansi(self, mode: int, on: bool) -> None:
        super().set_ansi(mode, on)
        if mode in modes.ANSI:
            self.say(f"\x1b[{mode}{'h' if on else 'l'}")

    def _set_origin(self, on: bool) -> None:
        super()._set_origin(on)
        self.say("\x1b[?6h" if on else "\x1b[?6l")

    def _switch(self, mode: int, alternate: bool) -> None:
        if alternate and mode == 1049 and not self.alternate:
            self.save_cursor()
        if alternate and self.normal_rows is None:
            self.locate()
            self.normal_cursor = (self.cursor.x, self.cursor.y)
            self._behind = self.vt.scrollback
            self.normal_rows, self.alternate_by = [], mode
            self.margins, self.other_margins = None, self.margins
            self._turn("\x1b[?47h\x1b[2J")
        elif not alternate and self.normal_rows is not None:
            self.normal_rows, self.alternate_by = None, 0
            self._turn("\x1b[?47l")
            self.margins, self.other_margins = self.other_margins, None
        if not alternate and mode == 1049:
            self.restore_cursor()

    def _turn(self, switch: str) -> None:
        self.say(switch)
        self.set_link(self._link)

    def set_tab_stop(self) -> None:
        self.locate()
        super().set_tab_stop()
        self.say("\x1bH")

    def clear_tab_stop(self, how: int = 0) -> None:
        self.locate()
        super().clear_tab_stop(how)
        self.say(f"\x1b[{how}g" if how in (0, 3) else "")

    def _send_tab_stops(self) -> None:
        stops = "".join(f"\x1b[1;{x + 1}H\x1bH" for x in sorted(self.tabstops) if x < self.columns)
        self.say(f"\x1b7\x1b[?6l\x1b[3g{stops}\x1b8")

    def resize(self, lines: int | None = None, columns: int | None = None) -> None:
        """Take a new size: the library wraps the normal screen's lines anew and moves rows to and from the scrollback."""
        lines, columns = lines or self.lines, columns or self.columns
        if (lines, columns) == (self.lines, self.columns):
            return
        before = self.scrollback
        self._prepare(columns)
        self.vt.resize(columns, lines)
        if modes.AUTOWRAP not in self.private:
            self.say("\x1b[?7l")
        self.tabstops |= set(range((self.columns + 7) // 8 * 8, columns, 8))
        self.lines, self.columns, self._rows = lines, columns, None
        self.margins = self.other_margins = None
        self._send_tab_stops()
        with self.normal() as vt:
            self._behind = vt.scrollback
        saved = self.saved.get(False)
        if saved is not None:
            y = min(max(saved.y + before - self._behind, 0), lines - 1)
            self.saved[False] = replace(saved, x=min(saved.x, columns - 1), y=y)

    def _prepare(self, columns: int) -> None:
        """Before another width: the library wraps lines anew only with autowrap, and leaves halves of wide characters on the
        alternate screen, which it then cannot copy."""
        self.say("\x1b[?7h")
        if self.alternate:
            halved = [y for y, row in enumerate(self.rows) if row.cells[columns : columns + 1] == [""]]
            erased = "".join(f"\x1b[{y + 1};{columns}H\x1b[X" for y in halved)
            self.say(f"\x1b7\x1b[?6l\x1b[m{erased}\x1b8" if halved else "")
        self.flush()

    # -- drawing ------------------------------------------------------------------------------------------------------

    def takes(self, data: bytes) -> bool:
        """Whether the text in `data` may go to the library as it is. Grapheme clusters must be bounded first: the library's time
        for one grows with the square of its length."""
        return self.translation is None and (modes.GRAPHEMES not in self.private or data.isascii())

    def draw(self, text: str) -> None:
        if self.translation is not None:
            text = text.translate(self.translation)
        if modes.GRAPHEMES in self.private and not text.isascii():
            text = "".join(self._bounded(text))
        drawn = text.encode("utf-8", "replace")
        self.send(drawn)
        self.tail = drawn[-TAIL:]

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
        drawn = found[1].decode("utf-8", "ignore") if found else ""
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
        self.say("".join(self.last_drawn) * min(count, MAX_REPEATED))

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
        self.say("\x1b#8\x1b[H")


class _Normal:
    """A terminal as it is, or a copy of it with the normal screen in front. Only if the library cannot copy it, the original turns
    for a moment, and the normal screen's cursor is not kept."""

    def __init__(self, vt: Vt, alternate: bool) -> None:
        self._alternate, self._original = alternate, vt
        self._vt = (vt.copy() or vt) if alternate else vt

    def __enter__(self) -> Vt:
        if self._alternate:
            self._vt.write(b"\x1b[?47l")
        return self._vt

    def __exit__(self, *_: object) -> None:
        if self._vt is not self._original:
            self._vt.close()
        elif self._alternate:
            self._vt.write(b"\x1b[?47h")


class GhosttyTerminal(Terminal):
    """Acts on a `GhosttyScreen`: what draws goes to the library, all else is done as for any screen."""

    screen: GhosttyScreen

    def control(self, char: str) -> None:
        drawn = _CONTROLS.get(char)
        if drawn is None:
            super().control(char)
        else:
            self.screen.say(drawn)
        self.screen.forget_drawn()

    def escape(self, sequence: str) -> None:
        if sequence in ("D", "E", "M"):
            self.screen.say(f"\x1b{sequence}")
            self.screen.forget_drawn()
        else:
            super().escape(sequence)

    def csi(self, kind: str, params: str) -> None:
        screen = self.screen
        if kind == "m":
            self._select(params)
        elif kind in _DRAWING:
            values = numbers(params)[: 2 if kind in "Hf" else 1]  # the library ignores a sequence with more than it needs
            screen.say(f"\x1b[{';'.join(map(str, values))}{kind}")
        elif kind in ("J", "K", "?J", "?K"):
            self._erase(kind, (numbers(params) or (0,))[0])
        elif kind in ("S", "T"):
            self._scroll(kind, numbers(params))
        else:
            super().csi(kind, params)
        screen.forget_drawn()

    def _select(self, params: str) -> None:
        if _PLAIN_SGR.fullmatch(params):
            self.screen.say(f"\x1b[{params}m")
        else:
            self.screen.style = apply_sgr(self.screen.style, params)

    def _erase(self, kind: str, how: int) -> None:
        if how <= (3 if kind[-1] == "J" else 2):
            self.screen.say(f"\x1b[{kind[:-1]}{how}{kind[-1]}")

    def protect(self, how: int) -> None:
        """DECSCA; what is protected the library keeps to itself."""
        self.screen.say(f'\x1b[{how}"q')

    def _scroll(self, final: str, values: tuple[int, ...]) -> None:
        """SU and SD; what leaves the top by SU is lost, and so rows are deleted there instead."""
        screen = self.screen
        count = (values[0] if values else 0) or 1
        if final == "T" and len(values) >= 5:
            return
        top = screen.region[0]
        verb = "M" if final == "S" else "L"
        screen.say(f"\x1b7\x1b[?6l\x1b[m\x1b[{top + 1};1H\x1b[{count}{verb}\x1b8")

    def osc(self, payload: str, terminator: str) -> None:
        if payload.startswith("8;") and payload.count(";") > 1:
            self.screen.set_link(osc.link(payload[2:]))
            self.screen.forget_drawn()
        else:
            super().osc(payload, terminator)

    def _answer_status(self, which: int, private: bool) -> None:
        self.screen.locate()
        super()._answer_status(which, private)

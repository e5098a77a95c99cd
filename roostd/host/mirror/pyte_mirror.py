"""The engine in pure Python, always there: pyte's screen behind our parser."""

from collections.abc import Mapping
from typing import Protocol

from roostd.host.mirror import flood, modes, parting, replies
from roostd.host.mirror.history import History
from roostd.host.mirror.interface import Cell, Fed
from roostd.host.mirror.modes import Modes
from roostd.host.mirror.repaint import picture, repaint
from roostd.host.mirror.row import Row
from roostd.host.mirror.screen import Screen
from roostd.host.mirror.stream import Stream
from roostd.host.mirror.style import DEFAULT
from roostd.host.mirror.terminal import Terminal
from roostd.host.mirror.undrawn import Undrawn

_NOTHING = Fed((), ())


class Intake(Protocol):
    """The way of bytes into a terminal."""

    @property
    def between(self) -> bool: ...

    def feed(self, data: bytes) -> None: ...


class PyteMirror:
    """Implements `interface.Mirror`; `screen` has the cells. ValueError for a size below 1 by 1."""

    def __init__(self, cols: int, rows: int) -> None:
        _check_size(cols, rows)
        self._screen = Screen(cols, rows, History())
        self._terminal = Terminal(self._screen)
        self._keep_nothing(Stream(self._terminal))

    def _keep_nothing(self, stream: Intake) -> None:
        self._stream = stream
        self._kept = bytearray()
        self._cut = b""
        self._undrawn: Undrawn | None = None

    @property
    def screen(self) -> Screen:
        """The cells, everything drawn."""
        if self._kept:
            self._draw_kept()
        return self._screen

    @property
    def cols(self) -> int:
        return self._screen.columns

    @property
    def rows(self) -> int:
        return self._screen.lines

    @property
    def engine(self) -> str:
        return "pyte"

    @property
    def title(self) -> str | None:
        return self._terminal.title

    @property
    def cursor(self) -> tuple[int, int]:
        cursor = self.screen.cursor
        return cursor.x, cursor.y

    @property
    def focus_events(self) -> bool:
        return modes.FOCUS in self._screen.private

    @property
    def alternate(self) -> bool:
        return self._screen.alternate

    @property
    def bracketed_paste(self) -> bool:
        return modes.PASTE in self._screen.private

    @property
    def synchronized(self) -> bool:
        return modes.SYNCHRONIZED in self._screen.private

    @property
    def modes(self) -> Modes:
        screen = self._screen
        on = screen.private
        return Modes(
            alternate=screen.alternate,
            bracketed_paste=modes.PASTE in on,
            focus_events=modes.FOCUS in on,
            application_cursor=modes.CURSOR_KEYS in on,
            application_keypad=modes.KEYPAD in on,
            kitty_flags=screen.keyboard.flags,
            modify_other_keys=self._terminal.modify_other_keys,
            mouse=next((mode for mode in modes.MOUSE_TRACKING if mode in on), 0),
            mouse_encoding=next((mode for mode in modes.MOUSE_ENCODING if mode in on), 0),
            synchronized=modes.SYNCHRONIZED in on,
            cursor_visible=modes.VISIBLE in on,
            cursor_style=self._terminal.cursor_style,
            autowrap=modes.AUTOWRAP in on,
            origin=modes.ORIGIN in on,
            insert=modes.INSERT in screen.mode,
            newline=modes.NEWLINE in screen.mode,
            blinking=modes.BLINKING in on,
            reverse_screen=modes.REVERSE_SCREEN in on,
            colour_scheme_reports=modes.COLOUR_SCHEME in on,
            in_band_resize=modes.IN_BAND_RESIZE in on,
        )

    def feed(self, data: bytes) -> Fed:
        # A flood begins with lines: frames, which mostly have none, need not be searched for what is no flood.
        if self._kept or (len(data) >= flood.SMALLEST and b"\n" in data and self._stream.between):
            cut = flood.harmless(data, self._cut)
            if cut is not None:
                self._keep(data, cut)
                return _NOTHING
            self._draw_kept()
            data = self._cut + data
            self._kept.clear()
            self._cut = b""
        self._undrawn = None
        terminal = self._terminal
        self._stream.feed(data)
        if not terminal.events and not terminal.replies:
            return _NOTHING
        fed = Fed(tuple(terminal.events), tuple(terminal.replies))
        terminal.events.clear()
        terminal.replies.clear()
        return fed

    def _keep(self, data: bytes, cut: bytes) -> None:
        """Keep back what only scrolls; see `flood`."""
        before = len(self._kept)
        self._kept += data
        self._cut = cut
        after = len(self._kept)
        if before < flood.PROBE <= after and not flood.promises(self._kept, self._screen.lines):
            self._draw_all()
        elif after > flood.LARGEST:
            self._leave_out()
            if len(self._kept) > flood.LARGEST // 2:
                self._draw_all()

    def _leave_out(self) -> None:
        """Drop what is neither on the screen nor in the history, whose rows will all be younger."""
        screen = self._screen
        if screen.keeps_history and screen.margins is None:
            end = flood.before_last(self._kept, flood.needed(screen.lines), screen.lines)
            if end:
                screen.history.clear()
                self._pass_over(end)

    def _pass_over(self, end: int) -> None:
        if end:
            screen = self._screen
            screen.style = flood.style_after(screen.style, self._kept[:end])
            screen.cursor.x, screen.cursor.y = 0, screen.lines - 1
            del self._kept[:end]

    def _draw_kept(self) -> None:
        """Draw what can be seen of what was kept back: all but a character or sequence that is cut."""
        end = len(self._kept) - len(self._cut)
        if not end:
            return
        screen = self._screen
        unseen = 0
        if screen.margins is None and flood.promises(self._kept, screen.lines):
            unseen = flood.before_last(self._kept, screen.lines + screen.spare + 1, screen.lines - 1 - screen.cursor.y)
        if screen.keeps_history and unseen:
            self._draw_later(bytes(self._kept[:end]))
            screen.keeps_history = False
            self._pass_over(unseen)
            self._feed_kept()
            screen.keeps_history = True
        else:
            self._pass_over(unseen)
            self._draw_all()

    def _draw_later(self, data: bytes) -> None:
        history, later = self._screen.history, self._undrawn
        if later is None or not history.ends_with(later):
            later = self._undrawn = Undrawn(self._screen)
            history.push_later(later)
        later.add(data)
        history.bound_later()

    def _draw_all(self) -> None:
        self._undrawn = None
        self._feed_kept()

    def _feed_kept(self) -> None:
        kept, cut = bytes(self._kept), self._cut
        self._kept = bytearray(cut)
        self._stream.feed(kept.removesuffix(cut))

    def set_colours(self, foreground: int, background: int, cursor: int) -> tuple[bytes, ...]:
        colours, screen = self._terminal.colours, self._screen
        before = colours.is_dark
        colours.be(foreground, background, cursor)
        if colours.is_dark == before or modes.COLOUR_SCHEME not in screen.private:
            return ()
        return (replies.colour_scheme(colours.is_dark).encode(),)

    def resize(self, cols: int, rows: int) -> None:
        _check_size(cols, rows)
        self._draw_kept()
        self.screen.resize(rows, cols)

    def text(self) -> list[str]:
        if self._kept:
            self._draw_kept()
        return self._screen.display

    def colours(self, row: int) -> int:
        styles = self.screen.rows[row].styles
        return 0 if styles is None else hash(tuple(styles))

    def history(self, limit: int) -> list[str]:
        return self.screen.history.text(limit)

    @property
    def history_size(self) -> int:
        return len(self.screen.history)

    def cells(self) -> list[list[Cell]]:
        return [_cells(row) for row in self.screen.rows]

    def history_cells(self, limit: int) -> list[list[Cell]]:
        return [_cells(row) for row in self.screen.history.rows(limit)]

    def ansi(self, history: int = 0) -> list[str]:
        return [*self.screen.history.ansi(history), *(row.ansi() for row in self.screen.rows)]

    def repaint(self, history: int = 0) -> bytes:
        self._draw_kept()
        return repaint(self._terminal, history)

    def picture(self, cols: int, rows: int) -> bytes:
        self._draw_kept()
        return picture(self._terminal, cols, rows)

    def parting(self, theirs: Mapping[int, int]) -> bytes:
        terminal, screen = self._terminal, self.screen
        parts = (
            parting.tab_stops(screen.tabstops, screen.columns),
            terminal.colours.undone(theirs),
            parting.pointer(terminal.pointer),
            parting.progress(terminal.progress),
        )
        return "".join(parts).encode()


def warm_up() -> None:
    """Use everything once or twice, in the process that hosts are forked from.

    Python writes into code objects when they are first run and fills caches; done before the fork, those pages stay
    shared (measured: a third less private memory in a host with a screen of output).
    """
    for _ in range(10):
        mirror = PyteMirror(80, 24)
        mirror.feed(_SAMPLE)
        mirror.feed(_FLOOD)
        mirror.resize(70, 20)
        mirror.repaint(10)
        mirror.text()
        mirror.history(10)


_FLOOD = b"\x1b[1;32mline\x1b[m \x1b[38;2;1;2;3mafter\x1b[K\x1b[0m line\r\n" * 40
_SAMPLE = (
    b"\x1b[1;32mword\x1b[0m \x1b[38;5;200mword\x1b[m plain\xe2\x9c\x93 \xe6\xbc\xa2\r\n" * 40
    + b"\x1b]0;title\x07\x1b]11;?\x07\x1b[c\x1b[6n\x1b]7501;state=idle\x07\x07"
    + b"\x1b[?1049h\x1b[?25l\x1b[2J\x1b[3;4Hx\x1b[K\x1b[2;9r\x1b[9;1H\n\x1b[r\x1b[L\x1b[M\x1b[P\x1b[@\x1b[X\x1b[?25h\x1b[?1049l"
)


def _check_size(cols: int, rows: int) -> None:
    if cols < 1 or rows < 1:
        raise ValueError(f"a terminal of {cols}x{rows} cannot be: both sizes must be at least 1")


def _cells(row: Row) -> list[Cell]:
    cells = [Cell(text, width, style.protected(False)) for text, width, style in row.graphemes()]
    while cells and cells[-1].text == " " and cells[-1].style == DEFAULT:
        cells.pop()
    return cells

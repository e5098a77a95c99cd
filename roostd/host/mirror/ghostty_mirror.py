"""The engine with libghostty-vt: our parser for what is said, asked and switched, the library for what is drawn."""

from roostd.host.mirror.ghostty_feed import Feed
from roostd.host.mirror.ghostty_screen import GhosttyScreen, GhosttyTerminal
from roostd.host.mirror.ghostty_vt import MAX_SIZE
from roostd.host.mirror.interface import Fed
from roostd.host.mirror.pyte_mirror import PyteMirror

_NOTHING = Fed((), ())


class GhosttyMirror(PyteMirror):
    """Implements `interface.Mirror`: as the other engine, around another screen. OSError if there is no library, ValueError for a
    size that cannot be."""

    _screen: GhosttyScreen

    def __init__(self, cols: int, rows: int) -> None:
        check_size(cols, rows)
        self._screen = GhosttyScreen(cols, rows)
        self._terminal: GhosttyTerminal = GhosttyTerminal(self._screen)
        self._kept, self._cut = bytearray(), b""  # a flood is not kept back: the library is fast enough
        self._feed = Feed(self._terminal)

    @property
    def screen(self) -> GhosttyScreen:
        return self._screen

    @property
    def engine(self) -> str:
        return "ghostty"

    @property
    def cursor(self) -> tuple[int, int]:
        self._screen.locate()
        return self._screen.cursor.x, self._screen.cursor.y

    def feed(self, data: bytes) -> Fed:
        terminal = self._terminal
        self._feed.take(data)
        if not terminal.events and not terminal.replies:
            return _NOTHING
        fed = Fed(tuple(terminal.events), tuple(terminal.replies))
        terminal.events.clear()
        terminal.replies.clear()
        return fed

    def resize(self, cols: int, rows: int) -> None:
        check_size(cols, rows)
        self._screen.resize(rows, cols)

    def repaint(self, history: int = 0) -> bytes:
        self._screen.locate()
        self._screen.load_normal()
        return super().repaint(history)

    def picture(self, cols: int, rows: int) -> bytes:
        self._screen.locate()
        return super().picture(cols, rows)


def check_size(cols: int, rows: int) -> None:
    """ValueError for a size that the library cannot have."""
    if not (1 <= cols <= MAX_SIZE and 1 <= rows <= MAX_SIZE):
        raise ValueError(f"a terminal of {cols}x{rows} cannot be: both sizes must be from 1 to {MAX_SIZE}")

"""The engine with libghostty-vt: our parser for what is said, asked and switched, the library for what is drawn."""

from roostd.host.mirror import flood
from roostd.host.mirror.ghostty_feed import Feed
from roostd.host.mirror.ghostty_screen import GhosttyScreen
from roostd.host.mirror.ghostty_terminal import GhosttyTerminal
from roostd.host.mirror.ghostty_vt import MAX_SIZE
from roostd.host.mirror.pyte_mirror import PyteMirror


class GhosttyMirror(PyteMirror):
    """Implements `interface.Mirror`: as the other engine, around another screen. OSError if there is no library, ValueError for a
    size that cannot be."""

    _screen: GhosttyScreen

    def __init__(self, cols: int, rows: int) -> None:
        check_size(cols, rows)
        self._screen = GhosttyScreen(cols, rows)
        self._terminal: GhosttyTerminal = GhosttyTerminal(self._screen)
        self._keep_nothing(Feed(self._terminal))

    @property
    def screen(self) -> GhosttyScreen:
        if self._kept:
            self._draw_kept()
        return self._screen

    @property
    def engine(self) -> str:
        return "ghostty"

    @property
    def cursor(self) -> tuple[int, int]:
        screen = self.screen
        screen.locate()
        return screen.cursor.x, screen.cursor.y

    def _leave_out(self) -> None:
        """As in the other engine; what is older the library need not forget, because it is not asked for."""
        screen, kept = self._screen, self._kept
        if screen.margins is not None:
            return
        lines = screen.lines + 1 if screen.alternate else flood.needed(screen.lines)
        end = flood.before_last(kept, lines, screen.lines)
        if end:
            style = b"".join(b"\x1b[%sm" % params for params in flood.selected(kept[:end]))
            self._stream.feed(b"%s\x1b[%dH" % (style, screen.lines))
            del kept[:end]

    def _draw_kept(self) -> None:
        if len(self._kept) > len(self._cut):
            self._leave_out()
            self._draw_all()

    def resize(self, cols: int, rows: int) -> None:
        check_size(cols, rows)
        self.screen.resize(rows, cols)

    def colours(self, row: int) -> int:
        """Not told: the library's rows are read anew for every look, which costs more than it is worth."""
        return 0

    def repaint(self, history: int = 0) -> bytes:
        self.screen.locate()
        self._screen.load_normal()
        return super().repaint(history)

    def picture(self, cols: int, rows: int) -> bytes:
        self.screen.locate()
        return super().picture(cols, rows)


def check_size(cols: int, rows: int) -> None:
    """ValueError for a size that the library cannot have."""
    if not (1 <= cols <= MAX_SIZE and 1 <= rows <= MAX_SIZE):
        raise ValueError(f"a terminal of {cols}x{rows} cannot be: both sizes must be from 1 to {MAX_SIZE}")

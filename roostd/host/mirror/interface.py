"""The mirror as the rest of the host sees it, whatever engine is behind it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from roostd.host.mirror.events import Event
from roostd.host.mirror.modes import Modes
from roostd.host.mirror.style import Style


@dataclass(frozen=True, slots=True)
class Fed:
    """What came of some bytes: what the program said, and what it must be told at once, each reply in one write."""

    events: tuple[Event, ...]
    replies: tuple[bytes, ...]


class Cell(NamedTuple):
    """What stands in one place of a row: one grapheme (" " for a blank) that takes `width` columns, 1 or 2. The second half of a
    wide one is no cell of its own."""

    text: str
    width: int
    style: Style


class Mirror(Protocol):
    """A terminal without a terminal. No method raises for anything a program may have written."""

    @property
    def cols(self) -> int: ...

    @property
    def rows(self) -> int: ...

    @property
    def engine(self) -> str:
        """Which one this is: "pyte" or "ghostty"."""

    @property
    def title(self) -> str | None:
        """The last title, safe to show; None if there never was one."""

    @property
    def cursor(self) -> tuple[int, int]:
        """Column and row from 0. The column equals `cols` after the last column was written: a wrap is pending."""

    @property
    def modes(self) -> Modes: ...

    @property
    def focus_events(self) -> bool:
        """`modes.focus_events` by itself: asked after every read, where gathering all modes would cost as much as the feed of a key."""

    @property
    def alternate(self) -> bool:
        """`modes.alternate` by itself, as it is asked for at every look at the screen; so are the next two."""

    @property
    def bracketed_paste(self) -> bool: ...

    @property
    def synchronized(self) -> bool: ...

    def feed(self, data: bytes) -> Fed:
        """Take what a program wrote, cut anywhere."""

    def set_colours(self, foreground: int, background: int, cursor: int) -> tuple[bytes, ...]:
        """The real colours (0xRRGGBB) of the terminal attached last, which programs that ask are told. What the program must be
        told now: that dark became light or light dark, if it wants to know (mode 2031)."""

    def resize(self, cols: int, rows: int) -> None:
        """Take a new size. ValueError if either is below 1."""

    def text(self) -> list[str]:
        """The visible rows as plain text, without trailing blanks."""

    def colours(self, row: int) -> int:
        """A number for how the cells of one visible row look, without what they say: another one when they look different."""

    def history(self, limit: int) -> list[str]:
        """At most the last `limit` rows that scrolled off the normal screen, oldest first, as plain text."""

    @property
    def history_size(self) -> int:
        """How many rows `history` could give now."""

    def cells(self) -> list[list[Cell]]:
        """The visible rows, each up to its last cell that is not blank in the default style."""

    def history_cells(self, limit: int) -> list[list[Cell]]:
        """At most the last `limit` rows that scrolled off, oldest first, as `cells` has them."""

    def ansi(self, history: int = 0) -> list[str]:
        """The last `history` rows scrolled off and the visible ones, with SGR; each row stands by itself."""

    def repaint(self, history: int = 0) -> bytes:
        """What makes another terminal of the same size look and behave like this one.

        `history` rows are scrolled up into its scrollback first, which is never cleared.
        """

    def picture(self, cols: int, rows: int) -> bytes:
        """What makes a terminal of another size show what fits of this one, and take keys as this one does. It leaves no scrollback."""

    def parting(self, theirs: Mapping[int, int]) -> bytes:
        """What undoes on a terminal that showed this one what no reset of modes undoes: tab stops, colours, the pointer's shape.
        `theirs` are the colours it had before, by `colours`' numbers, as far as they are known. b"" if the program changed nothing."""

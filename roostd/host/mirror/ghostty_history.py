"""What scrolled off the normal screen, and that screen itself while another one is in front of it."""

from collections.abc import Iterator
from typing import Protocol

from roostd.host.mirror.ghostty_vt import Vt
from roostd.host.mirror.history import MAX_ROWS, History, packed
from roostd.host.mirror.reflow import Line
from roostd.host.mirror.row import Row


class Normal:
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


class Scrolled(Protocol):
    """The screen whose history it is."""

    @property
    def scrollback(self) -> int: ...

    def normal(self) -> Normal: ...


class GhosttyHistory(History):
    """What the library has scrolled off the normal screen."""

    def __init__(self, screen: Scrolled) -> None:
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
        return [packed(row) if row.text().isascii() else row for row in self._each(limit)]  # what is packed is read with other widths

    def ansi(self, limit: int) -> list[str]:
        return [row.ansi() for row in self._each(limit)]

    def text(self, limit: int) -> list[str]:
        return [row.text() for row in self._each(limit)]

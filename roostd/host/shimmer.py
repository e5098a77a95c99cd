"""Rows whose text stays and whose colours run: a light that goes over a word, dots that fade. Pure; times are monotonic seconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from roostd.host.animation import Pace

Colours = Callable[[int], int]
"""A number for the colours of the row with this number; another one when they are others."""

_MAX_ROWS: Final = 8


class _Row(Pace):
    """One row that was written anew with the same text: what text, in what colours, and how fast these change."""

    __slots__ = ("colours", "text")

    def __init__(self, text: str, colours: int) -> None:
        self._times = []
        self.text = text
        self.colours = colours


class Shimmer:
    """`look` says whether colours run: in one row, as fast as a spinner turns. What a program only writes anew is none, nor a blink."""

    __slots__ = ("_rows",)

    def __init__(self) -> None:
        self._rows: dict[int, _Row] = {}

    def look(self, before: Sequence[str], rows: Sequence[str], colours: Colours, now: float) -> bool:
        """Two looks at a screen, one after the other. `colours` is asked only for rows that are no longer the same string: nothing as
        long as nothing was written."""
        runs = False
        for number, (was, text) in enumerate(zip(before, rows, strict=False)):
            if text is was or text != was or not text:
                continue
            row = self._rows.get(number)
            if row is None or row.text != text:
                if len(self._rows) >= _MAX_ROWS:
                    self._rows.clear()
                self._rows[number] = _Row(text, colours(number))
            elif row.colours != (painted := colours(number)):
                row.colours = painted
                row.step(now)
                runs |= row.fast
        return runs

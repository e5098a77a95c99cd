"""A terminal's screen, cell by cell, as it travels: cells that look alike and are one character each go together."""

from __future__ import annotations

import msgspec

Run = tuple[str, int, int, int]
"""`[text, count, width, look]`: `count` cells, each `width` (1 or 2) columns wide, that look like number `look` of `Picture.looks`.
Each character of `text` is one cell, unless `count` is 1: then all of `text` is one cell."""


class Look(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """How cells look; what is default is left out. A colour is a palette's index or `"#rrggbb"`, `underline` as in SGR 4:n."""

    fg: int | str | None = None
    bg: int | str | None = None
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: int = 0
    blink: bool = False
    inverse: bool = False
    hidden: bool = False
    strike: bool = False
    overline: bool = False
    underline_colour: int | str | None = None
    link: str | None = None


class Cursor(msgspec.Struct, frozen=True):
    """Column and row from 0; the column equals the number of columns where the last one was written and a wrap is pending.

    `style` is DECSCUSR's 0 to 6.
    """

    x: int
    y: int
    visible: bool
    style: int


class Picture(msgspec.Struct, frozen=True):
    """`cells` goes with the screen's `lines`, row by row, each up to its last cell that is not blank and default.

    `history` is how many rows there are that have scrolled off; `modes` are named switches and numbers.
    """

    cursor: Cursor
    modes: dict[str, bool | int]
    history: int
    looks: list[Look]
    cells: list[list[Run]]

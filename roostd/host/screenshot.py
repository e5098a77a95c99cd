"""What a mirror shows, as the answer to a question for the screen. Pure.

The shapes are those of `roost_protocol.pictures`, built of plain values: a host does not load what describes them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from roost_protocol.text import printable
from roostd.host import rows
from roostd.host.mirror import style as looks
from roostd.host.mirror.interface import Cell, Mirror
from roostd.host.mirror.style import Style

_FLAGS = {
    "bold": looks.BOLD,
    "dim": looks.DIM,
    "italic": looks.ITALIC,
    "blink": looks.BLINK,
    "inverse": looks.INVERSE,
    "hidden": looks.HIDDEN,
    "strike": looks.STRIKE,
    "overline": looks.OVERLINE,
}

Run = tuple[str, int, int, int]


def screen(mirror: Mirror, *, ansi: bool = False, lines: int = 0, cells: bool = False) -> dict[str, Any]:
    """`cols, rows, lines, title, engine` as in `operator.Screen`, `lines` rows of history in front; with `cells` also its `picture`."""
    plain = [] if ansi else [*(mirror.history(lines) if lines else ()), *mirror.text()]
    shown = rows.coloured(mirror.ansi(lines)) if ansi else rows.plain(plain)
    title = printable(mirror.title) if mirror.title else None
    found: dict[str, Any] = {"cols": mirror.cols, "rows": mirror.rows, "lines": shown, "title": title, "engine": mirror.engine}
    if cells:
        found["picture"] = picture(mirror, lines)
    return found


def picture(mirror: Mirror, lines: int = 0) -> dict[str, Any]:
    """Cells with their looks, the cursor and the modes, as `pictures.Picture`."""
    modes = mirror.modes
    x, y = mirror.cursor
    numbers: dict[Style, int] = {}
    before = mirror.history_cells(lines) if lines else []
    cells = [_runs(row, numbers) for row in (*before, *mirror.cells())]
    return {
        "cursor": {"x": x, "y": y, "visible": modes.cursor_visible, "style": modes.cursor_style},
        "modes": {name: getattr(modes, name) for name in modes.__slots__},
        "history": mirror.history_size,
        "looks": [_look(style) for style in numbers],
        "cells": cells,
    }


def _runs(row: Iterable[Cell], numbers: dict[Style, int]) -> list[Run]:
    """Neighbours that look alike and are one character each, together."""
    runs: list[Run] = []
    for cell in row:
        text = cell.text if cell.text.isprintable() else printable(cell.text) or " "
        look = numbers.setdefault(cell.style, len(numbers))
        if runs and len(text) == 1:
            before, count, width, before_look = runs[-1]
            if (width, before_look) == (cell.width, look) and count == len(before):
                runs[-1] = (before + text, count + 1, width, look)
                continue
        runs.append((text, 1, cell.width, look))
    return runs


def _look(style: Style) -> dict[str, Any]:
    """What is not as in the default style."""
    found: dict[str, Any] = {name: True for name, flag in _FLAGS.items() if style.flags & flag}
    if style.underline:
        found["underline"] = style.underline
    for name, colour in (("fg", style.fg), ("bg", style.bg), ("underline_colour", style.underline_colour)):
        if colour != looks.DEFAULT_COLOUR:
            found[name] = colour if colour < looks.RGB else f"#{colour & 0xFFFFFF:06x}"
    if style.uri:
        found["link"] = printable(style.uri)
    return found

"""A mirror looked at as the oracle looks at its terminal, and what differs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from roostd.host.mirror.events import Bell
from roostd.host.mirror.interface import Cell, Mirror
from roostd.host.mirror.style import DEFAULT_COLOUR, RGB, Style
from tests.support.oracle.case import Case

MODES = (
    *("application_cursor", "application_keypad", "bracketed_paste", "focus_events", "insert", "origin", "synchronized", "autowrap"),
    *("alternate", "cursor_visible", "mouse", "mouse_encoding"),
)
PLAIN = [None, None, 0, 0, None, ""]
_REPORT = re.compile(rb"\x1b\[\d+;\d+R")
Look = dict[str, Any]


def looks_of(create: Callable[[int, int], Mirror], case: Case, cut: Callable[[bytes], Iterable[bytes]]) -> list[Look]:
    """The looks that the oracle gives of this case, of a mirror that is fed in pieces."""
    mirror, bells, reports, found = create(case.cols, case.rows), 0, list[str](), list[Look]()
    for number, step in enumerate(case.steps):
        if isinstance(step, tuple):
            mirror.resize(*step)
        else:
            for piece in cut(step):
                fed = mirror.feed(piece)
                bells += fed.events.count(Bell())
                reports += [reply.decode() for reply in fed.replies if _REPORT.fullmatch(reply)]
        if number in case.looks:
            found.append(look(mirror, bells, reports))
    return [*found, look(mirror, bells, reports)]


def look(mirror: Mirror, bells: int = 0, reports: Iterable[str] = ()) -> Look:
    return {
        "rows": [_row(row) for row in mirror.cells()],
        "history": [_row(row) for row in mirror.history_cells(mirror.history_size)],
        "cursor": list(mirror.cursor),
        "modes": {name: getattr(mirror.modes, name) for name in MODES},
        "title": mirror.title or "",
        "bells": bells,
        "reports": list(reports),
    }


def differences(ours: Look, theirs: Look) -> list[str]:
    """One line for each part that differs, rows one by one."""
    found = []
    for name in ("rows", "history"):
        if len(ours[name]) != len(theirs[name]):
            found.append(f"{name}: {len(ours[name])} of them instead of {len(theirs[name])}")
        pairs = zip(ours[name], theirs[name], strict=False)
        found += [f"{name}[{y}]: {_shown(one)} instead of {_shown(other)}" for y, (one, other) in enumerate(pairs) if one != other]
    mine, other = ours["modes"], theirs["modes"]
    found += [f"{name}: {mine[name]!r} instead of {other[name]!r}" for name in MODES if mine[name] != other[name]]
    others = ("cursor", "title", "bells", "reports")
    return [*found, *(f"{name}: {ours[name]!r} instead of {theirs[name]!r}" for name in others if ours[name] != theirs[name])]


def _row(row: Iterable[Cell]) -> list[list[Any]]:
    """A colour of an underline that is not there is nothing to see."""
    cells = [[cell.text, cell.width, _style(cell.style)] for cell in row]
    while cells and cells[-1] == [" ", 1, PLAIN]:
        cells.pop()
    return cells


def _style(style: Style) -> list[Any]:
    underline_colour = _colour(style.underline_colour) if style.underline else None
    return [_colour(style.fg), _colour(style.bg), style.flags, style.underline, underline_colour, style.uri]


def _colour(value: int) -> int | str | None:
    if value == DEFAULT_COLOUR:
        return None
    return value if value < RGB else f"#{value & 0xFFFFFF:06x}"


def _shown(row: list[list[Any]]) -> str:
    """The text, and the styles where they are not all default."""
    styles = [(x, style) for x, (_, _, style) in enumerate(row) if style != PLAIN]
    return repr("".join(text for text, _, _ in row)) + (f" {styles}" if styles else "")

"""One round: a life led twice, and what must hold."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

from roostd.host.mirror.events import Event
from roostd.host.mirror.interface import Cell, Mirror
from tests.fuzz.lives import cut, life
from tests.support.oracle.case import Case
from tests.support.oracle.shrink import shrunk

ALL = 1 << 20
LONGEST_REPLY = 8192
LONGEST_CELL = 64
"""Characters: a cluster that goes on for ever is cut somewhere."""

Create = Callable[[int, int], Mirror]


class Broken(AssertionError):
    """What did not hold, and the smallest life in which it does not."""


def play(create: Create, seed: str) -> int:
    """Plays the round of this seed; how many bytes it had. Raises Broken."""
    case = life(random.Random(seed), seed)
    if _fault(create, case):
        small = shrunk(case, lambda some: [bool(_fault(create, one)) for one in some])
        raise Broken(f"round {seed}: {_fault(create, small)}\n  a terminal of {small.cols}x{small.rows} and {small.steps!r}")
    return sum(len(step) for step in case.steps if isinstance(step, bytes))


def _fault(create: Create, case: Case) -> str:
    """What does not hold in this case, or "". The chunkings are the same every time."""
    try:
        _lead(create, case)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _lead(create: Create, case: Case) -> None:
    chance = random.Random(case.name)
    one, other = create(case.cols, case.rows), create(case.cols, case.rows)
    for step in case.steps:
        if isinstance(step, tuple):
            one.resize(*step)
            other.resize(*step)
        else:
            _same("what was heard", _fed(one, cut(chance, step)), _fed(other, cut(chance, step)))
        _same("the screen", _seen(one), _seen(other))
        _valid(one)
    if not _joins_what_is_repainted(one, case):
        _repainted(create, one)


def _joins_what_is_repainted(mirror: Mirror, case: Case) -> bool:
    """`differences.JOINED`: what is drawn with graphemes on joins what stands before it there, and a repaint has to draw it so."""
    return mirror.engine == "ghostty" and any(b"\x1b[?2027h" in step for step in case.steps if isinstance(step, bytes))


def _repainted(create: Create, mirror: Mirror) -> None:
    """A repaint is drawn between sequences, so an open one is given up first."""
    mirror.feed(b"\x18")
    fresh = create(mirror.cols, mirror.rows)
    fed = fresh.feed(mirror.repaint(ALL))
    _same("the repainted screen", _seen(fresh), _seen(mirror))
    _same("what a repaint asks", fed.replies, ())
    mirror.picture(max(1, mirror.cols // 2), mirror.rows + 3)


def _fed(mirror: Mirror, pieces: Iterable[bytes]) -> tuple[list[Event], list[bytes]]:
    events, replies = list[Event](), list[bytes]()
    for piece in pieces:
        fed = mirror.feed(piece)
        events += fed.events
        replies += fed.replies
    assert all(0 < len(reply) <= LONGEST_REPLY for reply in replies), "a reply is empty or too long"
    return events, replies


def _seen(mirror: Mirror) -> dict[str, object]:
    return {
        "size": (mirror.cols, mirror.rows),
        "cells": mirror.cells(),
        "history": mirror.history_cells(ALL),
        "cursor": mirror.cursor,
        "modes": mirror.modes,
        "title": mirror.title,
    }


def _same(what: str, ours: object, theirs: object) -> None:
    if ours == theirs:
        return
    if isinstance(ours, dict) and isinstance(theirs, dict):
        what, ours, theirs = next((f"{what}: {key}", ours[key], theirs[key]) for key in ours if ours[key] != theirs[key])
    if isinstance(ours, Sequence) and isinstance(theirs, Sequence) and len(ours) == len(theirs):
        what, ours, theirs = next((f"{what}[{n}]", a, b) for n, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b)
    raise AssertionError(f"{what} differs: {_brief(ours)} and {_brief(theirs)}")


def _brief(value: object) -> str:
    """Cells as text where they are many."""
    if isinstance(value, list) and value and isinstance(value[0], Cell):
        looks = [tuple(cell.style) for cell in value]
        return f"{''.join(cell.text for cell in value)!r} {looks if any(look != looks[0] for look in looks) else looks[0]}"
    if isinstance(value, list) and value and isinstance(value[0], list):
        return repr(["".join(cell.text for cell in row) for row in value])
    return repr(value)


def _valid(mirror: Mirror) -> None:
    """What any terminal is, whatever was written to it."""
    rows, (x, y) = mirror.cells(), mirror.cursor
    assert len(rows) == len(mirror.text()) == len(mirror.ansi()) == mirror.rows, "rows are missing"
    assert 0 <= x <= mirror.cols, "the cursor is outside"
    assert 0 <= y < mirror.rows, "the cursor is outside"
    assert mirror.history_size == len(mirror.history(ALL)) == len(mirror.history_cells(ALL)), "the history does not count itself"
    for text, row in zip(mirror.text(), rows, strict=True):
        assert sum(cell.width for cell in row) <= mirror.cols, "a row is wider than the terminal"
        assert "".join(cell.text for cell in row).rstrip(" ") == text, "cells and text differ"
    assert all(sum(cell.width for cell in row) <= mirror.cols for row in mirror.history_cells(50)), "a row of the history is too wide"
    for row in (*rows, *mirror.history_cells(50)):
        for cell in row:
            _valid_cell(cell)


def _valid_cell(cell: Cell) -> None:
    assert cell.width in (1, 2), "a cell of no width"
    assert 0 < len(cell.text) <= LONGEST_CELL, "a cell of no or too much text"
    assert not any(char < " " or "\x7f" <= char <= "\x9f" for char in cell.text), "a control character in a cell"

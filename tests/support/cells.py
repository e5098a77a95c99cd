"""Rows of text with SGR sequences as cells, so that two ways to write the same look are the same."""

import re
from collections.abc import Iterator
from typing import NamedTuple

PIECE = re.compile(r"\x1b\[([0-9;:]*)m|\x1b[()].|\x0e|\x0f|\x1b\]8;[^\x1b\x07]*(?:\x1b\\|\x07)|(.)", re.DOTALL)
# Each number switches on the look of that name; the number of the second table switches several off.
ON = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 5: "blink", 7: "reverse", 8: "hidden", 9: "struck", 53: "overline"}
OFF = {22: "bold dim", 23: "italic", 24: "underline", 25: "blink", 27: "reverse", 28: "hidden", 29: "struck", 55: "overline"}
GROUNDS = {38: "fg", 48: "bg", 58: "line"}
SEEN_ON_A_BLANK = frozenset({"underline", "reverse", "struck", "overline"})


class Look(NamedTuple):
    """How a character is drawn; a colour is what SGR says for it, empty for the terminal's own."""

    names: frozenset[str] = frozenset()
    fg: str = ""
    bg: str = ""
    line: str = ""


class Cell(NamedTuple):
    char: str
    look: Look


def cells_of(rows: list[str]) -> tuple[tuple[Cell, ...], ...]:
    """The rows' cells without blank ends. A look goes on into the next row, as tmux writes it."""
    look = Look()
    result = []
    for row in rows:
        cells: list[Cell] = []
        for match in PIECE.finditer(row):
            if match[1] is not None:
                look = _after(look, match[1])
            elif match[2] is not None:
                cells.append(_seen(match[2], look))
        # Whether a blank end was written or cleared is not told apart; of one that was cleared tmux tells no background.
        while cells and cells[-1].char == " " and not cells[-1].look.names:
            cells.pop()
        result.append(tuple(cells))
    return tuple(result)


def _seen(char: str, look: Look) -> Cell:
    """A blank has no foreground unless something is drawn with it."""
    if char == " " and not look.names & SEEN_ON_A_BLANK:
        look = Look(bg=look.bg)
    return Cell(char, look)


def _after(look: Look, parameters: str) -> Look:
    numbers = iter(parameters.split(";"))
    for number in numbers:
        look = _underlined(look, number) if ":" in number else _changed(look, int(number or 0), numbers)
    return look


def _underlined(look: Look, number: str) -> Look:
    """`4:3` and the like: each kind of underline is a look of its own."""
    others = frozenset(name for name in look.names if not name.startswith("underline"))
    return look._replace(names=others if number == "4:0" else others | {"underline", f"underline {number}"})


def _changed(look: Look, number: int, rest: Iterator[str]) -> Look:
    if number == 0:
        return Look()
    if number in ON:
        return look._replace(names=look.names | {ON[number]})
    if number in OFF:
        return look._replace(names=frozenset(n for n in look.names if n.split()[0] not in OFF[number].split()))
    if number in GROUNDS:
        return _coloured(look, GROUNDS[number], _colour(rest))
    if number in (39, 49, 59):
        return _coloured(look, GROUNDS[number - 1], "")
    return _basic(look, number)


def _basic(look: Look, number: int) -> Look:
    for first, offset, ground in ((30, 0, "fg"), (40, 0, "bg"), (90, 8, "fg"), (100, 8, "bg")):
        if first <= number < first + 8:
            return _coloured(look, ground, f"5;{number - first + offset}")
    raise AssertionError(f"SGR {number} is not known here")


def _coloured(look: Look, ground: str, colour: str) -> Look:
    if ground == "fg":
        return look._replace(fg=colour)
    return look._replace(bg=colour) if ground == "bg" else look._replace(line=colour)


def _colour(rest: Iterator[str]) -> str:
    kind = next(rest)
    return ";".join([kind, *(next(rest) for _ in range(1 if kind == "5" else 3))])

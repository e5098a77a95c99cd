"""What a dialog on the screen offers. Pure: rows in, the key to type out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from roostd.host.animation import content

ROWS: Final = 20
"""Rows from the bottom that are not empty, in which a dialog is looked for: what stands above them is a conversation."""

ABOVE: Final = 3
"""Rows above a dialog by which it is told from another one with the same words."""

YES: Final = frozenset({"y", "yes"})
NO: Final = frozenset({"n", "no"})
_OPTION = re.compile(r"(?<![\w.:])(\d{1,2})(?:[.):\]](?!\d)|\s+or\b)\s*(\S.*)?")


_MARKS = "\\s\u2500-\u257f|>\u276f\u203a\u00bb\u25b8\u25b6\u2192\u27a4\u25cf\u25cb\u25c9\u25ef\u25c6\u25c7\u2713\u2717\u2714\u2718*\u2022-"
_ANSWER = re.compile(
    rf"[{_MARKS}]*(?:\[.\]|\(.\)|\w[.):])?[{_MARKS}]*(?:(yes|allow|approve|accept|proceed|continue|trust)|(no|deny|reject|decline|cancel|skip))\b",
    re.IGNORECASE,
)
_APART: Final = 4


def choice_stands(rows: Sequence[str]) -> bool:
    """Whether it seems that a consent is asked for: near each other one row that begins with a yes and one with a no, of whatever words.

    For agents of whom nothing is known; an answer may well quote one. So it is no evidence that somebody waits.
    """
    shown = [row for row in rows if row.strip()][-ROWS:]
    consents = [(at, found[1]) for at, row in enumerate(shown) if (found := _ANSWER.match(row))]
    return any(
        bool(yes) != bool(other) and abs(at - elsewhere) <= _APART
        for at, yes in consents
        for elsewhere, other in consents
        if at < elsewhere
    )


def above(rows: Sequence[str], row: int) -> tuple[str, ...]:
    """What stands above a dialog that begins in this row: its question, or what it is about."""
    return tuple([text.strip() for text in rows[:row] if text.strip()][-ABOVE:])


def still(rows: Sequence[str]) -> tuple[str, ...]:
    """The same rows without what turns and counts in them: spinners and digits."""
    return tuple(content(text).strip() for text in rows)


def offered(text: str, rows: Sequence[str]) -> str | None:
    """What to type for an answer, as the dialog offers it; None where it offers no such.

    A number must be one of its options, another character one of its keys. Yes and no are typed where they are a key or a word of it, else
    as the number of the option that begins with it: some take the return behind an unknown key for their highlighted choice.
    """
    shown = [row for row in rows if row.strip()][-ROWS:]
    word = text.strip().casefold()
    if word.isdecimal():
        return text if any(int(word) == number for number, _ in _options(shown)) else None
    if word not in YES | NO:
        return text if _stands(word, shown) else None
    if _stands(word[0], shown):
        return text
    full = "yes" if word in YES else "no"
    for number, label in _options(shown):
        if re.match(rf"{full}\b", label.casefold()):
            return str(number)
    return text if word == full and _stands(full, shown) else None


def _options(rows: Sequence[str]) -> list[tuple[int, str]]:
    return [(int(match[1]), match[2] or "") for row in rows for match in _OPTION.finditer(row)]


def _stands(word: str, rows: Sequence[str]) -> bool:
    """Whether a word, or a key, stands by itself somewhere."""
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    return any(pattern.search(row.casefold()) for row in rows)

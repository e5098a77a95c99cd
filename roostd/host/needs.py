"""What a text must hold for a pattern to be found in it: plain words, which are looked for a good deal faster. Pure.

A search that finds nothing tries every place of a screen. Nearly all do find nothing, and most because a word is missing that the pattern
cannot do without.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final

Needs = tuple[tuple[str, ...], ...]
"""One of each of these groups."""

SHORTEST: Final = 2
"""Characters of a word that is worth looking for."""


def needs(pattern: re.Pattern[str]) -> Needs:
    """What must be there; nothing for a pattern that takes no notice of case."""
    if pattern.flags & re.IGNORECASE:
        return ()
    groups = _groups(_parser.parse(pattern.pattern, pattern.flags))
    return tuple(dict.fromkeys(group for group in groups if all(len(word) >= SHORTEST for word in group)))


def may_hold(needed: Needs, text: str) -> bool:
    """Whether a pattern that needs this can be found in `text`."""
    for group in needed:
        for word in group:
            if word in text:
                break
        else:
            return False
    return True


def _groups(tree: Any) -> Iterator[tuple[str, ...]]:
    """The words that stand one after the other in a pattern, each a group by itself, and of its branches a group of one word each."""
    word = ""
    for kind, value in tree:
        if kind == sre.LITERAL:
            word += chr(value)
            continue
        if kind == sre.AT:  # A place takes no room.
            continue
        if word:
            yield (word,)
            word = ""
        if kind == sre.SUBPATTERN and not value[1] & re.IGNORECASE:
            yield from _groups(value[3])
        elif kind == sre.BRANCH:
            yield _of_branches(value[1])
    if word:
        yield (word,)


def _of_branches(branches: Any) -> tuple[str, ...]:
    """Of each branch the longest word that it needs; "" where one needs none."""
    return tuple(max((group[0] for group in _groups(branch) if len(group) == 1), key=len, default="") for branch in branches)

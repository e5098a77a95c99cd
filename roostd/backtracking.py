"""Whether a pattern searches for too long: tried out on screens that almost match it, which is where a regular expression goes astray.

From each repeat in a pattern a screen is made that what stands before it leads to, which repeats it over and over, and then ends
otherwise. A search is ended after the budget, so that no pattern holds up whoever asks. That takes a signal, and so a main thread: where
we are in another, a process is started for it (`python -m roostd.backtracking`).
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final

BUDGET: Final = 0.1
"""Seconds of processor time that one search of a screen may take."""

COLUMNS, ROWS = 100, 50
"""How large the screens are that are tried."""

END: Final = "\x00"
"""What nothing in a pattern expects."""

MOST_REPEATS, MOST_FILLS = 12, 5

_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_CATEGORIES: Final = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}


class _TooLong(Exception):
    """The budget is spent."""


@lru_cache(maxsize=512)
def too_slow(pattern: str, flags: int) -> bool:
    """Whether a search takes longer than the budget. Raises RecursionError for a pattern that is nested too deep."""
    if threading.current_thread() is not threading.main_thread():
        return _too_slow_elsewhere(pattern, flags)
    compiled = re.compile(pattern, flags)
    return any(not _within(compiled, text) for text in hostile(pattern, flags))


def _too_slow_elsewhere(pattern: str, flags: int) -> bool:
    asked = json.dumps([pattern, int(flags)]).encode()
    done = subprocess.run([sys.executable, "-P", "-m", __name__], input=asked, stdout=subprocess.PIPE, check=True)
    found: bool | None = json.loads(done.stdout)
    if found is None:
        raise RecursionError
    return found


def _main() -> None:
    try:
        found = too_slow(*json.load(sys.stdin))
    except RecursionError:
        found = None
    json.dump(found, sys.stdout)


def hostile(pattern: str, flags: int) -> Iterator[str]:
    """The screens that a pattern is tried on."""
    tree = _parser.parse(pattern, flags)
    letters = [letter for letter in dict.fromkeys(_literals(tree)) if letter.isprintable()]
    for fill in dict.fromkeys(["a", " ", "0", *letters[: MOST_FILLS - 3]]):
        for before, body in list(_repeats(tree, "", fill))[:MOST_REPEATS]:
            yield _screen(before, body)


def _screen(before: str, body: str) -> str:
    if "\n" in before + body or len(before + body) > COLUMNS:
        return before + body * max(1, COLUMNS * ROWS // len(body)) + END
    row = before + body * ((COLUMNS - len(before)) // len(body)) + END
    return "\n".join([row] * ROWS)


def _repeats(nodes: Any, before: str, fill: str) -> Iterator[tuple[str, str]]:
    """For each repeat: a text that what stands before it matches, and one that its inside does."""
    for operator, argument in nodes:
        for part in _inside(operator, argument):
            yield from _repeats(part, before, fill)
        if operator in _REPEATS and argument[1] > 1 and (body := _example(argument[2], fill)):
            yield before, body
        before += _example([(operator, argument)], fill)


def _inside(operator: Any, argument: Any) -> Sequence[Any]:
    if operator in _REPEATS:
        return [argument[2]]
    if operator is sre.SUBPATTERN:
        return [argument[3]]
    if operator is sre.BRANCH:
        return list(argument[1])
    if operator is sre.ATOMIC_GROUP:
        return [argument]
    return [argument[1]] if operator in (sre.ASSERT, sre.ASSERT_NOT) else []


def _example(nodes: Any, fill: str) -> str:
    """A short text that matches, where possible made of one character."""
    text = ""
    for operator, argument in nodes:
        text = (text + _one(operator, argument, fill))[: COLUMNS * ROWS]
    return text


def _one(operator: Any, argument: Any, fill: str) -> str:
    if operator is sre.LITERAL:
        return chr(int(argument))
    if operator is sre.NOT_LITERAL:
        return fill if ord(fill) != argument else "b" if fill == "a" else "a"
    if operator is sre.ANY:
        return fill
    if operator is sre.IN:
        return _member(argument, fill)
    if operator in _REPEATS:
        return _example(argument[2], fill) * max(1, min(int(argument[0]), COLUMNS))
    if operator is sre.BRANCH:
        return _example(argument[1][0], fill)
    if operator in (sre.SUBPATTERN, sre.ATOMIC_GROUP):
        return _example(_inside(operator, argument)[0], fill)
    return ""


def _member(members: Sequence[Any], fill: str) -> str:
    """The fill if a class has it, else the first of what it has."""
    negated = members[0][0] is sre.NEGATE
    candidates = [fill, *(chr(_first(*member)) for member in members if member[0] in (sre.LITERAL, sre.RANGE)), *"a0 -─"]
    return next((letter for letter in candidates if _has(members, letter) != negated), fill)


def _first(operator: Any, argument: Any) -> int:
    found: int = argument if operator is sre.LITERAL else argument[0]
    return found


def _has(members: Sequence[Any], letter: str) -> bool:
    for operator, argument in members:
        if operator is sre.LITERAL and argument == ord(letter):
            return True
        if operator is sre.RANGE and argument[0] <= ord(letter) <= argument[1]:
            return True
        if operator is sre.CATEGORY and argument in _CATEGORIES and re.match(_CATEGORIES[argument], letter):
            return True
    return False


def _literals(nodes: Any) -> Iterator[str]:
    for operator, argument in nodes:
        if operator is sre.LITERAL:
            yield chr(argument)
        for part in _inside(operator, argument):
            yield from _literals(part)


def _within(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a search ends within the budget. Processor time, so that a busy machine condemns no pattern."""

    def stop(_number: int, _frame: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, BUDGET)
        pattern.search(text)
    except _TooLong:
        return False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return True


if __name__ == "__main__":
    _main()

"""A profile's patterns: compiled, and searched for on a screen or in a title. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from roost_protocol.host import Detection, Pattern
from roost_protocol.states import State
from roost_protocol.text import printable
from roostd.host.needs import Needs, may_hold, needs

_RULES = re.compile("[\u2500-\u257f\u2580-\u259f]+")


@dataclass(frozen=True, slots=True)
class Match:
    """A profile's pattern that matches now: `at` is since when one of this state does, `moved` since when in this `row`."""

    at: float
    state: State
    detail: str
    row: int
    moved: float


@dataclass(frozen=True, slots=True)
class Seen:
    """A profile's pattern, compiled: what it says when it is found in its region, `lines` from the bottom of the screen (0: all); `needs`
    is what a text must hold for it to be found (see `needs`)."""

    state: State
    pattern: re.Pattern[str]
    lines: int = 0
    needs: Needs = ()


@dataclass(frozen=True, slots=True)
class Patterns:
    """A profile's detection, compiled: what is searched for on the screen and in the title, the first first. `settle` is seconds."""

    screen: tuple[Seen, ...] = ()
    title: tuple[Seen, ...] = ()
    session: re.Pattern[str] | None = None
    settle: float = 2.0
    recognisable: bool = False


def compile_detection(detection: Detection) -> Patterns:
    """By priority, then waiting before working before idle. A pattern that is none was refused when the profile was loaded; here it
    is left out."""
    lists: tuple[tuple[State, list[str | Pattern]], ...] = (
        ("waiting", detection.waiting),
        ("working", detection.working),
        ("idle", detection.idle),
    )
    given = [(state, Pattern(item) if isinstance(item, str) else item) for state, items in lists for item in items]
    given.sort(key=lambda pair: -pair[1].priority)
    compiled = [(state, item, _compiled(item.pattern)) for state, item in given]
    return Patterns(
        screen=tuple(Seen(state, found, item.lines, needs(found)) for state, item, found in compiled if found and item.region == "screen"),
        title=tuple(Seen(state, found) for state, item, found in compiled if found and item.region == "title"),
        session=_compiled(detection.session) if detection.session else None,
        settle=detection.settle,
        recognisable=detection.recognisable,
    )


def searched(rows: Sequence[str]) -> str:
    """What patterns are searched in: the rows down to the last that is not empty, so that `\\Z` is the end of what is shown."""
    filled = len(rows)
    while filled and not rows[filled - 1].strip():
        filled -= 1
    return "\n".join(rows[:filled])


def find(patterns: Iterable[Seen], text: str, now: float) -> Match | None:
    """The first pattern that is found, as a match that began `now`."""
    bottoms: dict[int, str] = {0: text}
    for seen in patterns:
        part = bottoms.get(seen.lines)
        if part is None:
            part = bottoms[seen.lines] = _bottom(text, seen.lines)
        if may_hold(seen.needs, part) and (found := seen.pattern.search(part)):
            row = text.count("\n", 0, len(text) - len(part) + found.start())
            return Match(now, seen.state, _detail(found[0], whole=seen.state == "waiting"), row, now)
    return None


def _bottom(text: str, lines: int) -> str:
    """The last so many rows that are not empty, and what is between them."""
    rows = text.split("\n")
    filled = [number for number, row in enumerate(rows) if row.strip()]
    return "\n".join(rows[filled[-lines] :]) if len(filled) > lines else text


def _detail(found: str, *, whole: bool) -> str:
    """What was found, or its first row, without the rules of its frame, on one line."""
    text = _RULES.sub(" ", found).strip()
    return " ".join(printable(text if whole else text.partition("\n")[0]).split())[:200]


def since(before: Match | None, found: Match | None) -> Match | None:
    """The same match is as old as it was. A dialog is another if it has another text or place; who works or rests just goes on."""
    if before is None or found is None or before.state != found.state:
        return found
    if (before.detail, before.row) == (found.detail, found.row):
        return before
    if found.state == "waiting":
        return found
    return replace(found, at=before.at, moved=before.moved if before.row == found.row else found.moved)


def _compiled(source: str) -> re.Pattern[str] | None:
    try:
        return re.compile(source, re.MULTILINE)
    except re.error:
        return None

"""Whether a screen shows that somebody took what was entered. Pure.

The echo of a text, the line that a return begins and what turns or counts meanwhile are no reaction.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from roostd.host.animation import content
from roostd.host.typing import READ, shows, squeezed

_DIGITS = re.compile("[0-9]+")


def reacted(before: Sequence[str], after: Sequence[str], text: str) -> bool:
    """Two screens, from right before the submit and after it: a row is new and no echo of the text, or the text is gone."""
    beginning = text.partition("\n")[0][:READ]
    echoed = bool(squeezed(beginning)) and shows(before, beginning)
    new = _new(before, after)
    return bool(new if echoed else _no_echo(new, before, text)) or (echoed and not shows(after, beginning))


def echoed(before: Sequence[str], after: Sequence[str], typed: str) -> bool:
    """Two screens, from before something was typed into a dialog and after it: nothing has changed but that it stands there now, or that
    the dialog's mark has moved to the option of this number. So nobody has taken it for an answer yet."""
    changed = [(then, now) for then, now in zip_longest(before, after, fillvalue="") if not _alike(then, now)]
    if len(changed) == 1 and _inserted(*changed[0], typed):
        return True
    marks_alone = typed.isdecimal() and all(squeezed(then) == squeezed(now) for then, now in changed)
    return marks_alone and any(re.match(rf"\s*[^\w\s]+\s*{re.escape(typed)}\b", now) for _, now in changed)


def beyond_echo(before: Sequence[str], after: Sequence[str], text: str) -> bool:
    """Two screens, from before the text was typed and after it: more has changed than that it stands there now.

    A dialog that closes may show nothing new: then rows are gone, more than the one into which the text was typed.
    """
    new = _new(before, after)
    return bool(_no_echo(new, before, text)) or len(_new(after, before)) > len(new) + 1


def _alike(then: str, now: str) -> bool:
    """Whether two rows differ in nothing but spinners."""
    return then.rstrip() == now.rstrip() or (content(then) == content(now) and _DIGITS.findall(then) == _DIGITS.findall(now))


def _inserted(then: str, now: str, typed: str) -> bool:
    places = [match.start() for match in re.finditer(re.escape(typed), now)] if typed else []
    return any((now[:at] + now[at + len(typed) :]).rstrip() == then.rstrip() for at in places)


def _new(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """What can be read in the rows of `after` that were not there, squeezed."""
    had = Counter(map(_key, before))
    new = []
    for row in after:
        key = _key(row)
        if had[key] > 0:
            had[key] -= 1
        elif squeezed(row):
            new.append(squeezed(row))
    return new


def _no_echo(new: Sequence[str], before: Sequence[str], text: str) -> list[str]:
    stood = squeezed("".join(before))
    return [row for row in new if not _is_echo(row, squeezed(text), stood)]


def _key(row: str) -> str:
    """Of a row what counts: not its spinners and digits, unless it has nothing else."""
    return content(row).strip() or row.strip()


def _is_echo(row: str, text: str, stood: str) -> bool:
    """Whether a row is a piece of the text, behind something that stood there before: a prompt."""
    return any(row[at:] in text and row[:at] in stood for at in range(len(row)))

"""Whether a screen shows that somebody took what was entered. Pure.

The echo of a text, the line that a return begins and what turns or counts meanwhile are no reaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from roostd.host.animation import content
from roostd.host.typing import READ, shows, squeezed


def reacted(before: Sequence[str], after: Sequence[str], text: str) -> bool:
    """Two screens, from right before the submit and after it: a row is new and no echo of the text, or the text is gone."""
    beginning = text.partition("\n")[0][:READ]
    echoed = bool(squeezed(beginning)) and shows(before, beginning)
    had = Counter(map(_key, before))
    stood = squeezed("".join(before))
    for row in after:
        key = _key(row)
        if had[key] > 0:
            had[key] -= 1
        elif squeezed(row) and (echoed or not _is_echo(squeezed(row), squeezed(text), stood)):
            return True
    return echoed and not shows(after, beginning)


def _key(row: str) -> str:
    """Of a row what counts: not its spinners and digits, unless it has nothing else."""
    return content(row).strip() or row.strip()


def _is_echo(row: str, text: str, stood: str) -> bool:
    """Whether a row is a piece of the text, behind something that stood there before: a prompt."""
    return any(row[at:] in text and row[:at] in stood for at in range(len(row)))

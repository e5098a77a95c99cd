"""A case in which two terminals differ, made as small as it can be while they still do."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tests.support.oracle.case import Case, Step

_PIECES = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|[\xc0-\xff][\x80-\xbf]+|\r\n|.", re.DOTALL
)


def shrunk(case: Case, differ: Callable[[Sequence[Case]], list[bool]]) -> Case:
    """`differ` says of several cases at once whether the two differ in their ends."""
    pieces: list[Step] = []
    for step in case.steps:
        pieces += [step] if isinstance(step, tuple) else _PIECES.findall(step)
    length = max(1, len(pieces) // 2)
    while True:
        starts = range(0, len(pieces), length)
        tried = [_joined(case, pieces[:at] + pieces[at + length :]) for at in starts]
        found = [at for at, still in zip(starts, differ(tried), strict=True) if still]
        if found:
            del pieces[found[-1] : found[-1] + length]
        elif length == 1:
            return _joined(case, pieces)
        else:
            length = max(1, length // 2)


def _joined(case: Case, pieces: Sequence[Step]) -> Case:
    steps: list[Step] = []
    for piece in pieces:
        if isinstance(piece, bytes) and steps and isinstance(steps[-1], bytes):
            steps[-1] += piece
        else:
            steps.append(piece)
    return Case(case.name, case.cols, case.rows, steps)

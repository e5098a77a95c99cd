"""Rows of a screen as they may be shown on another terminal. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from roost_protocol.text import printable

_SGR = re.compile("(\x1b\\[[0-9;:]*m)")


def plain(rows: Iterable[str]) -> list[str]:
    """Text alone, without control and bidirectional characters."""
    return [printable(row) for row in rows]


def coloured(rows: Iterable[str]) -> list[str]:
    """Text and SGR sequences, and nothing else that a terminal would act on."""
    return ["".join(part if number % 2 else printable(part) for number, part in enumerate(_SGR.split(row))) for row in rows]

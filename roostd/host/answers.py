"""What terminals say by themselves, between the keys that a person presses. Pure."""

from __future__ import annotations

import re

_STRING = rb"[\]P_][^\x07\x1b]{0,9999}(?:\x07|\x1b\\)"
_ANSWERS = re.compile(rb"\x1b(?:\[[IO]|\[[?>]?[0-9;:]*[Rcnt]|\[\?[0-9;:]*u|\[\??[0-9;]*\$y|" + _STRING + rb")")
"""Where the cursor is, what it is, modes, sizes, colours, focus."""

_UNASKED = re.compile(
    rb"(\x1b\[200~.*?(?:\x1b\[201~|\Z))"  # a paste is a person's, whatever is in it
    rb"|\x1b\[[IO]"  # focus
    rb"|\x1b\[48;[0-9;:]*t"  # its size (mode 2048)
    rb"|\x1b\[\?997;[0-9]+n"  # dark or light (mode 2031)
    rb"|\x1b\[<(?:35|39|43|47|51|55|59|63);[0-9]+;[0-9]+M"  # the pointer has moved, no button is down (mode 1003 with 1006 or 1016)
    rb"|\x1b\[M[CGKOSW\[_]..",  # the same, without
    re.DOTALL,
)
_FOCUS = re.compile(rb"\x1b\[([IO])")


def answers_only(data: bytes) -> bool:
    """Whether nothing of it is a person's doing."""
    return data.startswith(b"\x1b") and not _ANSWERS.sub(b"", data)


def without_unasked(data: bytes) -> bytes:
    """Without what a terminal says when it is looked at, left, resized or pointed at."""
    return _UNASKED.sub(lambda found: found[1] or b"", data) if b"\x1b" in data else data


def focus_of(data: bytes) -> bool | None:
    """The focus that data which is nothing but such a report tells: whether it is there."""
    told = _FOCUS.fullmatch(data)
    return told[1] == b"I" if told else None

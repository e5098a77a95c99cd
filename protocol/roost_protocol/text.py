"""What of a foreign text may be shown to a terminal.

Names, titles, questions and screens come from programs nobody vouches for: a control character in them could move the
reader's cursor, answer a question for them, or turn the text around. `printable` is the one place that removes such.
"""

import re

_UNSAFE = (
    "[\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidirectional controls (Unicode, UAX #9)
    "\u2028\u2029\ud800-\udfff]"  # line and paragraph separators; lone surrogates
)
"""Compiled by `re` when first needed: most texts are plain, and `roost ls` must not wait for it."""

_REPLACED = {"\n": " ", "\t": " ", "\r": " ", "\u2028": " ", "\u2029": " "}


def printable(text: str) -> str:
    """`text` on one line without control and bidirectional characters.

    Line breaks, tabs and Unicode's separators become one space each, lone surrogates U+FFFD, everything else unsafe
    is dropped. The result can always be encoded as UTF-8.
    """
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_UNSAFE, _safe, text)


def _safe(match: re.Match[str]) -> str:
    char = match.group()
    if "\ud800" <= char <= "\udfff":
        return "\ufffd"
    return _REPLACED.get(char, "")

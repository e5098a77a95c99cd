"""How many columns a text takes in a terminal, and text made to fit. Pure."""

from __future__ import annotations

from roost_protocol.text import printable


def width(text: str) -> int:
    """Columns, never fewer than a terminal uses: wide characters count two (UAX #11), combining marks none."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def one_line(text: str) -> str:
    """`text` safe to show, each run of white space as one blank: what was read off a screen is full of them."""
    return " ".join(printable(text).split())


def clip(text: str, columns: int) -> str:
    """`text`, or as much of its beginning as fits `columns` with an ellipsis."""
    if width(text) <= columns:
        return text
    if columns < 1:
        return ""
    kept, used = [], 1
    for char in text:
        used += _columns(char)
        if used > columns:
            break
        kept.append(char)
    return "".join(kept) + "…"


def pad(text: str, columns: int) -> str:
    """`text` with blanks behind it, up to `columns`."""
    return text + " " * (columns - width(text))


def _columns(char: str) -> int:
    if char.isascii():
        return 1
    import unicodedata

    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        # Variation selector 16 makes the character before it an emoji, two columns wide in some terminals.
        return 1 if char == "\ufe0f" else 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1

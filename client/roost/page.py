"""A screen as a page of HTML that needs nothing else and runs nothing. Pure."""

from __future__ import annotations

from html import escape

from roost_protocol.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Json = dict[str, Any]

FOREGROUND, BACKGROUND = "#d4d4d4", "#1e1e1e"
SCHEMES = ("http:", "https:", "mailto:", "file:")
"""Where a link may lead; any other is text."""

_PALETTE = (
    *("#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5"),
    *("#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff"),
)
_CUBE = (0, 95, 135, 175, 215, 255)
_UNDERLINES = {1: "solid", 2: "double", 3: "wavy", 4: "dotted", 5: "dashed"}

_PAGE = """<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
body {{ margin: 1em; color: {foreground}; background: {background}; }}
pre {{ margin: 0; font-family: monospace; line-height: 1.2; }}
pre a {{ color: inherit; }}
.w {{ display: inline-block; width: 2ch; }}
</style>
</head>
<body>
<pre>
{rows}</pre>
</body>
</html>
"""


def page(title: str, picture: Json) -> str:
    """A whole page: the rows of a `pictures.Picture` without the empty ones at its end."""
    lines = [_row(row, picture["looks"]) for row in picture["cells"]]
    while lines and not lines[-1]:
        lines.pop()
    text = "".join(f"{line}\n" for line in lines)
    return _PAGE.format(title=escape(printable(title)), rows=text, foreground=FOREGROUND, background=BACKGROUND)


def _row(row: Sequence[Sequence[Any]], looks: Sequence[Json]) -> str:
    return "".join(_run(text, count, width, looks[look]) for text, count, width, look in row)


def _run(text: str, count: int, width: int, look: Json) -> str:
    cells = (text,) if count == 1 else text
    shown = escape(printable(text)) if width == 1 else "".join(f'<span class="w">{escape(printable(cell))}</span>' for cell in cells)
    if css := _css(look):
        shown = f'<span style="{escape(css)}">{shown}</span>'
    link = look.get("link") or ""
    if link.lower().startswith(SCHEMES):
        shown = f'<a href="{escape(printable(link))}" rel="noopener noreferrer">{shown}</a>'
    return shown


def _css(look: Json) -> str:
    foreground, background = _colour(look.get("fg")), _colour(look.get("bg"))
    if look.get("inverse"):
        foreground, background = background or BACKGROUND, foreground or FOREGROUND
    if look.get("dim"):
        foreground = _mixed(foreground or FOREGROUND, background or BACKGROUND)
    found = {
        "color": "transparent" if look.get("hidden") else foreground,
        "background": background,
        "font-weight": "bold" if look.get("bold") else None,
        "font-style": "italic" if look.get("italic") else None,
        "text-decoration": _decoration(look),
    }
    return "; ".join(f"{name}: {value}" for name, value in found.items() if value)


def _decoration(look: Json) -> str | None:
    """CSS draws the lines of one element in one style."""
    lines = [name for name, key in (("underline", "underline"), ("line-through", "strike"), ("overline", "overline")) if look.get(key)]
    if not lines:
        return None
    kind = _UNDERLINES.get(look.get("underline", 1), "solid")
    colour = _colour(look.get("underline_colour")) if look.get("underline") else None
    return " ".join([*lines, *([kind] if kind != "solid" else []), *([colour] if colour else [])])


def _colour(value: int | str | None) -> str | None:
    """A look's colour as CSS has it; the palette's first 16 are ours, the others xterm's."""
    if value is None or isinstance(value, str):
        return value
    if value < 16:
        return _PALETTE[value]
    if value < 232:
        value -= 16
        return f"#{_CUBE[value // 36]:02x}{_CUBE[value // 6 % 6]:02x}{_CUBE[value % 6]:02x}"
    return "#" + f"{8 + (value - 232) * 10:02x}" * 3


def _mixed(colour: str, other: str) -> str:
    """Half of the way from one colour to the other."""
    halves = [(int(colour[at : at + 2], 16) + int(other[at : at + 2], 16)) // 2 for at in (1, 3, 5)]
    return "#" + "".join(f"{half:02x}" for half in halves)

"""How a cell looks: colours and attributes, and the SGR sequence that sets them.

Colours are integers: -1 the default, 0 to 255 the palette, from 0x1000000 on `0x1000000 | rgb`.
"""

import re
from typing import NamedTuple

BOLD, DIM, ITALIC, BLINK, INVERSE, HIDDEN, STRIKE, OVERLINE, PROTECTED = (1 << n for n in range(9))
DEFAULT_COLOUR = -1
RGB = 0x1000000

_SET = {1: BOLD, 2: DIM, 3: ITALIC, 5: BLINK, 6: BLINK, 7: INVERSE, 8: HIDDEN, 9: STRIKE, 53: OVERLINE}
_CLEAR = {22: BOLD | DIM, 23: ITALIC, 25: BLINK, 27: INVERSE, 28: HIDDEN, 29: STRIKE, 55: OVERLINE}
_FLAG_CODES = {BOLD: 1, DIM: 2, ITALIC: 3, BLINK: 5, INVERSE: 7, HIDDEN: 8, STRIKE: 9, OVERLINE: 53}
_MEMO_LIMIT = 512
_MEMO_LENGTH = 16
_PARAMS_LIMIT = 32
_DIGITS, _HUGE = 9, 0x7FFFFFFF  # a number of more digits is the largest there is


class Style(NamedTuple):
    """One look. `underline` is 0 to 5 as in SGR 4:n; equal values are equal styles, whoever made them.

    PROTECTED among the flags is nothing to see: what is drawn so outlasts a selective erasure (DECSCA). Every SGR 0 ends it (xterm.js).
    `link` is what stands behind `OSC 8 ;`: `params;uri`, printable and bounded, or "" for none. SGR does not touch it.
    """

    fg: int = DEFAULT_COLOUR
    bg: int = DEFAULT_COLOUR
    flags: int = 0
    underline: int = 0
    underline_colour: int = DEFAULT_COLOUR
    link: str = ""

    @property
    def uri(self) -> str:
        """Where the link leads; "" for none."""
        return self.link.partition(";")[2]

    def linked(self, link: str) -> "Style":
        """The same look behind another link, or behind none."""
        return self if link == self.link else interned(self._replace(link=link))

    def protected(self, on: bool) -> "Style":
        """The same look, safe from selective erasure or not."""
        flags = self.flags | PROTECTED if on else self.flags & ~PROTECTED
        return self if flags == self.flags else interned(self._replace(flags=flags))

    def erased(self) -> "Style":
        """What erasing leaves behind: the background alone (ECMA-48's "background colour erase", as xterm)."""
        return DEFAULT if self.bg == DEFAULT_COLOUR else Style(bg=self.bg)

    def sgr(self) -> str:
        """The sequence that makes a terminal in any state draw in this style."""
        known = _sequences.get(self)
        if known is None:
            known = _sequences[self] = f"\x1b[{';'.join(['0', *_codes(self)])}m"
            _bound(_sequences)
        return known

    def link_change(self, other: "Style") -> str:
        """What makes a terminal that draws behind `other`'s link draw behind this one's."""
        return "" if self.link == other.link else f"\x1b]8;{self.link or ';'}\x1b\\"

    def alone(self, text: str) -> str:
        """`text` in this style, which leaves a terminal in the default style and in nothing that text could join."""
        return self.link_change(DEFAULT) + self._set() + text + DEFAULT.link_change(self) + DEFAULT._set(self)

    def change_from(self, other: "Style") -> str:
        """What makes a terminal that draws in `other` draw in this style; "" if they are the same."""
        if self.link == other.link:
            return "" if self == other else self._set(other)
        return self.link_change(other) + (self._set(other) if self[:-1] != other[:-1] else "")

    def _set(self, other: "Style | None" = None) -> str:
        """`sgr`, and what protects or, behind `other`, no longer protects."""
        if self.flags & PROTECTED:
            return self.sgr() + '\x1b[1"q'
        return self.sgr() + ('\x1b[0"q' if other and other.flags & PROTECTED else "")


DEFAULT = Style()

_sequences: dict[Style, str] = {}
_changes: dict[tuple[Style, str], Style] = {}
_styles: dict[Style, Style] = {DEFAULT: DEFAULT}


def _bound(memo: dict[Style, str] | dict[tuple[Style, str], Style] | dict[Style, Style]) -> None:
    if len(memo) > _MEMO_LIMIT:
        memo.clear()


def _codes(style: Style) -> list[str]:
    codes = [str(code) for flag, code in _FLAG_CODES.items() if style.flags & flag]
    if style.underline:
        codes.append("4" if style.underline == 1 else f"4:{style.underline}")
    codes += _colour_codes(style.fg, 30, 38) + _colour_codes(style.bg, 40, 48)
    if style.underline_colour >= RGB:
        value = style.underline_colour & 0xFFFFFF
        codes.append(f"58:2::{value >> 16}:{value >> 8 & 255}:{value & 255}")
    elif style.underline_colour >= 0:
        codes.append(f"58:5:{style.underline_colour}")
    return codes


def _colour_codes(colour: int, base: int, extended: int) -> list[str]:
    if colour < 0:
        return []
    if colour < 8:
        return [str(base + colour)]
    if colour < 16:
        return [str(base + 60 + colour - 8)]
    if colour < 256:
        return [f"{extended};5;{colour}"]
    return [f"{extended};2;{colour >> 16 & 255};{colour >> 8 & 255};{colour & 255}"]


def apply_sgr(style: Style, params: str) -> Style:
    """`style` after `CSI params m`; sub-parameters may follow a `:`. Unknown and broken codes change nothing."""
    if params in ("", "0") and not style.link:
        return DEFAULT
    if len(params) > _MEMO_LENGTH:
        return interned(_apply(style, params))
    key = (style, params)
    known = _changes.get(key)
    if known is None:
        known = _changes[key] = interned(_apply(style, params))
        _bound(_changes)
    return known


def interned(style: Style) -> Style:
    """The one object of this value: cells that look alike share it."""
    known = _styles.setdefault(style, style)
    if len(_styles) > _MEMO_LIMIT:
        _styles.clear()
        _styles[DEFAULT] = DEFAULT
    return known


def _apply(style: Style, params: str) -> Style:
    fg, bg, flags, underline, underline_colour, link = style
    groups = params.split(";", _PARAMS_LIMIT)[:_PARAMS_LIMIT]
    index = 0
    while index < len(groups):
        group = groups[index]
        what, value = _CODES.get(group) or _code(group)
        index += 1
        if what == _FOREGROUND:
            fg = value
        elif what == _BACKGROUND:
            bg = value
        elif what == _ADD:
            flags |= value
        elif what == _REMOVE:
            flags &= ~value
        elif what == _UNDERLINE:
            underline = value
        elif what == _UNDERLINE_COLOUR:
            underline_colour = value
        elif what == _RESET:
            fg, bg, flags, underline, underline_colour = DEFAULT[:-1]
        elif what == _EXTENDED:
            values = [_number(part.partition(":")[0]) for part in groups[index : index + 4]]
            colour, used = _colour_of_parameters(values)
            index += used
            if colour is not None and value == 38:
                fg = colour
            elif colour is not None and value == 48:
                bg = colour
            elif colour is not None:
                underline_colour = colour
    return Style(fg, bg, flags, underline, underline_colour, link)


def _code(group: str) -> tuple[int, int]:
    """What one parameter with its sub-parameters does."""
    first, *more = [_number(part) for part in group.split(":")]
    if first in _COLOUR_CODES and more:
        colour = _colour_of_subparameters(more)
        return (_NOTHING, 0) if colour is None else (_COLOUR_CODES[first], colour)
    if first == 4 and more:
        return _UNDERLINE, more[0] if more[0] <= 5 and not group.startswith("4::") and group != "4:" else 1
    return _CODES.get(str(first), (_NOTHING, 0))


def _number(text: str) -> int:
    digits = text.lstrip("0")
    if len(digits) > _DIGITS:
        return _HUGE
    return int(digits) if digits else 0


def _colour_of_subparameters(values: list[int]) -> int | None:
    """`5:n`, `2:r:g:b` (as konsole wrote it) or `2:space:r:g:b` (ITU T.416); what is missing is 0."""
    if values[0] == 5:
        return _palette(values[1:2])
    if values[0] == 2:
        return _rgb(values[1:4] if len(values) == 4 else values[2:5])
    return None


def _colour_of_parameters(values: list[int]) -> tuple[int | None, int]:
    """The colour in the parameters behind a 38, 48 or 58, and how many of them belong to it: of an unknown kind more than
    there can be, as in xterm.js."""
    kind = values[0] if values else 0
    if kind == 5:
        return _palette(values[1:2]), 2
    if kind == 2:
        return _rgb(values[1:4]), 4
    return None, 5 if kind else 6


def _palette(values: list[int]) -> int:
    """What is too large is taken modulo 256, here as below: xterm.js and ghostty; tmux ignores it."""
    return values[0] & 255 if values else 0


def _rgb(values: list[int]) -> int:
    red, green, blue = (value & 255 for value in [*values, 0, 0, 0][:3])
    return RGB | red << 16 | green << 8 | blue


# What a parameter by itself does: one of these, and to what.
_NOTHING, _RESET, _ADD, _REMOVE, _FOREGROUND, _BACKGROUND, _UNDERLINE, _UNDERLINE_COLOUR, _EXTENDED = range(9)
_COLOUR_CODES = {38: _FOREGROUND, 48: _BACKGROUND, 58: _UNDERLINE_COLOUR}
_CODES: dict[str, tuple[int, int]] = {
    "": (_RESET, 0),
    "0": (_RESET, 0),
    "4": (_UNDERLINE, 1),
    "21": (_UNDERLINE, 2),
    "24": (_UNDERLINE, 0),
    "39": (_FOREGROUND, DEFAULT_COLOUR),
    "49": (_BACKGROUND, DEFAULT_COLOUR),
    "59": (_UNDERLINE_COLOUR, DEFAULT_COLOUR),
    **{str(code): (_ADD, flag) for code, flag in _SET.items()},
    **{str(code): (_REMOVE, flags) for code, flags in _CLEAR.items()},
    **{str(30 + n): (_FOREGROUND, n) for n in range(8)},
    **{str(90 + n): (_FOREGROUND, 8 + n) for n in range(8)},
    **{str(40 + n): (_BACKGROUND, n) for n in range(8)},
    **{str(100 + n): (_BACKGROUND, 8 + n) for n in range(8)},
    **{str(code): (_EXTENDED, code) for code in (38, 48, 58)},
}
SGR_SEQUENCE = re.compile("\x1b\\[[0-9;:]*m")

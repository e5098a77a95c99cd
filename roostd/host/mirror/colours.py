"""The palette and the default colours: what they are, what a program makes of them, and what it is told (OSC 4, 10 to 19)."""

import re
from collections.abc import Mapping

FOREGROUND, BACKGROUND, CURSOR = 0xD0D0D0, 0x101010, 0xD0D0D0
_ANSI_COLOURS = (
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
)  # fmt: skip
_LAST = 12  # of the numbers: foreground, background, cursor
_NAMES = {
    "black": 0x000000, "red": 0xFF0000, "green": 0x00FF00, "yellow": 0xFFFF00, "blue": 0x0000FF, "magenta": 0xFF00FF,
    "cyan": 0x00FFFF, "white": 0xFFFFFF, "gray": 0xBEBEBE,
}  # fmt: skip
_GREY = re.compile("gray([0-9]{1,3})")
PALETTE = 1_000
"""Numbers from here on are the palette's."""
_RGB = re.compile("rgb:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})")
_SHARP = re.compile("#(?:[0-9a-fA-F]{3}){1,4}")
_FIELDS = 64
COLOUR_NUMBERS = frozenset(("4", *(str(number) for number in range(10, _LAST + 1))))
RESET_NUMBERS = frozenset(("104", *(str(number) for number in range(110, 101 + _LAST))))


def parsed(spec: str) -> int | None:
    """X11's `rgb:r/g/b` or `#rgb`, one to four digits each, or a name programs use, as 0xRRGGBB; None for anything else."""
    match = _RGB.fullmatch(spec)
    if match:
        red, green, blue = (round(int(part, 16) * 255 / int("f" * len(part), 16)) for part in match.groups())
    elif _SHARP.fullmatch(spec):
        digits = (len(spec) - 1) // 3
        parts = [spec[1 + n * digits : 1 + (n + 1) * digits] for n in range(3)]
        red, green, blue = (int(part.ljust(2, "0")[:2], 16) for part in parts)
    else:
        return _named(spec[:_FIELDS].lower().replace(" ", "").replace("grey", "gray"))
    return red << 16 | green << 8 | blue


def _named(name: str) -> int | None:
    level = _GREY.fullmatch(name)
    if level:
        percent = int(level[1])
        return (percent * 255 + 50) // 100 * 0x10101 if percent <= 100 else None
    return _NAMES.get(name)


def palette_colour(index: int) -> int:
    """xterm's palette: 16 colours, a cube of 216, 24 greys."""
    if index < 16:
        return _ANSI_COLOURS[index]
    if index >= 232:
        return (8 + (index - 232) * 10) * 0x10101
    red, green, blue = (index - 16) // 36, (index - 16) // 6 % 6, (index - 16) % 6
    return sum((55 + 40 * level if level else 0) << shift for level, shift in ((red, 16), (green, 8), (blue, 0)))


def numbered(payload: str) -> list[tuple[int, str]]:
    """The colours an OSC 4, 10, 11 or 12 is about, each with what is to become of it: a colour, or `?`."""
    number, _, rest = payload.partition(";")
    fields = rest.split(";")[:_FIELDS]
    if number == "4":
        pairs = zip(fields[::2], fields[1::2], strict=False)
        return [(PALETTE + int(index), value) for index, value in pairs if _is_index(index)]
    if number in COLOUR_NUMBERS:
        return [(n, value) for n, value in enumerate(fields, int(number)) if n <= _LAST]
    return []


def settings(payload: str) -> list[str]:
    """What an OSC 4 or 10 to 12 sets, as one payload for each colour; what it asks for is left out."""
    number, _, rest = payload.partition(";")
    fields = rest.split(";")[:_FIELDS]
    if number == "4":
        pairs = zip(fields[::2], fields[1::2], strict=False)
        return [f"4;{index};{value}" for index, value in pairs if _is_index(index) and value not in ("", "?")]
    if number in COLOUR_NUMBERS:
        return [f"{n};{value}" for n, value in enumerate(fields, int(number)) if n <= _LAST and value not in ("", "?")]
    return []


def _foreign(payload: str) -> set[int]:
    """The colours an OSC may set on a real terminal, though we do not know them or not to what."""
    number, _, rest = payload.partition(";")
    fields = rest.split(";")[:_FIELDS]
    found = numbered(payload) if number == "4" else enumerate(fields, int(number))
    return {n for n, value in found if value not in ("", "?") and (number == "4" or n <= _LAST)}


def _is_index(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 3 and int(text) < 256


class Colours:
    """What a program has set, in front of the terminal's own."""

    def __init__(self) -> None:
        self._own = {10: FOREGROUND, 11: BACKGROUND, 12: CURSOR}
        self._set: dict[int, int] = {}
        self._touched: set[int] = set()
        """Whose value on a terminal that heard the same may not be its person's any more, set or reset."""

    def be(self, foreground: int, background: int, cursor: int) -> None:
        """The terminal's own colours, each 0xRRGGBB."""
        self._own = {10: foreground, 11: background, 12: cursor}

    @property
    def is_dark(self) -> bool:
        """Whether the background is rather dark (ITU-R BT.601's luma)."""
        value = self._value(11)
        return 299 * (value >> 16) + 587 * (value >> 8 & 255) + 114 * (value & 255) < 128_000

    def hear(self, payload: str, terminator: str) -> str:
        """OSC 4 or 10 to 19: sets colours, and tells those that are asked for, each in a sequence of its own."""
        answers: list[str] = []
        self._touched |= _foreign(payload)
        for number, value in numbered(payload):
            colour = parsed(value)
            if value == "?":
                answers.append(f"\x1b]{_name(number)};{_spec(self._value(number))}{terminator}")
            elif colour is not None:
                self._set[number] = colour
        return "".join(answers)

    def reset(self, number: str, rest: str) -> None:
        """OSC 104 with the colours it names or all, or one of 110 to 119."""
        if number != "104":
            self._unset({int(number) - 100})
        elif not rest:
            self._unset(set(range(PALETTE, PALETTE + 256)))
        else:
            self._unset({PALETTE + int(index) for index in rest.split(";")[:_FIELDS] if _is_index(index)})

    def _unset(self, numbers: set[int]) -> None:
        self._touched |= numbers
        for number in numbers:
            self._set.pop(number, None)

    def forget(self) -> None:
        """RIS: nothing is set."""
        self._set.clear()

    def undone(self, theirs: Mapping[int, int]) -> str:
        """What gives another terminal that heard the same its person's colours back: `theirs` as far as it told them, else its own."""
        known = "".join(f"\x1b]{_name(n)};{_spec(theirs[n])}\x1b\\" for n in sorted(self._touched & theirs.keys()))
        unknown = sorted(self._touched - theirs.keys())
        others = "".join(f"\x1b]{100 + n}\x1b\\" for n in unknown if n < PALETTE)
        palette = ";".join(str(n - PALETTE) for n in unknown if n >= PALETTE)
        return others + (f"\x1b]104;{palette}\x1b\\" if palette else "") + known

    def sequences(self) -> list[str]:
        """What sets the same on another terminal."""
        return [f"\x1b]{_name(number)};{_spec(colour)}\x1b\\" for number, colour in self._set.items()]

    def _value(self, number: int) -> int:
        colour = self._set.get(number)
        if colour is None:
            colour = palette_colour(number - PALETTE) if number >= PALETTE else self._own[number]
        return colour


def _name(number: int) -> str:
    return f"4;{number - PALETTE}" if number >= PALETTE else str(number)


def _spec(colour: int) -> str:
    red, green, blue = colour >> 16, colour >> 8 & 255, colour & 255
    return f"rgb:{red:02x}{red:02x}/{green:02x}{green:02x}/{blue:02x}{blue:02x}"

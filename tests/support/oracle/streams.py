"""Random cases of what programs write: text of all widths, colours, moves, edits, regions, screens, modes, links, and resizes.

What roost and the oracle decide differently (docs/terminal.md) is left out, or every case would find it again; so are relative moves in
origin mode, which xterm.js counts from the wrong row, DECSTR, where it switches off modes that the standard leaves alone, and DECALN
within margins, which it does not reset.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from tests.support.oracle.case import Case, Step

SIZES = ((20, 6), (12, 5), (40, 10), (9, 4), (80, 24), (33, 8))
WORDS = ("alpha", "be", "c", "delta-echo", "fox trot", "42", "=>", "x" * 25)
WIDE = ("漢", "字", "한글", "日本語", "😀", "🚀", "ｗｉｄｅ")
MARKED = ("e\u0301", "a\u0308\u0323", "नि", "漢\u0301")
LINKS = ("https://example.org/a", "mailto:a@example.org", "file:///etc/hosts")
MODES = (1, 7, 25, 66, 1000, 1002, 1003, 1004, 1006, 2004)


def case(seed: int) -> Case:
    """The case of this seed, the same every time."""
    chance = random.Random(seed)
    cols, rows = chance.choice(SIZES)
    resizes = chance.random() < 0.6
    steps: list[Step] = []
    for _ in range(chance.randint(1, 4)):
        text = "".join(piece(chance) for _ in range(chance.randint(3, 40)))
        if resizes and chance.random() < 0.6:
            steps += [(text + BEFORE_RESIZE).encode(), chance.choice(SIZES)]
        else:
            steps.append(text.encode())
    if resizes:
        steps = [_TAB_STOPS.sub(b"", step) if isinstance(step, bytes) else step for step in steps]
    return Case(f"seed {seed}", cols, rows, steps, frozenset(range(len(steps))))


_TAB_STOPS = re.compile(rb"\x1bH|\x1b\[3?g")
BEFORE_RESIZE = "\x1b[999B"
"""Where it resizes, xterm.js loses text of long lines below the cursor, and sets tab stops anew that were cleared."""


def cut(chance: random.Random, data: bytes) -> list[bytes]:
    """The bytes in pieces of random lengths."""
    pieces, at = [], 0
    while at < len(data):
        length = chance.choice((1, 1, 2, 3, 7, 20, 200))
        pieces.append(data[at : at + length])
        at += length
    return pieces


def piece(chance: random.Random) -> str:
    """One thing that a program writes: some text, or a sequence or two."""
    return chance.choices(_MAKERS, _WEIGHTS)[0](chance)


def _text(chance: random.Random) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(chance.randint(1, 4)))


def _wide(chance: random.Random) -> str:
    return "".join(chance.choice((*WIDE, *MARKED, "a")) for _ in range(chance.randint(1, 6)))


def _sgr(chance: random.Random) -> str:
    return f"\x1b[{';'.join(_code(chance) for _ in range(chance.randint(1, 3)))}m"


def _code(chance: random.Random) -> str:
    n, rgb = chance.randrange(256), ";".join(str(chance.randrange(256)) for _ in range(3))
    plain = chance.choice((0, 1, 2, 3, 4, 5, 7, 8, 9, 21, 22, 23, 24, 25, 27, 28, 29, 39, 49, 53, 55, 59))
    colon = rgb.replace(";", ":")
    choices = (
        *("", str(plain), str(plain), str(30 + n % 8), str(40 + n % 8), str(90 + n % 8), str(100 + n % 8), f"4:{n % 6}"),
        *(f"38;5;{n}", f"48;5;{n}", f"38;2;{rgb}", f"48;2;{rgb}", f"38:5:{n}", f"48:2::{colon}", f"58:5:{n}", f"58:2::{colon}"),
    )
    return chance.choice(choices)


def _number(chance: random.Random) -> str:
    return chance.choice(("", "", "0", "1", "2", "3", "5", "12", "99"))


def _csi(finals: str) -> Callable[[random.Random], str]:
    return lambda chance: f"\x1b[{_number(chance)}{chance.choice(finals)}"


def _position(chance: random.Random) -> str:
    return f"\x1b[{_number(chance)};{_number(chance)}{chance.choice('Hf')}"


def _erase(chance: random.Random) -> str:
    return chance.choice(("\x1b[J", "\x1b[1J", "\x1b[2J", "\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[3X", "\x1b[X"))


def _region(chance: random.Random) -> str:
    return chance.choice(("\x1b[r", "\x1b[2;4r", "\x1b[1;3r", "\x1b[3;99r"))


def _lines(chance: random.Random) -> str:
    return chance.choice(("\r\n", "\r\n", "\r\n", "\n", "\r", "\x1bD", "\x1bM", "\x1bE", "\x0b", "\x0c"))


def _flood(chance: random.Random) -> str:
    return "".join(f"line {n} {'=' * chance.randrange(30)}\r\n" for n in range(chance.randint(3, 30)))


def _mode(chance: random.Random) -> str:
    return f"\x1b[?{chance.choice(MODES)}{chance.choice('hhl')}"


def _screen(chance: random.Random) -> str:
    """1049 saves and restores the cursor: what `_cursor` says of that."""
    between = "".join(chance.choice((_text, _sgr, _position, _erase))(chance) for _ in range(chance.randrange(4)))
    there_and_back = f"\x1b[?1047l\x1b[?1049h{between}\x1b[?1049l{AFTER_RESTORE}"
    return chance.choice(("\x1b[?47h", "\x1b[?47l", "\x1b[?1047h", "\x1b[?1047l", there_and_back))


AFTER_RESTORE = "\x1b[m\x1b]8;;\x07"


def _cursor(chance: random.Random) -> str:
    """A saved cursor is restored soon: xterm.js moves it with the text that scrolls, which a terminal does not do. Links and the looks
    of an underline it does not restore, by accident."""
    save, restore = chance.choice((("\x1b7", "\x1b8"), ("\x1b[s", "\x1b[u"), ("\x1b[?1048h", "\x1b[?1048l")))
    between = "".join(chance.choice((_sgr, _position, _erase, _csi("ABCDG")))(chance) for _ in range(chance.randrange(4)))
    return save + between + chance.choice(("", "漢x", "\x1b(0")) + restore + AFTER_RESTORE + chance.choice(("", "\x1b[6n", "q\x1b(B"))


def _tab(chance: random.Random) -> str:
    return chance.choice(("\t", "\t", "\x1bH", "\x1b[g", "\x1b[3g", "\x1b[Z", "\x1b[2I"))


def _string(chance: random.Random) -> str:
    end = chance.choice(("\x07", "\x1b\\"))
    link = f"\x1b]8;;{chance.choice((*LINKS, ''))}{end}"
    title = f"\x1b]{chance.choice('02')};title {chance.randrange(9)}{end}"
    return chance.choice((link, link, title, "\x1bPunknown\x1b\\", "\x1b_apc\x1b\\"))


_OTHERS = (
    *("\x07", "\b", "\b\b", "\x1b[4h", "\x1b[4l", "\x1b(0qx\x1b(B", "\x1b[3b"),
    *("\x1b[r\x1b[m\x1b#8", "\x1b[?25h\x1bc", "\x1b[>4;2m", "\x18"),
)


def _other(chance: random.Random) -> str:
    return chance.choice(_OTHERS)


_TABLE: tuple[tuple[Callable[[random.Random], str], int], ...] = (
    (_text, 12),
    (_wide, 6),
    (_sgr, 9),
    (_lines, 9),
    (_position, 5),
    (_csi("ABCDEFGade`"), 5),
    (_erase, 4),
    (_csi("@P"), 3),
    (_csi("LM"), 2),
    (_csi("ST"), 2),
    (_region, 2),
    (_flood, 1),
    (_mode, 2),
    (_screen, 1),
    (_cursor, 3),
    (_tab, 3),
    (_string, 3),
    (_other, 2),
)
_MAKERS = [maker for maker, _ in _TABLE]
_WEIGHTS = [weight for _, weight in _TABLE]

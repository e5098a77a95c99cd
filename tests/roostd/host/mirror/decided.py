"""What is decided otherwise than @xterm/headless does it, with the reason and with what tmux and libghostty-vt make of the same bytes.

All of it that shows in cells; answers, titles and new sizes are tested where they belong. Where libghostty-vt, as the second engine,
differs stands in `differences`.
"""

from typing import NamedTuple


class Decision(NamedTuple):
    """What each terminal shows after `written`: rows as text with SGR, without trailing blanks and blank rows at the end.

    `cases` are the given cases that are about it.
    """

    about: str
    reason: str
    size: tuple[int, int]
    written: str
    ours: tuple[str, ...]
    xterm: tuple[str, ...]
    tmux: tuple[str, ...]
    ghostty: tuple[str, ...]
    cases: tuple[str, ...] = ()


_HALF = "a half of a wide character is nothing that a terminal can draw; a blank in its place keeps all that follows in its column"
_ORIGIN = "with origin mode on, moving by steps goes on from where the cursor is; xterm.js adds the top margin once more"
_MARK = "a mark joins the cell before the cursor whatever came in between: it cannot stand by itself; xterm.js gives it a cell of no width"
_REGION = "\x1b[2;4r\x1b[?6h\x1b[2;2H"
_CUF = (("", "", "  z"), ("", "", "", "  z"), ("", "", "  z"), ("", "", "  z"))
_COLOUR = "\x1b[0;38;2;1;2;3mx\x1b[0m"

DECISIONS = [
    Decision(
        "38:2:r:g:b without a colour space",
        "nobody writes a colour space and two colours; konsole, tmux and many programs wrote this form for years",
        (6, 1), "\x1b[38:2:1:2:3mx",
        ours=(_COLOUR,), xterm=("\x1b[0;38;2;2;3;0mx\x1b[0m",), tmux=(_COLOUR,), ghostty=(_COLOUR,),
        cases=("sgr_colon_rgb_nocs",),
    ),
    Decision(
        "a mark with nothing before it",
        "there is no cell that it could join; xterm.js gives it one of no width, which moves what follows",
        (6, 1), "\u0301x",
        ours=("x",), xterm=("\u0301x",), tmux=("x",), ghostty=("x",),
        cases=("combining_col0", "combining_col0_row0"),
    ),
    Decision("a mark behind SGR", _MARK, (6, 1), "e\x1b[m\u0301x", ("e\u0301x",), ("e\u0301x",), ("e\u0301x",), ("e\u0301x",)),
    Decision("a mark behind a move", _MARK, (6, 1), "ab\x1b[1;2H\u0301x", ("a\u0301x",), ("a\u0301x",), ("a\u0301x",), ("a\u0301x",)),
    Decision("a wide character cut by an insertion", _HALF, (6, 1), "漢字\x1b[2G\x1b[@", ("   字",), ("  字",), ("漢 字",), ("   字",)),
    Decision("CUF in origin mode", _ORIGIN, (6, 5), _REGION + "\x1b[Cz", *_CUF),
    Decision("CUU in origin mode", _ORIGIN, (6, 5), _REGION + "\x1b[Az", ("", " z"), ("", "", " z"), ("", " z"), ("", " z")),
    Decision(
        "DECRC with nothing saved, in origin mode",
        "without a saved cursor origin mode ends and the cursor goes home (VT510), to the screen's first row",
        (6, 5), _REGION + "\x1b8z",
        ours=("z",), xterm=("", "z"), tmux=("z",), ghostty=("z",),
    ),
    Decision(
        "DECALN with margins", "it sets the margins to the whole screen (VT510); xterm.js leaves them",
        (4, 4), "\x1b[2;3r\x1b#8\x1b[3;1H\nz",
        ours=("EEEE", "EEEE", "EEEE", "zEEE"), xterm=("EEEE", "EEEE", "z", "EEEE"),
        tmux=("EEEE", "EEEE", "EEEE", "zEEE"), ghostty=("EEEE", "EEEE", "EEEE", "zEEE"),
    ),
    Decision(
        "a mark behind a wide character without a place", "the cell that it joins stays as wide as it was; xterm.js makes it wide",
        (6, 1), "\x1b[?7labcde漢\u0301",
        ours=("abcde\u0301",), xterm=("abcde\u0301",), tmux=("abcde\u0301",), ghostty=("abcde\u0301",),
    ),
    Decision(
        "what follows a wide character without a place falls on half of the one before", _HALF,
        (6, 1), "\x1b[?7labcd漢字z",
        ours=("abcd z",), xterm=("abcd漢z",), tmux=("abcd z",), ghostty=("abcd z",),
    ),
    Decision(
        "CSI T with five parameters", "that is highlight mouse tracking, as xterm itself has it; no other terminal knows it",
        (4, 3), "a\x1b[1;2;3;4;5Tz",
        ours=("az",), xterm=(" z", "a"), tmux=(" z", "a"), ghostty=("az",),
    ),
    Decision(
        "DECIC where a wrap is pending", "the cursor is in the last column; xterm.js takes it for the first (tmux has no DECIC)",
        (6, 1), "abcdef\x1b[2'}",
        ours=("abcde",), xterm=("  abcd",), tmux=("abcdef",), ghostty=("abcde",),
    ),
    Decision(
        "a saved cursor and what scrolls", "it is a place on the screen; in xterm.js it moves with the text",
        (6, 3), "\x1b[2;1H\x1b7\x1b[3;1H\n\x1b8z",
        ours=("", "z"), xterm=("z",), tmux=("", "z"), ghostty=("", "z"),
    ),
    Decision(
        "DECRC and a link", "DECSC saves the whole look; in xterm.js the link comes back with the next SGR",
        (6, 1), "\x1b7\x1b]8;;http://a\x07\x1b8x\x1b[my",
        ours=("xy",), xterm=("x\x1b]8;;http://a\x07y\x1b]8;;\x07",), tmux=("xy",), ghostty=("xy",),
    ),
    Decision(
        "DECRC and the colour of underlines", "DECSC saves the whole look; xterm.js keeps the colour that was set since",
        (6, 1), "\x1b7\x1b[4;58:5:1m\x1b8\x1b[4mx",
        ours=("\x1b[0;4mx\x1b[0m",), xterm=("\x1b[0;4;58:5:1mx\x1b[0m",), tmux=("\x1b[0;4mx\x1b[0m",), ghostty=("\x1b[0;4mx\x1b[0m",),
    ),
    Decision(
        "SGR 6", "it is blinking too, a faster one (ECMA-48); xterm.js does not know it",
        (6, 1), "\x1b[6mx",
        ours=("\x1b[0;5mx\x1b[0m",), xterm=("x",), tmux=("\x1b[0;5mx\x1b[0m",), ghostty=("\x1b[0;5mx\x1b[0m",),
    ),
    Decision(
        "a C1 control within a string", "a string is swallowed up to its end, whatever is in it; xterm.js shows the rest of it",
        (6, 1), "\x1b]0;t\x84uv\x07w", ("w",), ("uvw",), ("w",), ("w",),
    ),
    Decision(
        "DCS, APC, PM and SOS beyond ASCII", "a string is swallowed up to its end, whatever is in it; xterm.js shows the rest of it",
        (6, 1), "\x1b_a漢uv\x1b\\w", ("w",), ("uvw",), ("w",), ("w",),
    ),
    Decision(
        "tab stops of the alternate screen", "there is one set of them; in xterm.js each screen has its own, which no program expects",
        (20, 1), "\x1b[3g\x1b[?1047h\tx",
        ours=(" " * 19 + "x",), xterm=(" " * 8 + "x",), tmux=(" " * 19 + "x",), ghostty=(" " * 19 + "x",),
    ),
    Decision(
        "links are not underlined", "a link is no attribute; how it is shown is the attached terminal's affair (xterm.js says underlined)",
        (6, 1), "\x1b]8;;http://a\x07x",
        ours=("x",), xterm=("\x1b[0;4mx\x1b[0m",), tmux=("x",), ghostty=("x",),
    ),
]  # fmt: skip

KNOWN = {case: decision.reason for decision in DECISIONS for case in decision.cases}
"""The given cases among them."""

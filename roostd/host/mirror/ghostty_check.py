"""Whether the installed libghostty-vt is the one that this package was written for: asked once, before it is trusted."""

import ctypes

from roostd.host.mirror import ghostty_library as native
from roostd.host.mirror import ghostty_vt
from roostd.host.mirror.ghostty_mirror import GhosttyMirror
from roostd.host.mirror.interface import Cell
from roostd.host.mirror.style import BOLD, DEFAULT, RGB, Style

_SAMPLE = (
    "gone\r\n漢\x1b[1;31mb\x1b[m e\u0301\x1b[48;2;1;2;3m\x1b[K\r\n"
    "\x1b[4:3;48;5;9mu\x1b[m \x1b]8;id=1;http://localhost/\x1b\\l\x1b]8;;\x1b\\\r\n\x1b[44m\x1b[K\x1b[m"
)
_GROUND = Style(bg=RGB | 0x010203)
_EXPECTED = [
    [
        Cell("漢", 2, DEFAULT),
        Cell("b", 1, Style(fg=1, flags=BOLD)),
        Cell(" ", 1, DEFAULT),
        Cell("e\u0301", 1, DEFAULT),
        Cell(" ", 1, _GROUND),
    ],
    [Cell("u", 1, Style(bg=9, underline=3)), Cell(" ", 1, DEFAULT), Cell("l", 1, Style(link="id=1;http://localhost/"))],
    [Cell(" ", 1, Style(bg=4))] * 6,
]
_FIELDS = {"CODEPOINT": ghostty_vt.CONTENT, "CONTENT_TAG": ghostty_vt.TAG, "WIDE": ghostty_vt.WIDTH, "STYLE_ID": ghostty_vt.STYLE}


def problem() -> str | None:
    """What is wrong with it, in a sentence; None if nothing is."""
    try:
        loaded = native.library()
        wrong = native.mismatches(loaded)
        if wrong:
            return f"this version of pyghostty is not known to roost: {wrong[0]}"
        mirror = GhosttyMirror(6, 3)
        return _wrong_cells(mirror) or _wrong_layout(loaded, mirror)
    except (OSError, MemoryError, ValueError, KeyError) as error:
        return str(error)


def _wrong_cells(mirror: GhosttyMirror) -> str | None:
    mirror.feed(_SAMPLE.encode())
    if mirror.cells() != _EXPECTED or mirror.history(9) != ["gone"] or mirror.cursor != (0, 2):
        return f"libghostty-vt shows a known sample as {mirror.ansi(9)!r}, not as it should"
    return None


def _wrong_layout(loaded: native.Library, mirror: GhosttyMirror) -> str | None:
    """Compares how cells of all kinds are read here with what the library says of them."""
    for cell in mirror.screen.vt.raw():
        for name, (shift, mask) in _FIELDS.items():
            told = ctypes.c_uint32()
            loaded.cell_get(cell, native.ENUMS["GhosttyCellData"][name], ctypes.byref(told))
            if name == "CODEPOINT" and cell & ghostty_vt.TAG[1] > 1:
                continue
            if told.value != cell >> shift & mask:
                return f"libghostty-vt lays out a cell's {name} in another way: {cell:#x}"
    return None

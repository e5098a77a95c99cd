"""libghostty-vt, the shared library inside the package `pyghostty`: found, loaded and declared for ctypes.

The package's own binding is not imported: to parse its 3,500 lines of declarations would cost every host half a second
and many megabytes. What is used of the C interface stands here, and `mismatches` compares all of it with what the
library says of itself (`ghostty_type_json`), so that another version is refused and never misread.
"""

import ctypes
import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# Constants of the C interface: the enum, then the members that are used.
ENUMS: dict[str, dict[str, int]] = {
    "GhosttyTerminalOption": {"SCROLLBACK_MAX_BYTES": 27, "SCROLLBACK_MAX_LINES": 28, "RESIZE_PULL_SCROLLBACK": 40},
    "GhosttyTerminalData": {"CURSOR_X": 3, "CURSOR_Y": 4, "CURSOR_PENDING_WRAP": 5, "SCROLLBACK_ROWS": 15},
    "GhosttyRenderStateData": {"DIRTY": 3, "ROW_ITERATOR": 4},
    "GhosttyRenderStateDirty": {"FALSE": 0, "PARTIAL": 1, "FULL": 2},
    "GhosttyRenderStateOption": {"OVERSCAN": 1},
    "GhosttyRenderStateRowData": {"RAW": 2, "CELLS": 3, "CELLS_RAW": 5},
    "GhosttyRenderStateRowCellsData": {"STYLE": 2, "GRAPHEMES_LEN": 3, "GRAPHEMES_BUF": 4},
    "GhosttyCellData": {"CODEPOINT": 1, "CONTENT_TAG": 2, "WIDE": 3, "STYLE_ID": 6, "HAS_HYPERLINK": 7},
    "GhosttyCellContentTag": {"CODEPOINT": 0, "CODEPOINT_GRAPHEME": 1, "BG_COLOR_PALETTE": 2, "BG_COLOR_RGB": 3},
    "GhosttyCellWide": {"NARROW": 0, "WIDE": 1, "SPACER_TAIL": 2, "SPACER_HEAD": 3},
    "GhosttyRowData": {"WRAP_CONTINUATION": 2},
    "GhosttyPointTag": {"SCREEN": 2},
    "GhosttyStyleColorTag": {"NONE": 0, "PALETTE": 1, "RGB": 2},
    "GhosttyFormatterFormat": {"VT": 1},
}


class Cells(ctypes.Structure):
    """The raw cells of a row, 64 bits each."""

    _fields_ = [("ptr", ctypes.c_void_p), ("len", ctypes.c_size_t)]


class GridRef(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("node", ctypes.c_void_p), ("x", ctypes.c_uint16), ("y", ctypes.c_uint16)]


class Place(ctypes.Structure):
    """Column and row; in C one arm of a union, which ctypes would not pass by value."""

    _fields_ = [("x", ctypes.c_uint16), ("y", ctypes.c_uint32), ("padding", ctypes.c_uint64)]


class Point(ctypes.Structure):
    """A place, and what it is counted from."""

    _fields_ = [
        ("tag", ctypes.c_int),
        ("value", Place),
    ]


class Overscan(ctypes.Structure):
    _fields_ = [("above", ctypes.c_uint16), ("below", ctypes.c_uint16)]


class Selection(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("start", GridRef), ("end", GridRef), ("rectangle", ctypes.c_bool)]


class ScreenExtra(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        *((name, ctypes.c_bool) for name in ("cursor", "style", "hyperlink", "protection", "kitty_keyboard", "charsets")),
    ]


class TerminalExtra(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        *((name, ctypes.c_bool) for name in ("palette", "modes", "scrolling_region", "tabstops", "pwd", "keyboard")),
        ("screen", ScreenExtra),
    ]


class FormatterOptions(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("emit", ctypes.c_int),
        ("unwrap", ctypes.c_bool),
        ("trim", ctypes.c_bool),
        ("extra", TerminalExtra),
        ("selection", ctypes.POINTER(Selection)),
    ]


class Style(ctypes.Structure):
    """A cell's style; the colours stay bytes: a tag and a value each."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        *((name, ctypes.c_uint8 * 16) for name in ("fg_color", "bg_color", "underline_color")),
        *((name, ctypes.c_bool) for name in ("bold", "italic", "faint", "blink", "inverse", "invisible", "strikethrough", "overline")),
        ("underline", ctypes.c_int),
    ]


STRUCTS: dict[str, type[ctypes.Structure]] = {
    "GhosttyCellsView": Cells,
    "GhosttyGridRef": GridRef,
    "GhosttyPoint": Point,
    "GhosttyRenderStateOverscan": Overscan,
    "GhosttySelection": Selection,
    "GhosttyFormatterScreenExtra": ScreenExtra,
    "GhosttyFormatterTerminalExtra": TerminalExtra,
    "GhosttyFormatterTerminalOptions": FormatterOptions,
    "GhosttyStyle": Style,
}

_P, _INT, _SIZE, _U16, _U32, _U64 = ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "type_json": (ctypes.c_char_p, []),
    "terminal_new": (_INT, [_P, _P, _U16, _U16]),
    "terminal_free": (None, [_P]),
    "terminal_resize": (_INT, [_P, _U16, _U16, _U32, _U32]),
    "terminal_set": (_INT, [_P, _INT, _P]),
    "terminal_get": (_INT, [_P, _INT, _P]),
    "terminal_vt_write": (None, [_P, ctypes.c_char_p, _SIZE]),
    "terminal_grid_ref": (_INT, [_P, Point, _P]),
    "grid_ref_hyperlink_uri": (_INT, [_P, _P, _SIZE, _P]),
    "formatter_terminal_new": (_INT, [_P, _P, _P, FormatterOptions]),
    "formatter_format_buf": (_INT, [_P, _P, _SIZE, _P]),
    "formatter_free": (None, [_P]),
    "render_state_new": (_INT, [_P, _P]),
    "render_state_free": (None, [_P]),
    "render_state_update": (_INT, [_P, _P]),
    "render_state_clean": (_INT, [_P]),
    "render_state_set": (_INT, [_P, _INT, _P]),
    "render_state_get": (_INT, [_P, _INT, _P]),
    "render_state_row_iterator_new": (_INT, [_P, _P]),
    "render_state_row_iterator_free": (None, [_P]),
    "render_state_row_iterator_next": (ctypes.c_bool, [_P]),
    "render_state_row_iterator_next_dirty": (ctypes.c_bool, [_P, _P]),
    "render_state_row_get": (_INT, [_P, _INT, _P]),
    "render_state_row_cells_new": (_INT, [_P, _P]),
    "render_state_row_cells_free": (None, [_P]),
    "render_state_row_cells_select": (_INT, [_P, _U16]),
    "render_state_row_cells_get": (_INT, [_P, _INT, _P]),
    "cell_get": (_INT, [_U64, _INT, _P]),
    "row_get": (_INT, [_U64, _INT, _P]),
    "snapshot_encode_alloc": (_INT, [_P, _P, _P, _P]),
    "snapshot_decoder_new_buf": (_INT, [_P, _P, _P, _SIZE]),
    "snapshot_decoder_decode": (_INT, [_P, _P]),
    "snapshot_decoder_free": (None, [_P]),
    "unicode_codepoint_width": (ctypes.c_uint8, [_U32]),
    "free": (None, [_P, _P, _SIZE]),
}


class Library:
    """The loaded functions, without their prefix `ghostty_`. OSError if it cannot be loaded or lacks one of them."""

    def __init__(self, path: str) -> None:
        loaded = ctypes.CDLL(path)
        for name, (result, arguments) in _FUNCTIONS.items():
            try:
                function = getattr(loaded, f"ghostty_{name}")
            except AttributeError as error:
                raise OSError(f"{path} has no function ghostty_{name}") from error
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


@cache
def library() -> Library:
    """The library of the installed package, loaded once. OSError says why it cannot be."""
    spec = find_spec("pyghostty")
    if spec is None or not spec.submodule_search_locations:
        raise OSError("the package pyghostty is not installed; pip install 'roost[ghostty]' installs it")
    folder = Path(next(iter(spec.submodule_search_locations))) / "_lib"
    for suffix in (".so", ".dylib"):
        path = folder / f"libghostty-vt{suffix}"
        if path.exists():
            return Library(str(path))
    raise OSError(f"{folder} has no libghostty-vt: this build of pyghostty is not for this system")


def mismatches(loaded: Library) -> list[str]:
    """What of the library is not as it is declared here; empty if all is."""
    types = json.loads(loaded.type_json())["types"]
    return [*_enum_mismatches(types), *_struct_mismatches(types)]


def _enum_mismatches(types: dict[str, Any]) -> list[str]:
    return [
        f"{enum}.{name} is {theirs}, not {ours}"
        for enum, members in ENUMS.items()
        for name, ours in members.items()
        if (theirs := types.get(enum, {}).get("values", {}).get(name)) != ours
    ]


def _struct_mismatches(types: dict[str, Any]) -> list[str]:
    found = []
    for name, ours in STRUCTS.items():
        theirs = types.get(name, {})
        if theirs.get("size") != ctypes.sizeof(ours):
            found.append(f"{name} has {theirs.get('size')} bytes, not {ctypes.sizeof(ours)}")
        for field, place in theirs.get("fields", {}).items():
            offset = getattr(getattr(ours, field, None), "offset", None)
            if offset != place["offset"]:
                found.append(f"{name}.{field} is at {place['offset']}, not {offset}")
    return found

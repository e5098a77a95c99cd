"""One terminal of libghostty-vt: bytes in, rows out. Knows nothing of what is said or asked in the bytes."""

import ctypes
import weakref
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from roostd.host.mirror import ghostty_library as native
from roostd.host.mirror import style as looks
from roostd.host.mirror.history import MAX_ROWS
from roostd.host.mirror.row import NULL, Row
from roostd.host.mirror.style import DEFAULT, Style
from roostd.host.mirror.width import MAX_CELL_CHARACTERS

MAX_SIZE = 65_535
# The library bounds its scrollback in bytes cheaply and in rows dearly (measured: a sixth of the speed), and drops pages of some
# hundred rows. 13 bytes a column and 1.7 MB hold 2,000 ordinary rows at any width; a very wide terminal keeps fewer. Where every cell
# has a colour of its own a row takes several times that: the bound is raised when the library drops rows that should be kept.
_BYTES_PER_COLUMN, _LEAST_BYTES, _MOST_BYTES = 13, 1_700_000, 32 << 20
_TOO_MANY_ROWS = MAX_ROWS * 3 // 2

_OPTION, _DATA = native.ENUMS["GhosttyTerminalOption"], native.ENUMS["GhosttyTerminalData"]
_RENDER, _ROW = native.ENUMS["GhosttyRenderStateData"], native.ENUMS["GhosttyRenderStateRowData"]
_CELLS, _CONTINUES = native.ENUMS["GhosttyRenderStateRowCellsData"], native.ENUMS["GhosttyRowData"]["WRAP_CONTINUATION"]
_OVERSCAN = native.ENUMS["GhosttyRenderStateOption"]["OVERSCAN"]
_SCREEN = native.ENUMS["GhosttyPointTag"]["SCREEN"]
_PALETTE_TAG, _RGB_TAG = 1, 2
_UNCHANGED, _PARTLY = native.ENUMS["GhosttyRenderStateDirty"]["FALSE"], native.ENUMS["GhosttyRenderStateDirty"]["PARTIAL"]
_OUT_OF_SPACE = -3

# How a cell lies in its 64 bits; `engines` compares this with what `ghostty_cell_get` says of cells of every kind.
TAG, CONTENT, STYLE, WIDTH, HYPERLINK = (0, 3), (2, 0xFFFFFF), (26, 0xFFFF), (42, 3), (45, 1)
_GRAPHEME, _BG_PALETTE, _BG_RGB = 1, 2, 3
_WIDE, _TAIL = 1, 2
_LOOK = STYLE[1] << STYLE[0] | HYPERLINK[1] << HYPERLINK[0]  # what tells that a cell may not be in the default style


class Vt:
    """A terminal of `cols` by `rows`. MemoryError if the library has no memory for it."""

    def __init__(self, cols: int, rows: int, handle: ctypes.c_void_p | None = None) -> None:
        self._library = native.library()
        self._size = cols, rows
        if handle is None:
            handle = ctypes.c_void_p()
            _check(self._library.terminal_new(None, ctypes.byref(handle), cols, rows))
        self._handle = handle
        self.close: Callable[[], object] = weakref.finalize(self, self._library.terminal_free, handle)
        self._number, self._flag, self._short = ctypes.c_size_t(), ctypes.c_bool(), ctypes.c_uint16()
        self._pen = _pen_options()
        self._look: _Picture | None = None
        self._scrolled = 0
        self._room = 1.0
        self._bound_history()

    def _bound_history(self) -> None:
        ordinary = max(_LEAST_BYTES, MAX_ROWS * self._size[0] * _BYTES_PER_COLUMN)
        limit = ctypes.c_size_t(min(int(ordinary * self._room), _MOST_BYTES))
        _check(self._library.terminal_set(self._handle, _OPTION["SCROLLBACK_MAX_BYTES"], ctypes.byref(limit)))

    def write(self, data: bytes) -> None:
        """Interpret `data`."""
        if self._look is not None and not data.isascii():
            self._look = None  # the library does not note a change of a cell by what only joins it
        self._library.terminal_vt_write(self._handle, data, len(data))
        self._follow_history()

    def _follow_history(self) -> None:
        """Give it room when rows of it were dropped too early, and less again when it has far too many."""
        before, now = self._scrolled, self.scrollback
        self._scrolled = now
        if 0 < now < min(before, MAX_ROWS):  # `before` rows were too many by a page, and it goes by pages
            self._room = min(self._room * max((MAX_ROWS + 1.5 * (before - now)) / before, 1.1), _MOST_BYTES / _LEAST_BYTES)
        elif now > _TOO_MANY_ROWS and self._room > 1:
            self._room = max(self._room * MAX_ROWS * 1.25 / now, 1.0)
        else:
            return
        self._bound_history()

    def resize(self, cols: int, rows: int) -> None:
        _check(self._library.terminal_resize(self._handle, cols, rows, 1, 1))
        self._size = cols, rows
        self._bound_history()

    @property
    def place(self) -> tuple[int, int]:
        """The cursor's column and row from 0; the column equals the number of columns while a wrap is pending."""
        get, handle, short = self._library.terminal_get, self._handle, self._short
        get(handle, _DATA["CURSOR_Y"], ctypes.byref(short))
        y = short.value
        get(handle, _DATA["CURSOR_PENDING_WRAP"], ctypes.byref(self._flag))
        if self._flag.value:
            return self._size[0], y
        get(handle, _DATA["CURSOR_X"], ctypes.byref(short))
        return short.value, y

    @property
    def scrollback(self) -> int:
        """How many rows scrolled off the screen in use, also beyond what is shown of them."""
        self._library.terminal_get(self._handle, _DATA["SCROLLBACK_ROWS"], ctypes.byref(self._number))
        return self._number.value

    def copy(self) -> "Vt | None":
        """Another terminal in the same state; None if the library cannot make one."""
        library, data, length = self._library, ctypes.c_void_p(), ctypes.c_size_t()
        if library.snapshot_encode_alloc(self._handle, None, ctypes.byref(data), ctypes.byref(length)):
            return None
        decoder, handle = ctypes.c_void_p(), ctypes.c_void_p()
        failed = library.snapshot_decoder_new_buf(None, ctypes.byref(decoder), data, length)
        if not failed:
            failed = library.snapshot_decoder_decode(decoder, ctypes.byref(handle))
            library.snapshot_decoder_free(decoder)
        library.free(None, data, length)
        return None if failed else Vt(*self._size, handle)

    def pen(self) -> bytes:
        """SGR sequences that bring about the style that would be drawn in, behind the text of the first cell."""
        library, formatter = self._library, ctypes.c_void_p()
        selection = self._pen.selection.contents
        selection.start = selection.end = self._reference(0, 0)
        _check(library.formatter_terminal_new(None, ctypes.byref(formatter), self._handle, self._pen))
        try:
            return self._filled(lambda buffer, size, needed: library.formatter_format_buf(formatter, buffer, size, needed))
        finally:
            library.formatter_free(formatter)

    def _filled(self, call: Callable[[Any, int, Any], int]) -> bytes:
        needed = ctypes.c_size_t()
        buffer = ctypes.create_string_buffer(1_024)
        result = call(buffer, len(buffer), ctypes.byref(needed))
        if result == _OUT_OF_SPACE:
            buffer = ctypes.create_string_buffer(needed.value)
            result = call(buffer, len(buffer), ctypes.byref(needed))
        _check(result)
        return buffer.raw[: needed.value]

    def _reference(self, x: int, y: int) -> native.GridRef:
        """The cell in column `x` of row `y`, counted from the oldest row there is."""
        reference = native.GridRef(size=ctypes.sizeof(native.GridRef))
        point = native.Point(_SCREEN, native.Place(x, y))
        _check(self._library.terminal_grid_ref(self._handle, point, ctypes.byref(reference)))
        return reference

    def link(self, x: int, y: int) -> str:
        """What stands as the link of a cell, as `_reference` counts; "" if nothing does."""
        reference, uri = self._reference(x, y), self._library.grid_ref_hyperlink_uri
        found = self._filled(lambda buffer, size, needed: uri(ctypes.byref(reference), buffer, size, needed))
        return found.decode("utf-8", "replace")

    def texts(self) -> list[str]:
        """The rows of the screen in use as plain text, without trailing blanks. It costs what changed since it was asked last,
        if that was all ASCII."""
        if self._look is None:
            self._look = _Picture(self._library)
        return self._look.texts(self._handle)

    def _picture(self) -> "_Picture":
        """One to look through now. The library notes only once what has changed, and so `texts` has to begin anew."""
        self._look = None
        return _Picture(self._library)

    def rows(self) -> list[Row]:
        """The rows of the screen in use."""
        return list(self._picture().rows(self, self._handle, 0))

    def history(self, limit: int) -> Iterator[Row]:
        """The last `limit` rows that scrolled off the screen in use."""
        above = min(limit, self.scrollback, MAX_SIZE)
        return islice(self._picture().rows(self, self._handle, above), above)

    def raw(self) -> list[int]:
        """The cells of the screen in use as the library has them."""
        return [cell for row in self._picture().raw(self._handle, 0) for cell in row]


class VtRow(Row):
    """A row whose characters have the widths of the library's own Unicode."""

    def is_plain(self, cell: str, width: int) -> bool:
        return bool(cell) and codepoint_width(cell[0]) == width and not any(map(codepoint_width, cell[1:]))


class _Picture:
    """The library's copy of what a terminal shows, and iterators over its rows and cells."""

    def __init__(self, library: native.Library) -> None:
        self._library = library
        self._state, self._rows, self._cells = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self._view, self._raw = native.Cells(), ctypes.c_uint64()
        self._texts: list[str] = []
        self._style = native.Style(size=ctypes.sizeof(native.Style))
        for new, free, made in (
            (library.render_state_new, library.render_state_free, self._state),
            (library.render_state_row_iterator_new, library.render_state_row_iterator_free, self._rows),
            (library.render_state_row_cells_new, library.render_state_row_cells_free, self._cells),
        ):
            _check(new(None, ctypes.byref(made)))
            weakref.finalize(self, free, made)

    def texts(self, handle: ctypes.c_void_p) -> list[str]:
        """What `Vt.texts` tells, from what the last call left behind."""
        library, rows, dirty, y = self._library, self._rows, ctypes.c_int(), ctypes.c_uint16()
        _check(library.render_state_update(self._state, handle))
        _check(library.render_state_get(self._state, _RENDER["DIRTY"], ctypes.byref(dirty)))
        if dirty.value == _UNCHANGED:
            return self._texts
        _check(library.render_state_get(self._state, _RENDER["ROW_ITERATOR"], ctypes.byref(rows)))
        if dirty.value == _PARTLY:
            self._texts = [*self._texts]
            while library.render_state_row_iterator_next_dirty(rows, ctypes.byref(y)):
                self._texts[y.value] = self._text(self._raw_row())
        else:
            self._texts = []
            while library.render_state_row_iterator_next(rows):
                self._texts.append(self._text(self._raw_row()))
        _check(library.render_state_clean(self._state))
        return self._texts

    def _text(self, raw: list[int]) -> str:
        cells = [_TEXTS[cell] for cell in raw]
        if any(cell & TAG[1] == _GRAPHEME for cell in set(raw)):
            self._library.render_state_row_get(self._rows, _ROW["CELLS"], ctypes.byref(self._cells))
            for x, cell in enumerate(raw):
                if cell & TAG[1] == _GRAPHEME:
                    cells[x] = self._grapheme(x)
        return "".join(cells).replace(NULL, " ").rstrip(" ")

    def rows(self, vt: Vt, handle: ctypes.c_void_p, above: int) -> Iterator[Row]:
        y = vt.scrollback - above
        for n, raw in enumerate(self.raw(handle, above)):
            yield self._row(vt, y + n, raw)

    def raw(self, handle: ctypes.c_void_p, above: int) -> Iterator[list[int]]:
        """The cells of each row; the row is the one that is looked at until the next is asked for."""
        library, rows = self._library, self._rows
        if above:
            _check(library.render_state_set(self._state, _OVERSCAN, ctypes.byref(native.Overscan(above, 0))))
        _check(library.render_state_update(self._state, handle))
        _check(library.render_state_get(self._state, _RENDER["ROW_ITERATOR"], ctypes.byref(rows)))
        while library.render_state_row_iterator_next(rows):
            yield self._raw_row()

    def _raw_row(self) -> list[int]:
        view = self._view
        self._library.render_state_row_get(self._rows, _ROW["CELLS_RAW"], ctypes.byref(view))
        data = ctypes.string_at(view.ptr, view.len * 8)
        count = (len(data.rstrip(b"\0")) + 7) // 8
        return memoryview(data)[: count * 8].cast("Q").tolist()

    def _row(self, vt: Vt, y: int, raw: list[int]) -> Row:
        self._library.render_state_row_get(self._rows, _ROW["RAW"], ctypes.byref(self._raw))
        flag = ctypes.c_bool()
        self._library.row_get(self._raw, _CONTINUES, ctypes.byref(flag))
        row = VtRow()
        row.continues = flag.value
        kinds = set(raw)
        cells = [_TEXTS[cell] for cell in raw]
        if raw and raw[-1] >> WIDTH[0] & WIDTH[1] == _WIDE:
            cells[-1] = NULL  # its other half was cut off
        if not any(cell & (_LOOK | TAG[1]) for cell in kinds):
            row.put(cells, None)
            return row
        self._library.render_state_row_get(self._rows, _ROW["CELLS"], ctypes.byref(self._cells))
        styles = self._styles(raw, kinds)
        if any(cell >> HYPERLINK[0] & HYPERLINK[1] for cell in kinds):
            styles = [s.linked(vt.link(x, y)) if raw[x] >> HYPERLINK[0] & HYPERLINK[1] else s for x, s in enumerate(styles)]
        if any(cell & TAG[1] == _GRAPHEME for cell in kinds):
            places = [x for x, cell in enumerate(raw) if cell & TAG[1] == _GRAPHEME]
            for x in places:
                cells[x] = self._grapheme(x)
            row.clustered = not all(row.is_plain(cells[x], 2 if cells[x + 1 : x + 2] == [""] else 1) for x in places)
        row.put(cells, styles)
        return row

    def _styles(self, raw: list[int], kinds: set[int]) -> list[Style]:
        known: dict[int, Style] = {0: DEFAULT}  # numbers of styles hold within a page, and so within a row
        looks_of: dict[int, Style] = {}
        for cell in kinds:
            number = cell >> STYLE[0] & STYLE[1]
            style = known.get(number)
            if style is None:
                style = known[number] = self._style_at(raw.index(cell))
            background = _background(cell)
            looks_of[cell] = style if background is None else style._replace(bg=background)
        return [looks_of[cell] for cell in raw]

    def _style_at(self, x: int) -> Style:
        library = self._library
        _check(library.render_state_row_cells_select(self._cells, x))
        _check(library.render_state_row_cells_get(self._cells, _CELLS["STYLE"], ctypes.byref(self._style)))
        return styled(bytes(self._style))

    def _grapheme(self, x: int) -> str:
        library, length = self._library, ctypes.c_uint32()
        _check(library.render_state_row_cells_select(self._cells, x))
        _check(library.render_state_row_cells_get(self._cells, _CELLS["GRAPHEMES_LEN"], ctypes.byref(length)))
        buffer = (ctypes.c_uint32 * max(1, length.value))()
        _check(library.render_state_row_cells_get(self._cells, _CELLS["GRAPHEMES_BUF"], buffer))
        return "".join(map(chr, buffer[: min(length.value, MAX_CELL_CHARACTERS)]))


def _pen_options() -> native.FormatterOptions:
    """One cell as VT sequences, and the style to draw in behind it. The selection is filled in before each use."""
    screen = native.ScreenExtra(size=ctypes.sizeof(native.ScreenExtra), style=True)
    return native.FormatterOptions(
        size=ctypes.sizeof(native.FormatterOptions),
        emit=native.ENUMS["GhosttyFormatterFormat"]["VT"],
        extra=native.TerminalExtra(size=ctypes.sizeof(native.TerminalExtra), screen=screen),
        selection=ctypes.pointer(native.Selection(size=ctypes.sizeof(native.Selection))),
    )


@lru_cache(maxsize=512)
def codepoint_width(char: str) -> int:
    """By the library's own Unicode."""
    return int(native.library().unicode_codepoint_width(ord(char)))


class _Texts(dict[int, str]):
    """A raw cell's first character: "" for the second half of a wide one, `NULL` for none. Bounded."""

    def __missing__(self, cell: int) -> str:
        if len(self) >= _MAX_TEXTS:
            self.clear()
        content = cell >> CONTENT[0] & CONTENT[1]
        if cell & TAG[1] in (_BG_PALETTE, _BG_RGB):
            text = NULL
        elif cell >> WIDTH[0] & WIDTH[1] == _TAIL:
            text = ""
        else:
            text = chr(content) if content else NULL
        self[cell] = text
        return text


_MAX_TEXTS = 4_096
_TEXTS = _Texts()


def _background(cell: int) -> int | None:
    """The colour of a cell that has nothing else."""
    tag, content = cell & TAG[1], cell >> CONTENT[0] & CONTENT[1]
    if tag == _BG_PALETTE:
        return content & 0xFF
    if tag == _BG_RGB:
        red, green, blue = content & 0xFF, content >> 8 & 0xFF, content >> 16
        return looks.RGB | red << 16 | green << 8 | blue
    return None


@lru_cache(maxsize=512)
def styled(raw: bytes) -> Style:
    """The library's style as ours."""
    theirs = native.Style.from_buffer_copy(raw)
    flags = 0
    for name, flag in _FLAGS:
        if getattr(theirs, name):
            flags |= flag
    return Style(
        fg=_colour(theirs.fg_color),
        bg=_colour(theirs.bg_color),
        flags=flags,
        underline=theirs.underline,
        underline_colour=_colour(theirs.underline_color),
    )


_FLAGS = (
    ("bold", looks.BOLD),
    ("faint", looks.DIM),
    ("italic", looks.ITALIC),
    ("blink", looks.BLINK),
    ("inverse", looks.INVERSE),
    ("invisible", looks.HIDDEN),
    ("strikethrough", looks.STRIKE),
    ("overline", looks.OVERLINE),
)


def _colour(raw: Any) -> int:
    """A tag in the first four bytes, from the eighth on a palette's index or red, green and blue."""
    if raw[0] == _PALETTE_TAG:
        return int(raw[8])
    if raw[0] == _RGB_TAG:
        return int(looks.RGB | raw[8] << 16 | raw[9] << 8 | raw[10])
    return looks.DEFAULT_COLOUR


def _check(result: int) -> None:
    if result:
        raise MemoryError(f"libghostty-vt: error {result}")

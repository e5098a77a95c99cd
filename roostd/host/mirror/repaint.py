"""A mirror as bytes: what makes another terminal of the same size show and do the same, and a picture for one of another size."""

from collections.abc import Iterable, Iterator

from roostd.host.mirror import modes
from roostd.host.mirror.history import as_row, repainted
from roostd.host.mirror.keyboard import KittyStack
from roostd.host.mirror.parting import default_stops
from roostd.host.mirror.reflow import Line, continues
from roostd.host.mirror.row import NULL, Row
from roostd.host.mirror.screen import SavedCursor, Screen
from roostd.host.mirror.style import DEFAULT, DEFAULT_COLOUR
from roostd.host.mirror.terminal import Terminal

# Ends whatever sequence the other terminal was in the middle of, brings it to its normal screen and switches off what
# a picture may switch on. Its scrollback and its cursor keys' meaning outside are not touched.
_SWITCHED = (1, 5, 6, 9, 12, 45, 66, 1000, 1002, 1003, 1005, 1006, 1015, 1016, 1004, 2004, 2026, 2027, 2031, 2048)
_ASCII = "\x1b(B\x1b)B\x1b*B\x1b+B\x0f"
PLAIN = (
    "\x1b[0m\x1b]8;;\x1b\\\x1b(B\x1b)B\x1b*B\x1b+B\x0f\x1b[r\x1b[4;20l"
    f"\x1b[?{';'.join(str(mode) for mode in _SWITCHED)}l"
    "\x1b[?7h\x1b[?25h\x1b>\x1b[0 q\x1b[>4;0m\x1b[=0;1u"
)
RESET = "\x18\x1b[?1049l" + PLAIN


def repaint(terminal: Terminal, history: int) -> bytes:
    """The bytes, with at most `history` rows of the history in front of the normal screen."""
    screen = terminal.screen
    parts = [RESET, *_normal_screen(screen, history), *_alternate_screen(screen)]
    parts += [*_tab_stops(screen), *_state(screen, terminal), *_cursor(screen)]
    if modes.SYNCHRONIZED in screen.private:
        parts.append("\x1b[?2026h")
    return "".join(parts).encode("utf-8", "replace")


def picture(terminal: Terminal, cols: int, rows: int) -> bytes:
    """For a terminal of another size: what fits of the screen, on its alternate screen so that its scrollback stays as it is.

    Too narrow a terminal loses the right side, too low a one what is furthest from the cursor. Keys work as in the real size.
    """
    screen = terminal.screen
    top = max(0, min(screen.cursor.y - rows + 1, screen.lines - rows))
    shown = screen.rows[top : top + rows]
    parts = ["\x18\x1b[?2026h\x1b[?1049h", PLAIN.replace(";2026", ""), "\x1b[?7l"]
    parts += [f"{_position(0, y)}\x1b[K{row.clipped(cols).pictured()}" for y, row in enumerate(shown)]
    if len(shown) < rows:
        parts.append(_position(0, len(shown)) + "\x1b[J")
    parts += [*_keyboard(screen.keyboard), *_switches(screen, terminal), "\x1b[?6;7l"]
    if screen.cursor.x < cols:
        parts.append(_position(screen.cursor.x, screen.cursor.y - top))
    else:
        parts.append("\x1b[?25l")
    parts.append("\x1b[?2026l")
    return "".join(parts).encode("utf-8", "replace")


def _normal_screen(screen: Screen, history: int) -> Iterator[str]:
    """Printed from the top, history first, so that exactly the history scrolls off."""
    rows = screen.rows if screen.normal_rows is None else screen.normal_rows
    yield "\x1b[H\x1b[2J"
    yield from _scrolled([*screen.history.lines(history), *rows], screen.columns)
    yield from _keyboard(screen.keyboards[False])


def _scrolled(lines: list[Line], columns: int) -> Iterator[str]:
    """Rows one below the other. A row that goes on with the one before is wrapped into by the terminal itself, which so
    knows that they are one line."""
    for number, line in enumerate(lines):
        if number and not (continues(line) and _wraps(as_row(lines[number - 1]), as_row(line), columns)):
            yield "\r\n"
        yield repainted(line)


def _wraps(row: Row, following: Row, columns: int) -> bool:
    """Whether a terminal that has drawn `row` goes on in the next one by itself when it draws `following` there."""
    if following.cells[:1] in ([], [NULL]) or following.style(0).bg != DEFAULT_COLOUR:
        return False
    written = row.written()
    early = written == columns - 1 and following.cells[1:2] == [""] and row.style(written) == following.style(0)
    return written == columns or early


def _alternate_screen(screen: Screen) -> Iterator[str]:
    if not screen.alternate:
        return
    switch = f"\x1b[?{screen.alternate_by}h"
    saved = screen.saved.get(False)
    if screen.alternate_by == 1049:  # which saves the cursor itself
        yield from _saved_cursor(saved, switch)
    else:
        x, y = screen.normal_cursor
        yield from _saved_cursor(saved, "\x1b7")
        yield _position(min(x, screen.columns - 1), y) + switch
    yield "\x1b[0m\x1b[H\x1b[2J\x1b[=0;1u"
    yield from _placed(screen.rows)
    yield from _keyboard(screen.keyboards[True])


def _placed(rows: Iterable[Row]) -> Iterator[str]:
    for y, row in enumerate(rows):
        painted = row.repainted()
        if painted:
            yield _position(0, y) + painted


def _keyboard(stack: KittyStack) -> Iterator[str]:
    """What is in force: the stack below it is the person's (`queries`)."""
    if stack.flags:
        yield f"\x1b[={stack.flags};1u"


def _position(x: int, y: int) -> str:
    return f"\x1b[{y + 1};{x + 1}H"


def _saved_cursor(saved: SavedCursor | None, save: str) -> Iterator[str]:
    """Brings about what was saved, then `save`s it, then takes style, charsets and origin mode back."""
    if saved is None:
        return
    yield saved.style.change_from(DEFAULT) + saved.charsets.sequence()
    if saved.origin:
        yield "\x1b[?6h"  # before the place: it homes the cursor; the region is the whole screen here
    yield _position(saved.x, saved.y) + save
    yield "\x1b[?6l" + DEFAULT.change_from(saved.style) + _ASCII


def _pending(screen: Screen, y: int) -> Iterator[str]:
    """The last column drawn once more, which leaves the cursor behind it."""
    row, columns = screen.rows[screen.cursor.y], screen.columns
    cells = row.cells + [NULL] * (columns - len(row.cells))
    last = columns - 1 if cells[-1] else columns - 2
    style = row.style(last)
    drawn = _position(last, y) + row.drawn_alone(cells[last].replace(NULL, " "), columns - last, style)
    yield f"\x1b[?2027l{drawn}\x1b[?2027h" if screen.graphemes else drawn


def _tab_stops(screen: Screen) -> Iterator[str]:
    if screen.tabstops != default_stops(screen.columns):
        yield "\x1b[3g" + "".join(_position(x, 0) + "\x1bH" for x in sorted(screen.tabstops) if x < screen.columns)


def _state(screen: Screen, terminal: Terminal) -> Iterator[str]:
    yield from _saved_cursor(screen.saved.get(screen.alternate), "\x1b7")
    if screen.margins is not None:
        yield f"\x1b[{screen.margins.top + 1};{screen.margins.bottom + 1}r"
    yield from _switches(screen, terminal)


def _switches(screen: Screen, terminal: Terminal) -> Iterator[str]:
    """Modes, the cursor's shape, the title: what is no place on the screen."""
    if modes.KEYPAD in screen.private:
        yield "\x1b="  # older than its mode 66, which tmux does not know
    switched = sorted(screen.private - modes.DEFAULT - {modes.SYNCHRONIZED, modes.KEYPAD})
    yield from (f"\x1b[?{mode}h" for mode in switched)
    yield from (f"\x1b[?{mode}l" for mode in sorted(modes.DEFAULT - screen.private))
    yield from (f"\x1b[{mode}h" for mode in sorted(modes.ANSI & screen.mode))
    if terminal.cursor_style:
        yield f"\x1b[{terminal.cursor_style} q"
    if terminal.modify_other_keys:
        yield f"\x1b[>4;{terminal.modify_other_keys}m"
    yield from terminal.colours.sequences()
    if terminal.pointer:
        yield f"\x1b]22;{terminal.pointer}\x1b\\"
    if terminal.title is not None:
        yield f"\x1b]2;{terminal.title}\x1b\\"


def _cursor(screen: Screen) -> Iterator[str]:
    """The cursor's place; where a wrap is pending, the last cell drawn once more brings that about."""
    x, y = screen.cursor.x, screen.cursor.y
    top, bottom = screen.region if modes.ORIGIN in screen.private else (0, screen.lines - 1)
    if not top <= y <= bottom and not screen.alternate:
        # It left the other screen, which has margins of its own, for a place that cannot be gone to here.
        yield "\x1b[?47h" + _position(x, y) + "\x1b[?47l"
    elif x >= screen.columns:
        yield from _pending(screen, y - top)
    else:
        yield _position(x, y - top)
    yield screen.style.change_from(DEFAULT)
    yield screen.charsets.sequence()

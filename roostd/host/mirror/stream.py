"""The way of bytes into a terminal: whole runs of text and whole sequences on a short way, all else through the parser.

What the short way does with a piece is exactly what `parser.Parser` and `terminal.Terminal` would do; a sequence seen
before is not parsed again.
"""

import re

from roostd.host.mirror.parser import MAX_PARAMS, Parser
from roostd.host.mirror.style import Style, apply_sgr
from roostd.host.mirror.terminal import Act, Terminal, act_of_csi, act_of_escape, control_act

_PIECES = re.compile("[^\x00-\x1f\x7f-\x9f]+|\r\n|\x1b\\[[<-?]?[0-9;:]*[ -/]*[@-~]|\x1b[ -/]*[0-OQ-WYZ\\\\`-~]|[\x00-\x1f\x7f-\x9f]")
_C1 = re.compile("[\x7f-\x9f]")
_SGR = re.compile("\x1b\\[[0-9;:]*m")
_PLACE = re.compile("\x1b\\[([0-9]{1,4});([0-9]{1,4})H")
_MAX_KNOWN, _MAX_LENGTH, _MAX_STYLES, _MAX_PLACES = 512, 16, 16, 512

# What a sequence does: an act with its numbers, or for SGR the style that follows each one, by that one's identity.
_Styles = dict[int, tuple[Style, Style]]
_known: dict[str, Act | _Styles] = {}
# Where a sequence takes the cursor: column and row, from 0. There are more of these than of all others together, so they have a bound
# of their own.
_places: dict[str, tuple[int, int]] = {}


class Stream:
    """Feeds one terminal."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._parser = Parser(terminal)

    @property
    def between(self) -> bool:
        """Whether no sequence, string or character is cut."""
        return self._parser.between and not self._parser.cut_character

    def feed(self, data: bytes) -> None:
        """Parse more bytes."""
        parser = self._parser
        text = parser.decode(data)
        if not (text.isascii() and "\x7f" not in text) and _C1.search(text):
            parser.parse(text)
        elif text:
            self._run(text)

    def _run(self, text: str) -> None:
        terminal, parser, known, places = self._terminal, self._parser, _known, _places
        screen, draw = terminal.screen, terminal.screen.draw
        cut = not parser.between
        for piece in _PIECES.findall(text):
            if cut:
                parser.parse(piece)
                cut = not parser.between
            elif piece >= " ":
                draw(piece)
            else:
                what = known.get(piece)
                if what is None:
                    place = places.get(piece)
                    if place is None:
                        cut = self._meet(piece)
                        continue
                    screen.go_to(*place)
                elif isinstance(what, dict):
                    style = screen.style
                    change = what.get(id(style))
                    screen.style = _learn_style(what, style, piece) if change is None else change[1]
                else:
                    act, values = what
                    act(terminal, values)
                screen.drew = screen.skipped = False
                screen.cluster = ""

    def _meet(self, piece: str) -> bool:
        """A control or sequence that is not known, or none that is whole; whether the parser is inside something now."""
        terminal = self._terminal
        place = _PLACE.fullmatch(piece)
        if place:
            if len(_places) >= _MAX_PLACES:
                _places.clear()
            found = _places[piece] = max(int(place[2]) - 1, 0), max(int(place[1]) - 1, 0)
            terminal.screen.go_to(*found)
            terminal.screen.forget_drawn()
            return False
        if len(piece) > _MAX_LENGTH and _SGR.fullmatch(piece):
            terminal.csi("m", piece[2:-1][:MAX_PARAMS])
            return False
        if len(piece) <= _MAX_LENGTH:
            act = _act_of(piece)
            if act is not None:
                if len(_known) >= _MAX_KNOWN:
                    _known.clear()
                _known[piece] = act
        self._parser.parse(piece)
        return not self._parser.between


def _learn_style(styles: _Styles, style: Style, piece: str) -> Style:
    if len(styles) >= _MAX_STYLES:
        styles.clear()
    changed = apply_sgr(style, piece[2:-1])
    styles[id(style)] = style, changed
    return changed


def _act_of(piece: str) -> Act | _Styles | None:
    if piece[0] != "\x1b":
        return control_act(piece)
    if piece[1:2] != "[":
        return act_of_escape(piece[1:])
    if _SGR.fullmatch(piece):
        return {}
    return act_of_csi(piece[2:])

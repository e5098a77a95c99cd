"""What of a program's output the library may take as it is, found at the speed of regular expressions.

Text, simple controls and sequences that only draw or move go by in whole runs. Everything else (what speaks, asks or
switches, what is long, broken or odd) goes through our own parser, like all of the other engine's.
"""

import re

from roostd.host.mirror import modes
from roostd.host.mirror.events import SyncOutput
from roostd.host.mirror.ghostty_screen import TAIL, GhosttyTerminal
from roostd.host.mirror.parser import Parser

_BYTE = "(?:1?[0-9]{1,2}+(?![0-9])|2[0-4][0-9]|25[0-5])"
_COLOUR = f"[345]8;(?>5;{_BYTE}|2;{_BYTE};{_BYTE};{_BYTE})"
_ATTRIBUTE = f"(?>{_COLOUR}|(?![345]8)[0-9]{{1,3}}+)"
# Drawing and moving in forms that both engines read alike: the first alternatives are the frequent ones.
DRAWS = (
    "\\[(?>[0-9]{0,2}+[@-IKLMPXZ`adfm]"
    "|[0-9]{0,4}+;[0-9]{0,4}+[Hf]"
    f"|[0-2]?[JK]|[0-9]{{0,5}}+[@-ILMPXZ`adf]|{_ATTRIBUTE}(?>;{_ATTRIBUTE}){{0,8}}+m)"
)
_STRING = "(?>[ -~\x80-\xc1\xc3-\xff]|\xc2[\xa0-\xbf])*+"
_WHOLE = f"\\[[<-?]?+[0-9;:]*+[ -/]*+[@-~]|[ -/]++[0-~]|[0-OQ-WYZ\\\\`-~]|\\]{_STRING}(?>\x07|\x1b\\\\)|[PX^_]{_STRING}\x1b\\\\"
# An ESC that begins something else: all of it if it is whole, else the ESC alone.
_STOP = re.compile(f"\x1b(?!{DRAWS})(?:{_WHOLE})?".encode("latin-1"))
_C1 = re.compile(b"\xc2[\x80-\x9f]")
# A control that the library must not see is 0 here; BS, HT, LF, CR and ESC are seen to elsewhere.
_MARKS = bytes(0 if (n < 0x20 and n not in b"\x08\x09\x0a\x0d\x1b") or n == 0x7F else 1 for n in range(256))
_CUT_SEQUENCE = re.compile(b"\x1b(?:\\[[<-?]?[0-9;:]*)?[ -/]*")
_CUT_CHARACTER = re.compile(b"(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$")
_REPLACED = "\ufffd".encode()
_MAX_HELD = 64
_ENDS = re.compile(b"[\x07\x18\x1a\x9c]|\x1b[\x00-\x7f]?")

# Set around every frame by some programs; what `Terminal.set_modes` does of them, without the way there.
_SWITCHES = {f"\x1b[?{mode}{final}".encode(): (mode, final == "h") for mode in (modes.VISIBLE, modes.SYNCHRONIZED) for final in "hl"}


class Feed:
    """Bytes, cut anywhere, to `terminal` and its screen. Holds back what is cut at the end, at most 64 bytes."""

    def __init__(self, terminal: GhosttyTerminal) -> None:
        self._terminal = terminal
        self._parser = Parser(terminal)
        self._held = b""

    def take(self, data: bytes) -> None:
        data = self._without_cut(self._held + data if self._held else data)
        at = 0
        while at < len(data):
            if not self._parser.between:
                at = self._end_string(data, at)
            elif self._terminal.screen.plain:
                at = self._run(data, at)
            else:
                self._parser.feed(data[at:])
                break
        self._terminal.screen.flush()

    def _without_cut(self, data: bytes) -> bytes:
        """`data` without a sequence or character that goes on in the next chunk; that is held."""
        self._held = b""
        start = data.rfind(b"\x1b", max(0, len(data) - _MAX_HELD))
        if start >= 0 and _CUT_SEQUENCE.fullmatch(data, start):
            self._held = data[start:]
        elif data and data[-1] >= 0x80 and (cut := _CUT_CHARACTER.search(data, max(0, len(data) - 3))):
            self._held = cut.group()
        if not self._held:
            return data
        return _CUT_CHARACTER.sub(_REPLACED, data[: len(data) - len(self._held)])  # what is held begins anew: no character is cut before it

    def _end_string(self, data: bytes, at: int) -> int:
        """Go on with what the parser is inside of, up to where that may be over."""
        end = _ENDS.search(data, at)
        stop = end.end() if end else len(data)
        self._parser.feed(data[at:stop])
        return stop

    def _run(self, data: bytes, at: int) -> int:
        """Take everything from `at` on for as long as the parser is not left inside of something; where it was."""
        screen = self._terminal.screen
        limit = self._first_odd(data, at)
        for stop in _STOP.finditer(data, at, limit):
            start, end = stop.span()
            self._draw(data, at, start)
            at = end
            token = stop.group()
            switch = _SWITCHES.get(token)
            if switch:
                self._switch(*switch)
                continue
            if end - start == 1:
                return self._odd(data, start)
            self._parser.feed(token)
            if not screen.plain:
                return at
        self._draw(data, at, limit)
        return limit if limit == len(data) else self._odd(data, limit)

    def _first_odd(self, data: bytes, at: int) -> int:
        """Where the next control is that does not end a whole string, or the length of `data`."""
        marks = data.translate(_MARKS)
        limit = len(data)
        c1 = _C1.search(data, at)
        if c1:
            limit = c1.start()
        found = marks.find(0, at, limit)
        while found >= 0:
            start = data.rfind(b"\x1b", at, found)
            whole = _STOP.match(data, start) if start >= 0 else None
            if whole is None or whole.end() <= found:
                return found
            found = marks.find(0, whole.end(), limit)
        return limit

    def _odd(self, data: bytes, at: int) -> int:
        """One control or the beginning of a sequence that is not whole or not simple."""
        if data[at] == 0x1B:
            self._parser.feed(data[at:])
            return len(data)
        width = 2 if data[at] == 0xC2 else 1
        self._parser.feed(data[at : at + width])
        return at + width

    def _draw(self, data: bytes, start: int, end: int) -> None:
        screen = self._terminal.screen
        if end == start:
            if start:
                screen.tail = b""
            return
        run = data[start:end]
        if data[end - 1] >= 0x80:
            run = _CUT_CHARACTER.sub(_REPLACED, run)  # what ends it may not reach the library
        screen.send(run)
        screen.tail = run[-TAIL:]

    def _switch(self, mode: int, on: bool) -> None:
        screen = self._terminal.screen
        (screen.private.add if on else screen.private.discard)(mode)
        if mode == modes.SYNCHRONIZED:
            self._terminal.events.append(SyncOutput(on))
        else:
            screen.cursor.hidden = not on

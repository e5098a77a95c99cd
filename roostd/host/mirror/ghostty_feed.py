"""What of a program's output the library may take as it is, found at the speed of regular expressions.

Text, simple controls and sequences that only draw or move go by in whole runs. Everything else (what speaks, asks or
switches, what is long, broken or odd) goes through our own parser, like all of the other engine's.
"""

import re

from roostd.host.mirror import modes
from roostd.host.mirror.events import SyncOutput
from roostd.host.mirror.ghostty_terminal import GhosttyTerminal
from roostd.host.mirror.parser import Parser, split

# Drawing and moving in forms that both engines read alike, and what some programs set around every frame: the frequent first, each
# asked as little as possible, because this is what a stream of frames costs.
_DRAWS = ("\\[[0-9;]{0,46}+[Hfm](?<!;.)", "\\[[0-9]*+[@-IK-MPXZ`ad]", "\\[\\?(?:25|2026)[hl]")
_STRING = "(?:[ -~\x80-\xc1\xc3-\xff]|\xc2[\xa0-\xbf])*"
_WHOLE = f"\\[[<-?]?+[0-9;:]*+[ -/]*+[@-~]|[ -/]++[0-~]|[0-OQ-WYZ\\\\`-~]|\\]{_STRING}(?>\x07|\x1b\\\\)|[PX^_]{_STRING}\x1b\\\\"
# An ESC that begins something else: all of it if it is whole, else the ESC alone.
_STOP = re.compile(f"\x1b{''.join(f'(?!{form})' for form in _DRAWS)}(?:{_WHOLE})?".encode("latin-1"))
_C1 = re.compile(b"\xc2[\x80-\x9f]")
# BEL, SO and SI are for us, DEL the library would draw; other controls mean the same to it or nothing.
_CONTROLS = re.compile(b"[\x07\x0e\x0f\x7f]")
_CUT_SEQUENCE = re.compile(b"\x1b(?:\\[[<-?]?[0-9;:]*)?[ -/]*")
_CUT_CHARACTER = re.compile(
    b"(?:[\xc2-\xdf\xe0-\xef\xf0-\xf4]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])"
    b"|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]?)\\Z"
)
_REPLACED = "\ufffd".encode()
_MAX_HELD = 64
_BRACKET, _QUESTION, _SHORT = ord("["), ord("?"), 32
_ENDS = re.compile(b"[\x07\x18\x1a\x9c]|\x1b[\x00-\x7f]?")

_VISIBLE, _SYNCHRONIZED = (b"\x1b[?%d" % mode for mode in (modes.VISIBLE, modes.SYNCHRONIZED))
_ON, _ENDS_MARGINS = ord("h"), ord("r")
_SAID = {_ON: SyncOutput(True), ord("l"): SyncOutput(False)}


class Feed:
    """Bytes, cut anywhere, to `terminal` and its screen. Holds back what is cut at the end, at most 64 bytes."""

    def __init__(self, terminal: GhosttyTerminal) -> None:
        self._terminal = terminal
        self._parser = Parser(terminal)
        self._held = b""

    @property
    def between(self) -> bool:
        """Whether no sequence, string or character is cut."""
        return self._parser.between and not self._held

    def feed(self, data: bytes) -> None:
        data = self._without_cut(self._held + data if self._held else data)
        at = 0
        while at < len(data):
            if not self._parser.between:
                at = self._end_string(data, at)
            elif self._terminal.screen.takes(data):
                at = self._run(data, at)
            else:
                self._parse(data[at:])
                break
        self._terminal.screen.bound(len(data))

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
        return _mended(data[: len(data) - len(self._held)])

    def _end_string(self, data: bytes, at: int) -> int:
        """Go on with what the parser is inside of, up to where that may be over."""
        end = _ENDS.search(data, at)
        stop = end.end() if end else len(data)
        while stop < len(data) and 0x80 <= data[stop] < 0xC0:  # U+009C may as well have been within a character
            stop += 1
        self._parse(data[at:stop])
        return stop

    def _parse(self, data: bytes) -> None:
        """No character is cut at the end of `data`. What is no UTF-8 is read as the library does."""
        self._parser.parse(data.decode("utf-8", "replace"))

    def _run(self, data: bytes, at: int) -> int:
        """Take everything from `at` on for as long as the parser is not left inside of something; where it was."""
        screen = self._terminal.screen
        limit = self._first_odd(data, at)
        for stop in _STOP.finditer(data, at, limit):
            token = stop[0]
            if token[-1] == _ENDS_MARGINS and screen.hears_margins(token):
                continue
            start, end = stop.span()
            self._draw(data, at, start)
            at = end
            if end - start == 1:
                return self._odd(data, start)
            if token[1] == _BRACKET and end - start <= _SHORT:
                self._terminal.csi(*split(token[2:].decode()))
            else:
                self._parse(token)
            if not screen.takes(data):
                return at
        self._draw(data, at, limit)
        return limit if limit == len(data) else self._odd(data, limit)

    def _first_odd(self, data: bytes, at: int) -> int:
        """Where the next control is that does not end a whole string, or the length of `data`."""
        c1 = _C1.search(data, at) if 0xC2 in data else None
        limit = c1.start() if c1 else len(data)
        if 0x07 not in data and 0x0E not in data and 0x0F not in data and 0x7F not in data:
            return limit
        control = _CONTROLS.search(data, at, limit)
        while control:
            start = data.rfind(b"\x1b", at, control.start())
            whole = _STOP.match(data, start) if start >= 0 else None
            if whole is None or whole.end() <= control.start():
                return control.start()
            control = _CONTROLS.search(data, whole.end(), limit)
        return limit

    def _odd(self, data: bytes, at: int) -> int:
        """One control or the beginning of a sequence that is not whole or not simple."""
        if data[at] == 0x1B:
            self._parse(data[at:])
            return len(data)
        width = 2 if data[at] == 0xC2 else 1
        self._parse(data[at : at + width])
        return at + width

    def _draw(self, data: bytes, start: int, end: int) -> None:
        screen = self._terminal.screen
        if end == start:
            return
        run = _mended(data[start:end])
        if _QUESTION in run:
            self._switch(run)
        screen.send(run)
        screen.drawn(run)
        screen.cluster = ""

    def _switch(self, run: bytes) -> None:
        """What is switched in between what is drawn, as `Terminal.set_modes` does it. The library may hear it too."""
        on = self._terminal.screen.private
        synchronized = run.split(_SYNCHRONIZED)
        if len(synchronized) > 1:
            del synchronized[0]
            self._terminal.events += [_SAID[rest[0]] for rest in synchronized]
            (on.add if synchronized[-1][0] == _ON else on.discard)(modes.SYNCHRONIZED)
        at = run.rfind(_VISIBLE)
        if at >= 0:
            (on.add if run[at + len(_VISIBLE)] == _ON else on.discard)(modes.VISIBLE)


def _mended(run: bytes) -> bytes:
    """`run` with U+FFFD for a character that is cut at its end: the library does not see what cuts it."""
    if not run or run[-1] < 0x80:
        return run
    cut = _CUT_CHARACTER.search(run, max(0, len(run) - 3))
    return run[: cut.start()] + _REPLACED if cut else run

"""What of a program's output the library may take as it is, found at the speed of regular expressions.

Text, simple controls and sequences that only draw or move go by in whole runs. Everything else (what speaks, asks or
switches, what is long, broken or odd) goes through our own parser, like all of the other engine's.
"""

import re
from functools import lru_cache

from roostd.host.mirror import modes
from roostd.host.mirror.events import SyncOutput
from roostd.host.mirror.ghostty_terminal import ONE_FOR_ZERO, GhosttyTerminal
from roostd.host.mirror.parser import Parser, split

# Drawing and moving in forms that both engines read alike: the frequent first, each asked as little as possible, because this is
# what a stream of frames costs. Where no parameter is left out at the end there is no boundary of a word before the letter.
_DRAWS = ("\\[[0-9;]{1,46}+\\B[Hfm]", f"\\[(?:[0-9]{{0,46}}+[@-HKXZ`dfm]|(?:[1-9][0-9]{{0,45}}+)?+[{''.join(sorted(ONE_FOR_ZERO))}])")
_STRING = "(?:[ -~\x80-\xc1\xc3-\xff]|\xc2[\xa0-\xbf])*"
_WHOLE = f"\\[[<-?]?+[0-9;:]*+[ -/]*+[@-~]|[ -/]++[0-~]|[0-OQ-WYZ\\\\`-~]|\\]{_STRING}(?>\x07|\x1b\\\\)|[PX^_]{_STRING}\x1b\\\\"
# What programs set around every frame, often several in a row; the library may hear it too.
_FRAME = f"\\[\\?(?:{modes.SYNCHRONIZED}|{modes.VISIBLE})[hl]"
# An ESC that begins something else: all of it if it is whole, else the ESC alone.
_STOP = re.compile(
    f"\x1b{''.join(f'(?!{form})' for form in _DRAWS)}(?:{_FRAME}(?:\x1b{_FRAME})*+|\\[\\?[0-9]++[hl]|{_WHOLE})?".encode("latin-1")
)
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
_MAY_GO_ON = b"\x1b[<=>?" + bytes(range(0x20, 0x3C))  # what a sequence can be cut behind
_BRACKET, _SHORT = ord("["), 32
_ENDS = re.compile(b"[\x07\x18\x1a\x9c]|\x1b[\x00-\x7f]?")

_ENDS_MARGINS = ord("r")
_FRAMES = tuple(b"\x1b[?%d%c" % (mode, end) for mode in (modes.SYNCHRONIZED, modes.VISIBLE) for end in b"hl")


class Feed:
    """Bytes, cut anywhere, to `terminal` and its screen. Holds back what is cut at the end, at most 64 bytes."""

    def __init__(self, terminal: GhosttyTerminal) -> None:
        self._terminal = terminal
        self._screen = terminal.screen
        self._parser = Parser(terminal)
        self._held = b""
        self._only_frames = True

    @property
    def between(self) -> bool:
        """Whether no sequence, string or character is cut."""
        return self._parser.between and not self._held

    def feed(self, data: bytes) -> None:
        if self._held:
            data, self._held = self._held + data, b""
        if not data:
            return
        data = self._without_cut(data)
        if not (self._only_frames and self._parser.between and self._take(data)):
            self._take_by_parts(data)
        self._screen.bound(len(data))

    def _take_by_parts(self, data: bytes) -> None:
        at = 0
        while at < len(data):
            if not self._parser.between:
                at = self._end_string(data, at)
            elif self._screen.takes(data):
                at = self._run(data, at)
            else:
                self._parse(data[at:])
                break

    def _without_cut(self, data: bytes) -> bytes:
        """`data` without a sequence or character that goes on in the next chunk; that is held."""
        last = data[-1]
        if last >= 0x80:
            cut = _CUT_CHARACTER.search(data, max(0, len(data) - 3))
            start = cut.start() if cut else -1
        elif last in _MAY_GO_ON:
            start = data.rfind(b"\x1b", -_MAX_HELD)
            if start >= 0 and not _CUT_SEQUENCE.fullmatch(data, start):
                return data
        else:
            return data
        if start < 0:
            return data
        self._held = data[start:]
        return _mended(data[:start])

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

    def _take(self, data: bytes) -> bool:
        """Take all of `data` at once if nothing is in it but what draws, frames and margins; most of what comes after such data is.
        An expression finds them all in one call."""
        screen = self._screen
        if 0x07 in data or 0x0E in data or 0x0F in data or 0x7F in data or not screen.takes(data):
            return False
        if 0xC2 in data and _C1.search(data):
            return False
        stops = _STOP.findall(data)
        if stops:
            frames, others = [], []
            for stop in stops:
                if stop.startswith(_FRAMES):
                    frames.append(stop)
                else:
                    others.append(stop)
            if others and not screen.hears_margins(others):
                return False
            self._switch(b"".join(frames))
        self._draw(data)
        return True

    def _run(self, data: bytes, at: int) -> int:
        """Take everything from `at` on for as long as the parser is not left inside of something; where it was."""
        screen = self._screen
        limit = self._first_odd(data, at)
        self._only_frames = True
        for stop in _STOP.finditer(data, at, limit):
            token = stop[0]
            if token.startswith(_FRAMES):
                self._switch(token)
                continue
            if token[-1] == _ENDS_MARGINS and screen.hears_margins([token]):
                continue
            self._only_frames = False
            start, end = stop.span()
            self._draw(data[at:start])
            at = end
            if end - start == 1:
                return self._odd(data, start)
            if token[1] == _BRACKET and end - start <= _SHORT:
                self._terminal.csi(*split(token[2:].decode()))
            else:
                self._parse(token)
            if not screen.takes(data):
                return at
        self._draw(data[at:limit])
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

    def _draw(self, run: bytes) -> None:
        if not run:
            return
        if run[-1] >= 0x80:
            run = _mended(run)
        screen = self._screen
        screen.send(run)
        screen.drawn(run)
        screen.cluster = ""

    def _switch(self, frames: bytes) -> None:
        """What `_FRAMES` switch in between what is drawn, as `Terminal.set_modes` does it."""
        on = self._screen.private
        said, shown = _switches(frames)
        if said:
            self._terminal.events += said
            (on.add if said[-1].on else on.discard)(modes.SYNCHRONIZED)
        if shown is not None:
            (on.add if shown else on.discard)(modes.VISIBLE)


@lru_cache(maxsize=64)
def _switches(frames: bytes) -> tuple[tuple[SyncOutput, ...], bool | None]:
    """What a run of `_FRAMES` says, and whether the cursor is visible behind it, if it tells."""
    said, shown = [], None
    for mode, end in re.findall(rb"\x1b\[\?([0-9]+)([hl])", frames):
        if int(mode) == modes.SYNCHRONIZED:
            said.append(SyncOutput(end == b"h"))
        else:
            shown = end == b"h"
    return tuple(said), shown


def _mended(run: bytes) -> bytes:
    """`run` with U+FFFD for a character that is cut at its end: the library does not see what cuts it."""
    if not run or run[-1] < 0x80:
        return run
    cut = _CUT_CHARACTER.search(run, max(0, len(run) - 3))
    return run[: cut.start()] + _REPLACED if cut else run

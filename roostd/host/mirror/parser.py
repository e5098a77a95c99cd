"""Bytes to terminal actions: text, controls, escape sequences and strings, in order.

The states are those of the VT500 parser (Paul Williams' diagram) as xterm has them, with UTF-8 in front: C1 controls are
U+0080 to U+009F. Whole runs of text and whole CSI sequences are taken by one regular expression each; what is cut by a
chunk's end goes character by character, to the same result.
"""

import codecs
import re
from functools import lru_cache
from typing import Literal, Protocol

MAX_PARAMS = 1_024  # characters of a CSI's parameters that are looked at
MAX_STRING = 8_192  # characters of an OSC or DCS; a longer one is swallowed whole

# What is whole in ground state, by group; the last takes any character, so that nothing is ever searched for.
_TOKEN = re.compile("([^\x00-\x1f\x7f-\x9f]+)|\x1b\\[([<-?]?[0-9;:]*[ -/]*[@-~])|([\x00-\x1a\x1c-\x1f])|[\x1b\x7f-\x9f]")
_IS_TEXT, _IS_CSI, _IS_CONTROL = 1, 2, 3
_SEQUENCE = re.compile("([<-?]?)([0-9;:]*)([ -/]*)(.)")
_PARAMS = re.compile("[0-9;:]+")
_LEADING_ZEROS = re.compile("\\A0+(?=[0-9])")
_STRING_BODY = re.compile("[^\x07\x18\x1a\x1b\x80-\x9f]+")

_GROUND, _ESCAPE, _CSI_START, _CSI_PARAMS, _CSI_INTERMEDIATES, _CSI_IGNORE, _STRING, _STRING_ESCAPE = range(8)
_C1_STRINGS = {"\x90": "P", "\x98": "X", "\x9d": "]", "\x9e": "^", "\x9f": "_"}
_MEMO_LENGTH = 64  # what is remembered of sequences must stay small, whatever they are
_KEPT = "]P"
_ABORTS = "\x18\x1a"

Inside = Literal["nothing", "sequence", "string"]


class Sink(Protocol):
    """Who acts on what was parsed."""

    def text(self, text: str) -> None:
        """Characters to draw, no control among them."""

    def control(self, char: str) -> None:
        """A C0 control, or one of C1 that begins nothing, of which U+0084, 85 and 88 mean something (xterm.js)."""

    def escape(self, sequence: str) -> None:
        """ESC with its intermediates and final, without the ESC."""

    def csi(self, kind: str, params: str) -> None:
        """A control sequence. `kind`: private prefix, intermediates and final (`?h`, ` q`); `params` as they came."""

    def osc(self, payload: str, terminator: str) -> None:
        """An operating system command, its number without leading zeros, and what ended it: BEL, `ESC \\` or U+009C."""

    def dcs(self, payload: str) -> None:
        """A device control string."""


class Parser:
    """Feeds one sink. Holds what is incomplete, bounded."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        self._state = _GROUND
        self._collected = ""
        self._params = ""
        self._string_kind = ""
        self._string: list[str] = []
        self._string_length = 0

    @property
    def between(self) -> bool:
        """Whether everything so far is complete: no sequence or string is cut."""
        return self._state == _GROUND

    @property
    def inside(self) -> Inside:
        """What is cut, if anything."""
        if self._state == _GROUND:
            return "nothing"
        return "string" if self._state in (_STRING, _STRING_ESCAPE) else "sequence"

    @property
    def cut_character(self) -> bool:
        """Whether the bytes of a character are not all there yet."""
        return bool(self._decoder.getstate()[0])

    def feed(self, data: bytes) -> None:
        """Parse more bytes."""
        self.parse(self.decode(data))

    def decode(self, data: bytes) -> str:
        """More bytes as characters. What is no UTF-8 is left out, and so is U+FEFF (xterm.js)."""
        text = self._decoder.decode(data)
        return text.replace("\ufeff", "") if "\ufeff" in text else text

    def parse(self, text: str) -> None:
        """Parse more characters."""
        at, end = 0, len(text)
        while at < end:
            at = self._go_on(text, at) if self._state != _GROUND else self._run(text, at)

    def step(self, text: str, at: int) -> int:
        """Parse one run, sequence or character of `text`, which is decoded already; where the next one begins.

        A step that only finds out that the sequence before it is over may take nothing and return `at` itself.
        """
        if self._state != _GROUND:
            return self._go_on(text, at)
        token = _TOKEN.match(text, at)
        assert token is not None
        self._run(token.group(), 0)
        return token.end()

    def _run(self, text: str, at: int) -> int:
        """Parse from `at` in ground state for as long as everything is whole; where it no longer was."""
        draw, control, csi = self._sink.text, self._sink.control, self._sink.csi
        for token in _TOKEN.finditer(text, at):
            kind = token.lastindex
            if kind == _IS_TEXT:
                draw(token[0])
            elif kind == _IS_CSI:
                sequence = token[_IS_CSI]
                csi(*(split(sequence) if len(sequence) <= _MEMO_LENGTH else split.__wrapped__(sequence)))
            elif kind == _IS_CONTROL:
                control(token[0])
            else:
                self._ground(token[0])
                if self._state != _GROUND:
                    return token.end()
        return len(text)

    def _ground(self, char: str) -> None:
        if char == "\x1b":
            self._state, self._collected = _ESCAPE, ""
        elif char in _C1_STRINGS:
            self._start_string(_C1_STRINGS[char])
        elif char == "\x9b":
            self._start_csi()
        elif char != "\x7f":
            self._sink.control(char)

    def _go_on(self, text: str, at: int) -> int:
        """Go on from a state other than ground; where to look next."""
        char = text[at]
        state = self._state
        if state in (_STRING, _STRING_ESCAPE):
            return self._string_step(text, at)
        if char in "\x18\x1a":
            self._state = _GROUND
        elif char == "\x1b" or "\x80" <= char <= "\x9f":
            self._state = _GROUND
            self._ground(char)
        elif char < " ":
            self._sink.control(char)
        elif char == "\x7f":
            pass
        elif char > "\x7f":
            self._state = _GROUND
        elif state == _ESCAPE:
            self._escape_step(char)
        else:
            return self._csi_step(text, at)
        return at + 1

    def _escape_step(self, char: str) -> None:
        if char < "0":
            self._collected = (self._collected + char)[:4]
        elif self._collected:
            self._state = _GROUND
            self._sink.escape(self._collected + char)
        elif char == "[":
            self._start_csi()
        elif char in "]PX^_":
            self._start_string(char)
        else:
            self._state = _GROUND
            self._sink.escape(char)

    def _start_csi(self) -> None:
        self._state, self._collected, self._params = _CSI_START, "", ""

    def _csi_step(self, text: str, at: int) -> int:
        char = text[at]
        if char >= "@":
            kind, ignored = self._collected + char, self._state == _CSI_IGNORE
            self._state = _GROUND
            if not ignored:
                self._sink.csi(kind, self._params)
        elif char < "0":
            if self._state != _CSI_IGNORE:
                self._state = _CSI_INTERMEDIATES
                self._collected = (self._collected + char)[:MAX_PARAMS]
        elif char >= "<":
            self._state = _CSI_PARAMS if self._state == _CSI_START else _CSI_IGNORE
            self._collected += char if self._state == _CSI_PARAMS else ""
        elif self._state in (_CSI_START, _CSI_PARAMS):
            self._state = _CSI_PARAMS
            return self._take_params(text, at)
        else:
            self._state = _CSI_IGNORE
        return at + 1

    def _take_params(self, text: str, at: int) -> int:
        run = _PARAMS.match(text, at)
        assert run is not None
        self._params = (self._params + run.group())[:MAX_PARAMS]
        return run.end()

    def _start_string(self, kind: str) -> None:
        self._state, self._string_kind, self._string, self._string_length = _STRING, kind, [], 0

    def _string_step(self, text: str, at: int) -> int:
        if self._state == _STRING_ESCAPE:
            return self._string_escape(text, at)
        run = _STRING_BODY.match(text, at)
        if run:
            self._keep(run.group())
            return run.end()
        char = text[at]
        if char == "\x1b":
            self._state = _STRING_ESCAPE
        elif char in _ABORTS:
            self._state, self._string = _GROUND, []
        elif char == "\x9c" or (char == "\x07" and self._string_kind == "]"):
            self._end_string(char)
        else:
            self._keep(char)
        return at + 1

    def _string_escape(self, text: str, at: int) -> int:
        """An ESC ends the string whatever follows (xterm); only a backslash belongs to it."""
        self._end_string("\x1b\\")
        if text[at] == "\\":
            return at + 1
        self._state, self._collected = _ESCAPE, ""
        return at

    def _keep(self, piece: str) -> None:
        if self._string_kind not in _KEPT:
            return
        self._string_length += len(piece)
        if self._string_length > MAX_STRING:
            self._string = []
        else:
            self._string.append(piece)

    def _end_string(self, terminator: str) -> None:
        payload = "".join(self._string)
        kind, complete = self._string_kind, self._string_length <= MAX_STRING
        self._state, self._string = _GROUND, []
        if complete and kind == "]":
            self._sink.osc(_LEADING_ZEROS.sub("", payload), terminator)
        elif complete and kind == "P":
            self._sink.dcs(payload)


@lru_cache(maxsize=512)
def split(sequence: str) -> tuple[str, str]:
    """A whole control sequence as kind and parameters."""
    match = _SEQUENCE.fullmatch(sequence)
    assert match is not None
    prefix, params, intermediates, final = match.groups()
    return (prefix + intermediates + final)[:MAX_PARAMS], params[:MAX_PARAMS]


@lru_cache(maxsize=512)
def numbers(params: str) -> tuple[int, ...]:
    """The parameters as numbers: absent is 0, sub-parameters are left out, 65,535 at most, 32 at most."""
    return tuple(_number(part) for part in params.split(";")[:32]) if params else ()


def _number(text: str) -> int:
    digits = text.partition(":")[0].lstrip("0")
    return min(int(digits[:6]), 65_535) if digits else 0

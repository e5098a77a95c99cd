"""No question of a job reaches the terminals attached to it: what the mirror answers they would answer again, and what it does not
answer they would answer to the keyboard, which belongs to the job. Nor does what the mirror does not understand: it would draw what no
picture shows, or stay when a person leaves (`RESTORE` in the client undoes what passes). A job has one level there of the keyboard's stack,
and one of the titles', above its person's: what it pushes and pops is the mirror's affair, and what is then in force is said."""

import codecs
import re

from roostd.host.mirror import colours, modes, osc, replies
from roostd.host.mirror.keyboard import KittyStack
from roostd.host.mirror.parser import MAX_STRING, Inside, Parser, numbers
from roostd.host.mirror.terminal import UNDERSTOOD, understands_escape

_STRINGS = ("\x1bP", "\x90", "\x1bX", "\x98", "\x1b^", "\x9e", "\x1b_", "\x9f")
"""DCS, SOS, PM and APC: pictures, keys, macros, questions, and a multiplexer's own protocol. None of them passes."""
_ASKING_CONTROLS = ("\x05", "\x9a")  # ENQ and DECID
_MAX_HELD = MAX_STRING + 64
_INTRODUCERS = ("\x1b", "\x90", "\x98", "\x9b", "\x9d", "\x9e", "\x9f")
_WHEEL = 1007  # as arrow keys, on the alternate screen: it says nothing to the mirror, and people miss it
_MODES = modes.PRIVATE | {_WHEEL}
"""DEC's private modes that may be switched: who leaves switches them back. Another would stay: VT52's, 132 columns, what a key sends."""
_SCREENS = frozenset(modes.ALTERNATE_SCREENS)
# Text, controls and the sequences that no query looks like, as far as they are whole.
_INNOCENT = re.compile(
    f"(?>[^\x05\x1b\x80-\x9f]+|\x1b\\[[0-9;:]*[@A-MPSTXZfmr]|\x1b\\[\\?(?:{'|'.join(map(str, sorted(_MODES - _SCREENS)))})[hl]|"
    "\x1b\\[\\?[0-9;]*[JK])+"
)
_QUESTIONS = re.compile("(?:22|52;[^;]*);\\?|99;(?:[^;]*:)?p=\\?")
"""Other OSCs that ask: pointer shape, clipboard, notifications."""
_OSC = re.compile("(?:\x1b[\x00-\x1a\x1c-\x1f\x7f]*\\]|\x9d)(0*[0-9]*)")
_KNOWN = frozenset(("0", "2", "8", "9", "22", "52", "99", "133", "777")) | colours.COLOUR_NUMBERS | colours.RESET_NUMBERS
"""The OSCs that pass: titles, colours, links, notifications and progress, the pointer's shape, the clipboard, prompt marks."""
_ATTENTION = "1337;RequestAttention="


class QueryFilter:
    """Stands in the raw relay to attached terminals.

    It removes whatever asks for an answer, answered by the mirror (`replies.asks_*`) or by nobody; strings that are no OSC, and OSCs
    that are not known, among them program status (OSC 7501, which is said to this terminal, not to the one outside); sequences and modes
    that the mirror does not understand; hard resets; and C1 controls within strings. Changes to the keyboard's stack pass as what is in
    force then. All else passes byte for byte, in any chunking; at most one incomplete sequence or character is held back, and never more
    than `parser.MAX_STRING` characters of it.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")  # loses nothing on the way back
        self._parser = Parser(self)
        self.was_reset = False
        """A hard reset (RIS) was removed, which would take a person's scrollback and all of theirs with it: the terminals must be drawn
        anew. Whoever does so clears this."""
        self.was_retitled = False
        """A title was taken back from the stack: the terminals must be told it. Whoever does so clears this."""
        self._between = True
        self._held = ""
        self._embedded = ""  # controls inside what is held
        self._closing = ""
        self._instead = ""  # what passes for what is held
        self._refused = False
        self._removed = False  # the last of what came was removed
        self._alternate = False
        self._keyboards = {False: KittyStack(), True: KittyStack()}
        self._fate: bool | None = None  # of a sequence too long to hold or already let go: pass it (True) or drop it

    def feed(self, data: bytes) -> bytes:
        """What of these bytes, and of those held back before, the terminals may see now."""
        # Three searches for a byte are a hundred times as fast as one for any of the three.
        if self._between and b"\x1b" not in data and b"\xc2" not in data and b"\x05" not in data:
            self._removed = False
            return data
        passed = self._filter(self._decoder.decode(data))
        self._between = self._parser.between and not self._decoder.getstate()[0]
        return passed

    def flush(self) -> bytes:
        """Let go of what is held back; the rest of that sequence will pass too."""
        passed = self._filter(self._decoder.decode(b"", True))
        if not self._parser.between and self._fate is None:
            passed += self._let_go().encode("utf-8", "surrogateescape")
        self._between = self._parser.between
        return passed

    @property
    def between(self) -> bool:
        """Whether what has passed so far ends between two sequences and characters."""
        return self._between

    def _filter(self, text: str) -> bytes:
        parser = self._parser
        passed: list[str] = []
        at, end = 0, len(text)
        while at < end:
            innocent = _INNOCENT.match(text, at) if parser.between else None
            if innocent:
                passed.append(innocent.group())
                at = innocent.end()
                self._removed = False
            else:
                before = parser.inside
                after = parser.step(text, at)
                passed.append(self._judge(text[at:after], before))
                at = after
        return "".join(passed).encode("utf-8", "surrogateescape")

    def _judge(self, taken: str, before: Inside) -> str:
        """What may pass after a step that took `taken`, `before` which the parser was inside something."""
        if before == "string" and not taken:  # the ESC that ended it is held already, and begins the next sequence
            introducer = self._held[-1:]
            self._held = self._held[:-1]
            return self._begin(introducer, "\x1b\\")
        if before == "sequence" and taken in _INTRODUCERS:  # it aborts the sequence
            return self._begin(taken, "\x18")
        if before == "string" and "\x80" <= taken <= "\x9f" and not self._parser.between:
            return ""  # it says nothing there, but xterm.js ends the string before it: a question could follow
        self._held += taken
        if self._parser.between:
            return self._end()
        return self._let_go() if self._fate is not None or len(self._held) > _MAX_HELD else ""

    def _begin(self, introducer: str, closing: str) -> str:
        """A sequence begins and thereby ends the one before; should it be dropped, `closing` has to do that."""
        passed = self._end()
        self._held, self._closing = introducer, closing if passed else ""
        return passed

    def _end(self) -> str:
        drop = self._removed = self._refused or self._held.startswith(_STRINGS) if self._fate is None else not self._fate
        passed = self._closing + self._embedded if drop else self._instead or self._held
        self._held, self._embedded, self._closing, self._instead, self._refused, self._fate = "", "", "", "", False, None
        return passed

    def _let_go(self) -> str:
        """Decide without having seen the end. An ESC within a string is kept: it may begin the next sequence."""
        if self._fate is None:
            string = _OSC.match(self._held)
            self._fate = string[1].lstrip("0") in _KNOWN if string else not self._held.startswith(_STRINGS) and len(self._held) <= _MAX_HELD
        kept = "\x1b" if self._parser.inside == "string" and self._held.endswith("\x1b") else ""
        passed, self._held = self._held.removesuffix(kept), kept
        return passed if self._fate else ""

    # -- what the parser tells (parser.Sink) --------------------------------------------------------------------------

    def text(self, text: str) -> None:
        """Text is never a query."""

    def control(self, char: str) -> None:
        """A control inside a sequence acts all the same, and so passes even if the sequence does not."""
        if char in _ASKING_CONTROLS:
            self._refused = self._refused or self._parser.between
        elif not self._parser.between:
            self._embedded += char

    def escape(self, sequence: str) -> None:
        if sequence == "c":
            self._alternate = False
            self._keyboards = {False: KittyStack(), True: KittyStack()}
            self.was_reset = True
        self._refused = replies.asks_escape(sequence) or sequence == "c" or not understands_escape(sequence)

    def csi(self, kind: str, params: str) -> None:
        first = (numbers(params) or (0,))[0]
        if kind in ("h", "l", "?h", "?l"):
            self._switch(kind, numbers(params))
        elif kind == "b":
            # A repetition right behind a question repeats nothing; without the question it would repeat what stood before.
            self._refused = self._removed
        elif kind in (">u", "<u", "=u"):
            keyboard = self._keyboards[self._alternate]
            keyboard.hear(kind, numbers(params))
            self._instead = f"\x1b[={keyboard.flags};1u"
        elif kind in (">m", ">n"):
            self._refused = bool(params) and first != 4  # of the keys' modifiers only those of other keys are undone
        else:
            self.was_retitled |= kind == "t" and first == 23
            self._refused = kind == "t" or kind not in UNDERSTOOD

    def _switch(self, kind: str, given: tuple[int, ...]) -> None:
        """Of several modes in one sequence those pass that may."""
        if kind[0] == "?" and not _SCREENS.isdisjoint(given):
            self._alternate = kind == "?h"
        known = modes.ANSI if kind in "hl" else _MODES | ({modes.ANSI_CHARSETS} if kind == "?h" else set())
        passing = [mode for mode in given if mode in known]
        self._refused = not passing
        if len(passing) < len(given):
            self._instead = f"\x1b[{kind[:-1]}{';'.join(map(str, passing))}{kind[-1]}"

    def osc(self, payload: str, terminator: str) -> None:
        number, _, rest = payload.partition(";")
        known = number in _KNOWN or payload.startswith(_ATTENTION)
        if number in colours.COLOUR_NUMBERS:
            self._instead = "".join(f"\x1b]{setting}{terminator}" for setting in colours.settings(payload))
            self._refused = not self._instead
            return
        # What says nothing to the mirror is one of ConEmu's commands: a box to click away, a wait, a macro.
        command = number == "9" and osc.notification_9(rest) is None
        self._refused = not known or command or bool(_QUESTIONS.match(payload) or replies.asks_osc(payload))

    def dcs(self, payload: str) -> None:
        """None passes (`_STRINGS`)."""

"""What a program's sequences do with libghostty-vt behind the screen."""

import re

from roostd.host.mirror import modes, osc
from roostd.host.mirror.ghostty_screen import GhosttyScreen
from roostd.host.mirror.parser import numbers
from roostd.host.mirror.style import apply_sgr
from roostd.host.mirror.terminal import Terminal

# SGR that is left to the library, however it comes: the form in which `ghostty_feed` lets it pass.
_PLAIN_SGR = re.compile("[0-9;]{0,46}(?<!;)")
_CONTROLS = {"\x84": "\x1bD", "\x85": "\x1bE", **{char: char for char in "\x08\x09\x0a\x0b\x0c\x0d"}}
_DRAWING = frozenset("@ABCDEFGHILMPXZ`adef")
ONE_FOR_ZERO = frozenset("ILMPae")
"""Where 0 stands for 1, and the library does nothing."""


class GhosttyTerminal(Terminal):
    """Acts on a `GhosttyScreen`: what draws goes to the library, all else is done as for any screen."""

    screen: GhosttyScreen

    def control(self, char: str) -> None:
        drawn = _CONTROLS.get(char)
        if drawn is None:
            super().control(char)
        else:
            self.screen.say(drawn)
        self.screen.forget_drawn()

    def escape(self, sequence: str) -> None:
        if sequence in ("D", "E", "M"):
            self.screen.say(f"\x1b{sequence}")
            self.screen.forget_drawn()
        else:
            super().escape(sequence)

    def csi(self, kind: str, params: str) -> None:
        screen = self.screen
        if kind == "m":
            self._select(params)
        elif kind in "G`" and modes.ORIGIN in screen.private:
            screen.to_column((numbers(params) or (0,))[0] or 1)
        elif kind in _DRAWING:
            values = numbers(params)
            if kind not in "Hf":
                values = values[:1]  # the library ignores a sequence with more than it needs
            if kind in ONE_FOR_ZERO:
                values = tuple(value or 1 for value in values)
            screen.say(f"\x1b[{';'.join(map(str, values))}{kind}")
        elif kind in ("J", "K", "?J", "?K"):
            self._erase(kind, (numbers(params) or (0,))[0])
        elif kind in ("S", "T"):
            self._scroll(kind, numbers(params))
        else:
            super().csi(kind, params)
        screen.forget_drawn()

    def _select(self, params: str) -> None:
        if _PLAIN_SGR.fullmatch(params):
            self.screen.say(f"\x1b[{params}m")
        else:
            self.screen.style = apply_sgr(self.screen.style, params)

    def _erase(self, kind: str, how: int) -> None:
        if how <= (3 if kind[-1] == "J" else 2):
            self.screen.say(f"\x1b[{kind[:-1]}{how}{kind[-1]}")

    def protect(self, how: int) -> None:
        """DECSCA; what is protected the library keeps to itself."""
        self.screen.say(f'\x1b[{how}"q')

    def _scroll(self, final: str, values: tuple[int, ...]) -> None:
        """SU and SD; what leaves the top by SU is lost, and so rows are deleted there instead."""
        screen = self.screen
        count = (values[0] if values else 0) or 1
        if final == "T" and len(values) >= 5:
            return
        top = screen.region[0]
        verb = "M" if final == "S" else "L"
        screen.say(f"\x1b7\x1b[?6l\x1b[m\x1b[{top + 1};1H\x1b[{count}{verb}\x1b8")

    def osc(self, payload: str, terminator: str) -> None:
        if payload.startswith("8;") and payload.count(";") > 1:
            self.screen.set_link(osc.link(payload[2:]))
            self.screen.forget_drawn()
        else:
            super().osc(payload, terminator)

    def _answer_status(self, which: int, private: bool) -> None:
        self.screen.locate()
        super()._answer_status(which, private)

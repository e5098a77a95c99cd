"""What every parsed action means: the sink between the parser and the screen.

Collects, in order, what the program said (`events`) and what it must be told (`replies`).
"""

from collections.abc import Callable

from roostd.host.mirror import charsets, modes, osc, replies
from roostd.host.mirror.charsets import INTRODUCERS
from roostd.host.mirror.colours import COLOUR_NUMBERS, RESET_NUMBERS, Colours
from roostd.host.mirror.events import Bell, Event, HardReset, Progress, SyncOutput, Title
from roostd.host.mirror.parser import numbers, split
from roostd.host.mirror.screen import Screen
from roostd.host.mirror.style import PROTECTED, apply_sgr

MAX_TITLES = 10
_FRAME = {on: SyncOutput(on) for on in (False, True)}


class Terminal:
    """Acts on one screen; implements `parser.Sink`."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.events: list[Event] = []
        self.replies: list[bytes] = []
        self.title: str | None = None
        self.modify_other_keys = 0
        self.cursor_style = 0
        self.colours = Colours()
        self.pointer = ""
        self.progress = False
        """Whether it shows that something goes on (OSC 9;4)."""
        self._titles: list[str] = []
        self._notifications = osc.KittyNotifications()
        self.text = screen.draw

    # -- controls and escapes -----------------------------------------------------------------------------------------

    def control(self, char: str) -> None:
        act = _CONTROLS.get(char)
        if act is not None:
            act(self)
        self.screen.forget_drawn()

    def escape(self, sequence: str) -> None:
        act = _ESCAPES.get(sequence)
        if act is not None:
            act(self)
        elif sequence[0] in INTRODUCERS and len(sequence) == 2:
            self.screen.use_charsets(self.screen.charsets.designated(*sequence))
        self.screen.forget_drawn()

    def bell(self) -> None:
        self.events.append(Bell())

    def shift(self, place: int) -> None:
        """A locking shift: G0 to G3 in use."""
        self.screen.use_charsets(self.screen.charsets.shift(place))

    def next_line(self) -> None:
        self.screen.carriage_return()
        self.screen.index()

    def hard_reset(self) -> None:
        self.screen.reset()
        self.modify_other_keys = self.cursor_style = 0
        self.colours.forget()
        self.pointer = ""
        self.events.append(HardReset())

    def soft_reset(self) -> None:
        self.screen.soft_reset()
        self.cursor_style = 0

    def keypad(self, application: bool) -> None:
        self.screen.set_private(modes.KEYPAD, application)

    # -- control sequences --------------------------------------------------------------------------------------------

    def csi(self, kind: str, params: str) -> None:
        screen = self.screen
        if kind == "m":
            screen.style = apply_sgr(screen.style, params)
        else:
            act = _SEQUENCES.get(kind)
            if act is not None:
                act(self, numbers(params))
            elif replies.asks_csi(kind, params):
                self._answer_csi(kind, numbers(params) or (0,))
        screen.forget_drawn()

    def set_modes(self, values: tuple[int, ...], private: bool, on: bool) -> None:
        for mode in values:
            if private:
                self.screen.set_private(mode, on)
                if mode == modes.SYNCHRONIZED:
                    self.events.append(_FRAME[on])
            else:
                self.screen.set_ansi(mode, on)

    def set_cursor_style(self, values: tuple[int, ...]) -> None:
        style = values[0] if values else 0
        if style <= 6:
            self.cursor_style = style

    def protect(self, how: int) -> None:
        """DECSCA: whether what is drawn from now on outlasts selective erasure."""
        if how <= 2:
            self.screen.style = self.screen.style.protected(how == 1)

    def set_modify_other_keys(self, values: tuple[int, ...]) -> None:
        if not values or values[0] == 4:
            self.modify_other_keys = min(values[1], 2) if len(values) > 1 else 0

    def window(self, values: tuple[int, ...]) -> None:
        """XTWINOPS: the title stack and the sizes; nothing moves a window."""
        first = values[0] if values else 0
        about_title = len(values) < 2 or values[1] in (0, 2)
        if first == 22 and about_title:
            self._titles = [*self._titles, self.title or ""][-MAX_TITLES:]
        elif first == 23 and about_title and self._titles:
            self._set_title(self._titles.pop())
        elif first in (14, 16, 18):
            self._reply(replies.size(first, self.screen.columns, self.screen.lines))

    def _answer_csi(self, kind: str, values: tuple[int, ...]) -> None:
        if kind in replies.DEVICE_ATTRIBUTES:
            self._reply(replies.DEVICE_ATTRIBUTES[kind])
        elif kind == ">q":
            self._reply(replies.name_and_version())
        elif kind in ("n", "?n"):
            self._answer_status(values[0], kind == "?n")
        elif kind in ("$p", "?$p"):
            self._reply(replies.mode_state(values[0], kind == "?$p", self._mode_is_on(values[0], kind == "?$p")))
        elif kind == "?u":
            self._reply(f"\x1b[?{self.screen.keyboard.flags}u")
        elif kind == "?m":
            self._reply(f"\x1b[>4;{self.modify_other_keys}m")

    def _answer_status(self, which: int, private: bool) -> None:
        if which == 5:
            self._reply("\x1b[0n")
        elif which == 996:
            self._reply(replies.colour_scheme(self.colours.is_dark))
        else:
            screen = self.screen
            top = screen.region[0] if modes.ORIGIN in screen.private else 0
            self._reply(replies.cursor_position(min(screen.cursor.x, screen.columns - 1), screen.cursor.y - top, private))

    def _mode_is_on(self, mode: int, private: bool) -> bool:
        if not private:
            return mode in self.screen.mode
        if mode in modes.ALTERNATE_SCREENS:
            return self.screen.alternate
        if mode == modes.SAVE_CURSOR:
            return self.screen.alternate in self.screen.saved
        return mode in self.screen.private

    # -- strings ------------------------------------------------------------------------------------------------------

    def osc(self, payload: str, terminator: str) -> None:
        self.screen.forget_drawn()
        number, _, rest = payload.partition(";")
        if number in ("0", "2"):
            self._set_title(osc.shown(rest))
        elif payload == replies.SUPPORT_QUERY:
            self._reply(f"\x1b]{payload}{terminator}")
        elif number == "8" and ";" in rest:
            self.screen.style = self.screen.style.linked(osc.link(rest))
        elif number in COLOUR_NUMBERS:
            answers = self.colours.hear(payload, terminator)
            if answers:
                self._reply(answers)
        elif number in RESET_NUMBERS:
            self.colours.reset(number, rest)
        elif number == "22":
            self.pointer = osc.pointer(self.pointer, rest)
        else:
            self._hear(number, rest)

    def _hear(self, number: str, rest: str) -> None:
        event: Event | None = None
        if number == "99":
            event = self._notifications.add(rest)
        elif number in _SPEECH:
            event = _SPEECH[number](rest)
        if event is not None:
            self.events.append(event)
            if isinstance(event, Progress):
                self.progress = event.state != 0

    def dcs(self, payload: str) -> None:
        self.screen.forget_drawn()
        if payload.startswith("+q"):
            self._reply(replies.capabilities(payload[2:]))
        elif payload.startswith("$q"):
            self._reply(replies.setting(self._setting(payload[2:])))

    def _setting(self, which: str) -> str | None:
        if which == "m":
            return self.screen.style.sgr()[2:]
        if which == "r":
            top, bottom = self.screen.region
            return f"{top + 1};{bottom + 1}r"
        return {
            " q": f"{self.cursor_style} q",
            '"p': '62;1"p',
            '"q': f'{int(self.screen.style.flags & PROTECTED > 0)}"q',
            "s": f"1;{self.screen.columns}s",
            "t": f"{self.screen.lines}t",
            "*|": f"{self.screen.lines}*|",
        }.get(which)

    def _set_title(self, text: str) -> None:
        self.title = text
        self.events.append(Title(text))

    def _reply(self, text: str) -> None:
        self.replies.append(text.encode())


_SPEECH: dict[str, Callable[[str], Event | None]] = {
    "9": osc.notification_9,
    "133": osc.prompt_mark,
    "777": osc.notification_777,
    "1337": osc.attention_1337,
    "7501": osc.program_status,
}


def _first(values: tuple[int, ...], default: int = 1) -> int:
    return (values[0] if values else 0) or default


_Act = Callable[[Terminal], object]
_ActWithNumbers = Callable[[Terminal, tuple[int, ...]], object]
Act = tuple[_ActWithNumbers, tuple[int, ...]]

_CONTROLS: dict[str, _Act] = {
    "\x07": Terminal.bell,
    "\x08": lambda t: t.screen.backspace(),
    "\x09": lambda t: t.screen.tab(),
    "\x0a": lambda t: t.screen.linefeed(),
    "\x0b": lambda t: t.screen.linefeed(),
    "\x0c": lambda t: t.screen.linefeed(),
    "\x0d": lambda t: t.screen.carriage_return(),
    "\x0e": lambda t: t.shift(1),
    "\x0f": lambda t: t.shift(0),
    "\x84": lambda t: t.screen.index(),
    "\x85": Terminal.next_line,
    "\x88": lambda t: t.screen.set_tab_stop(),
    "\x9a": lambda t: t.csi("c", ""),
}

_ESCAPES: dict[str, _Act] = {
    "7": lambda t: t.screen.save_cursor(),
    "8": lambda t: t.screen.restore_cursor(),
    "=": lambda t: t.keypad(True),
    ">": lambda t: t.keypad(False),
    "D": lambda t: t.screen.index(),
    "E": Terminal.next_line,
    "H": lambda t: t.screen.set_tab_stop(),
    "M": lambda t: t.screen.reverse_index(),
    "Z": lambda t: t.csi("c", ""),
    "c": Terminal.hard_reset,
    "n": lambda t: t.shift(2),
    "o": lambda t: t.shift(3),
    "|": lambda t: t.shift(3),
    "}": lambda t: t.shift(2),
    "~": lambda t: t.shift(1),
    "%G": lambda t: t.screen.use_charsets(charsets.DEFAULT),
    "%@": lambda t: t.screen.use_charsets(charsets.DEFAULT),
    "#8": lambda t: t.screen.alignment_display(),
}

_SEQUENCES: dict[str, _ActWithNumbers] = {
    "@": lambda t, v: t.screen.insert_characters(_first(v)),
    "A": lambda t, v: t.screen.cursor_up(_first(v)),
    "B": lambda t, v: t.screen.cursor_down(_first(v)),
    "C": lambda t, v: t.screen.cursor_forward(_first(v)),
    "D": lambda t, v: t.screen.cursor_back(_first(v)),
    "E": lambda t, v: t.screen.cursor_down1(_first(v)),
    "F": lambda t, v: t.screen.cursor_up1(_first(v)),
    "G": lambda t, v: t.screen.cursor_to_column(_first(v)),
    "H": lambda t, v: t.screen.cursor_position(_first(v), v[1] if len(v) > 1 else 1),
    "I": lambda t, v: t.screen.forward_tab(_first(v)),
    "J": lambda t, v: t.screen.erase_in_display(_first(v, 0)),
    "K": lambda t, v: t.screen.erase_in_line(_first(v, 0)),
    "L": lambda t, v: t.screen.insert_lines(_first(v)),
    "M": lambda t, v: t.screen.delete_lines(_first(v)),
    "P": lambda t, v: t.screen.delete_characters(_first(v)),
    "S": lambda t, v: t.screen.scroll_up(_first(v)),
    "T": lambda t, v: t.screen.scroll_down(_first(v)) if len(v) < 5 else None,
    "X": lambda t, v: t.screen.erase_characters(_first(v)),
    "Z": lambda t, v: t.screen.back_tab(_first(v)),
    "`": lambda t, v: t.screen.cursor_to_column(_first(v)),
    "a": lambda t, v: t.screen.cursor_forward(_first(v)),
    "b": lambda t, v: t.screen.repeat(_first(v)),
    "d": lambda t, v: t.screen.cursor_to_line(_first(v)),
    "e": lambda t, v: t.screen.line_forward(_first(v)),
    "f": lambda t, v: t.screen.cursor_position(_first(v), v[1] if len(v) > 1 else 1),
    "g": lambda t, v: t.screen.clear_tab_stop(_first(v, 0)),
    "h": lambda t, v: t.set_modes(v, private=False, on=True),
    "l": lambda t, v: t.set_modes(v, private=False, on=False),
    "r": lambda t, v: t.screen.set_margins(_first(v), v[1] if len(v) > 1 else 0),
    "s": lambda t, v: t.screen.save_cursor(),
    "t": Terminal.window,
    "u": lambda t, v: t.screen.restore_cursor(),
    "?J": lambda t, v: t.screen.erase_in_display(_first(v, 0), private=True),
    "?K": lambda t, v: t.screen.erase_in_line(_first(v, 0), private=True),
    "?h": lambda t, v: t.set_modes(v, private=True, on=True),
    "?l": lambda t, v: t.set_modes(v, private=True, on=False),
    "!p": lambda t, v: t.soft_reset(),
    " q": Terminal.set_cursor_style,
    '"q': lambda t, v: t.protect(_first(v, 0)),
    " @": lambda t, v: t.screen.shift_columns(_first(v), left=True),
    " A": lambda t, v: t.screen.shift_columns(_first(v), left=False),
    "'}": lambda t, v: t.screen.change_columns(_first(v), delete=False),
    "'~": lambda t, v: t.screen.change_columns(_first(v), delete=True),
    ">m": Terminal.set_modify_other_keys,
    ">u": lambda t, v: t.screen.keyboard.push(_first(v, 0)),
    "<u": lambda t, v: t.screen.keyboard.pop(_first(v)),
    "=u": lambda t, v: t.screen.keyboard.change(_first(v, 0), v[1] if len(v) > 1 else 1),
}


UNDERSTOOD = frozenset((*_SEQUENCES, "m"))
"""The kinds of control sequences that do something (`Sink.csi`), those that only ask left out."""


def understands_escape(sequence: str) -> bool:
    """Whether ESC with this behind it does something."""
    return sequence in _ESCAPES or (sequence[0] in INTRODUCERS and len(sequence) == 2)


def control_act(char: str) -> Act | None:
    """What a C0 control does, or CR and LF together; None for ESC."""
    if char == "\r\n":
        return _carriage_return_linefeed, ()
    if char == "\x1b":
        return None
    return _without_numbers(_CONTROLS.get(char, _nothing))


def act_of_escape(sequence: str) -> Act | None:
    """What ESC with this behind it does, if it is one of those in the table."""
    act = _ESCAPES.get(sequence)
    return None if act is None else _without_numbers(act)


def act_of_csi(sequence: str) -> Act | None:
    """What a control sequence does, if it is one of those in the table. SGR and questions are not."""
    kind, params = split(sequence)
    act = _SEQUENCES.get(kind)
    return None if act is None else (act, numbers(params))


def _without_numbers(act: _Act) -> Act:
    return (lambda terminal, _: act(terminal)), ()


def _nothing(_: Terminal) -> None:
    """A control that has no meaning."""


def _carriage_return_linefeed(terminal: Terminal, _: tuple[int, ...]) -> None:
    terminal.screen.cursor.x = 0
    terminal.screen.linefeed()

"""The terminal modes the mirror keeps, and the read-only view of them that others see."""

from dataclasses import dataclass

# DEC private modes that are either on or off.
CURSOR_KEYS, ORIGIN, AUTOWRAP, BLINKING, VISIBLE, KEYPAD = 1, 6, 7, 12, 25, 66
ANSI_CHARSETS, REVERSE_WRAP, GRAPHEMES = 2, 45, 2027
REVERSE_SCREEN, FOCUS, PASTE, SYNCHRONIZED, COLOUR_SCHEME, IN_BAND_RESIZE = 5, 1004, 2004, 2026, 2031, 2048
ALTERNATE_SCREENS = (47, 1047, 1049)
SAVE_CURSOR = 1048
MOUSE_TRACKING = (9, 1000, 1002, 1003)
MOUSE_ENCODING = (1005, 1006, 1015, 1016)
INSERT, NEWLINE = 4, 20  # ANSI modes

# Those that need nothing else to happen.
PLAIN = frozenset(
    (
        *(CURSOR_KEYS, AUTOWRAP, BLINKING, VISIBLE, KEYPAD, REVERSE_SCREEN, REVERSE_WRAP, FOCUS, PASTE),
        *(SYNCHRONIZED, COLOUR_SCHEME, IN_BAND_RESIZE),
    )
)
PRIVATE = PLAIN | {ORIGIN, GRAPHEMES, *ALTERNATE_SCREENS, SAVE_CURSOR, *MOUSE_TRACKING, *MOUSE_ENCODING}
ANSI = frozenset((INSERT, NEWLINE))
DEFAULT = frozenset((AUTOWRAP, VISIBLE))

# Not claimed to programs that ask: a size report is owed at every resize, which only a real terminal sends.
UNANSWERED = frozenset((IN_BAND_RESIZE,))


@dataclass(frozen=True, slots=True)
class Modes:
    """What a program has switched on, as far as others care.

    `mouse` is the tracking mode (9, 1000, 1002 or 1003) or 0, `mouse_encoding` 1005, 1006, 1015, 1016 or 0,
    `kitty_flags` the flags of the kitty keyboard protocol in force on the current screen, `modify_other_keys` 0 to 2,
    `cursor_style` DECSCUSR's 0 to 6.
    """

    alternate: bool
    bracketed_paste: bool
    focus_events: bool
    application_cursor: bool
    application_keypad: bool
    kitty_flags: int
    modify_other_keys: int
    mouse: int
    mouse_encoding: int
    synchronized: bool
    cursor_visible: bool
    cursor_style: int
    autowrap: bool
    origin: bool
    insert: bool
    newline: bool
    blinking: bool
    reverse_screen: bool
    colour_scheme_reports: bool
    in_band_resize: bool

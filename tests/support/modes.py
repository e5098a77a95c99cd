"""Which terminal modes a stream of output leaves behind: what a person's terminal would be stuck with."""

import re

SET = re.compile(rb"\x1b\[\?([0-9;]+)([hlr])")  # r: as it was before
KITTY = re.compile(rb"\x1b\[([><=])([0-9;]*)u")
OTHER_KEYS = re.compile(rb"\x1b\[>4(?:;([0-9]*))?m")
# On in a terminal that nobody has touched: autowrap, keys that repeat, the cursor.
ON_AT_FIRST = frozenset({7, 8, 25})
# Saved and restored by a program at will, and what cursor blinking is at first is the terminal's own affair.
NOT_JUDGED = frozenset({12, 1048})
# 47 and 1047 are the same switch as 1049.
SAME = {47: 1049, 1047: 1049}
# Two ways to say the same.
KEYPAD_ON = (b"\x1b=", b"\x1b[?66h")
KEYPAD_OFF = (b"\x1b>", b"\x1b[?66l")
RESET = b"\x1bc"


def left_behind(output: bytes) -> set[str]:
    """Names of modes that differ at the end from a fresh terminal: `?1000h`, `?25l`, `kitty keyboard`, ..."""
    output = output[output.rfind(RESET) + 1 :].replace(*KEYPAD_ON).replace(*KEYPAD_OFF)
    modes: dict[int, bool] = {}
    for match in SET.finditer(output):
        for number in match[1].split(b";"):
            if number:
                modes[SAME.get(int(number), int(number))] = match[2] == b"h"
                if match[2] == b"r":
                    del modes[int(number)]
    wrong = {n for n, on in modes.items() if on != (n in ON_AT_FIRST) and n not in NOT_JUDGED}
    left = {f"?{n}{'h' if modes[n] else 'l'}" for n in wrong}
    if _kitty_flags(output):
        left.add("kitty keyboard")
    if (others := OTHER_KEYS.findall(output)) and others[-1] not in (b"", b"0"):
        left.add("modifyOtherKeys")
    return left


def _kitty_flags(output: bytes) -> int:
    """The progressive-enhancement flags in force at the end (pushes, pops and sets, one screen)."""
    stack = [0]
    for match in KITTY.finditer(output):
        numbers = [int(n) if n else 0 for n in match[2].split(b";")]
        if match[1] == b">":
            stack.append(numbers[0])
        elif match[1] == b"<":
            del stack[len(stack) - min(numbers[0] or 1, len(stack) - 1) :]
        else:
            stack[-1] = numbers[0]
    return stack[-1]

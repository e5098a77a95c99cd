"""What is typed for a reply, and what is refused. Pure; `sequence` has the course of it.

Every agent seen takes a bracketed paste, a pause of 300 ms, then a carriage return; text and return in one write is a newline to some.

A dialog is not answered by accident. Some take a single key at once and whatever follows for something else; some ignore a text and
take the return behind it for their highlighted choice. So where an approval or a choice is asked for, only what is an answer is typed, its
first key by itself; and where a question is asked, the text must be seen on the screen before it is entered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from roost_protocol.jobs import Choice
from roost_protocol.states import State, WaitingFor
from roostd.host.dialogs import NO, YES, offered, still

PASTE_BEGIN: Final = b"\x1b[200~"
PASTE_END: Final = b"\x1b[201~"
FOCUS_IN: Final = b"\x1b[I"
FOCUS_OUT: Final = b"\x1b[O"

CANONICAL_LINE: Final = 4095
"""Bytes. A terminal in canonical mode cuts a longer line silently (Linux, N_TTY_BUF_SIZE)."""

LONG, READ = 200, 20
"""Characters: over the first, an agent may show a placeholder for a text; the second is how much of it is looked for."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What the agent's terminal is like when a reply is about to be typed."""

    state: State
    waiting_for: WaitingFor | None = None
    question: str | None = None
    choices: tuple[Choice, ...] = ()
    dialog: bool = False
    """It waits by positive evidence."""
    told: bool = False
    """The agent itself says so, and so will say when it does no longer; a pattern may just be broken by what is typed."""
    reported: bool = False
    """It says so over its socket, and knows best what it reads."""
    bracketed_paste: bool = False
    focus_events: bool = False
    application_cursor: bool = False
    canonical: bool = False
    shown: bool = True
    """It has written something, ever."""
    rows: Sequence[str] | None = None
    """The screen at this moment."""
    asked_at: float | None = None
    """Since when a dialog is there: the next one may ask in the same words."""
    above: tuple[str, ...] = ()
    """What stands above a dialog that a pattern found, as it is. Many a question ends in the same words."""
    touched: float | None = None
    """When somebody last typed into it, by whatever way."""
    news: float = float("-inf")
    """When it last said something new of itself: by report, program status, title, prompt mark or pattern."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to write, in this order: `text` at once, `rest` and then `submit` later.

    With `while_asked` only as long as the dialog is open; with `must_show` nothing is submitted that the screen does not show. With `echo`
    nothing follows that text before the screen shows it, and nothing else that is new: a program that reads keys may have taken the first.
    """

    text: bytes
    submit: bytes
    delay: float
    rest: bytes = b""
    while_asked: bool = False
    must_show: str | None = None
    echo: str | None = None


def plan(text: str, submit: str, delay: float, situation: Situation, answer: bool = False) -> Plan | str:
    """The plan, or why nothing is typed (a line for a person). `answer`: the person says that it is the answer, whatever it looks like."""
    text = text.replace("\r\n", "\n").rstrip("\n")
    why = _refusal(text, situation, answer)
    if why:
        return why
    if not answer:
        text = _key(text, situation) or text
    focus = FOCUS_IN if situation.focus_events else b""
    entered = submit.encode()
    data = text.encode("utf-8", "replace")
    if _wants_one_answer(situation):
        if answer or (situation.canonical and not situation.told):
            return Plan(focus + data, entered, delay, while_asked=not answer)
        first = len(text[:1].encode("utf-8", "replace"))
        echo = None if situation.told else text
        return Plan(focus + data[:first], entered, delay, data[first:], while_asked=True, echo=echo)
    if situation.bracketed_paste:
        data = PASTE_BEGIN + data + PASTE_END
    return Plan(focus + data, entered, delay, must_show=None if answer else _must_show(text, situation))


def overtaken(then: Situation, now: Situation, same: bool) -> str | None:
    """Why a text is not typed any more (a line for a person): it was meant for what was asked `then`, if anything was.

    `same` is whether that is asked still.
    """
    if _wants_one_answer(then) and not now.dialog:
        return "the dialog that it was meant for is gone"
    if _wants_one_answer(now) and not same:
        how = "another dialog has opened, or this one was answered," if then.dialog else "a dialog has opened"
        return f"{how} since it was sent; look with roost screen"
    return None


def same_dialog(then: Situation, now: Situation) -> bool:
    """Whether what is asked is what was asked. What is typed may stand in the words that found it, and so begin the match anew."""
    return then.question == now.question and still(then.above) == still(now.above) and (not then.told or then.asked_at == now.asked_at)


def renewed(then: Situation, now: Situation) -> bool:
    """Whether a dialog that a pattern found stands there in the same words with other digits above it: a clock, or the next of many."""
    alike = not then.told and then.question == now.question and still(then.above) == still(now.above)
    return now.dialog and alike and then.above != now.above


def ready(situation: Situation, echoing: bool) -> bool:
    """Whether a first task may be typed: positively idle, or silent with a prompt that takes text."""
    if situation.state == "idle":
        return True
    return situation.state == "quiet" and (situation.bracketed_paste or (situation.canonical and echoing))


def begun(situation: Situation, draws: bool) -> bool:
    """Whether a reply may be typed: an agent that `draws` its screen drops what was typed before that (its raw mode flushes the input)."""
    if situation.state == "starting" or not draws:
        return situation.state != "starting"
    return situation.bracketed_paste or situation.state in ("idle", "waiting") or (situation.state == "quiet" and situation.shown)


def shows(rows: Sequence[str], text: str) -> bool:
    """Whether the beginning of a text can be read on a screen, wherever its lines are broken."""
    return squeezed(text) in squeezed("".join(rows))


def squeezed(text: str) -> str:
    """The letters and digits of a text."""
    return "".join(char for char in text if char.isalnum())


def _wants_one_answer(situation: Situation) -> bool:
    return situation.dialog and situation.waiting_for in ("approval", "choice", None)


def _key(text: str, situation: Situation) -> str | None:
    """What is typed for an answer; None for what is none: to a dialog on the screen it must be one that stands there at this moment."""
    if not _wants_one_answer(situation):
        return text
    word = text.strip().casefold()
    if word in {name.casefold() for choice in situation.choices for name in (choice.id, choice.label)}:
        return text
    if not (word in YES | NO or len(word) == 1 or (word.isdecimal() and len(word) == 2)):
        return None
    return text if situation.rows is None or situation.reported else offered(text, situation.rows)


def _must_show(text: str, situation: Situation) -> str | None:
    """Of a question, the text's beginning; a long paste or several lines may be shown as a placeholder, a login not at all."""
    if not situation.dialog or situation.waiting_for != "question" or situation.reported or "\n" in text or len(text) > LONG:
        return None
    return text[:READ]


def _refusal(text: str, situation: Situation, answer: bool) -> str | None:
    bad = next((char for char in text if _is_control(char) and char not in "\n\t"), None)
    if bad is not None:
        return f"the text holds the control character U+{ord(bad):04X}; only line breaks and tabs can be typed (for keys, use roost keys)"
    if _wants_one_answer(situation) and ("\n" in text or not (answer or _key(text, situation))):
        return "a dialog is open, and this is no answer to it: send a number or key that it offers, use roost keys, or say --answer"
    if "\n" in text and not situation.bracketed_paste:
        return "the program takes no bracketed paste, so that each line would be a submit of its own: send one line"
    if situation.canonical and len(text.encode("utf-8", "replace")) > CANONICAL_LINE:
        return f"the program reads whole lines, and the kernel cuts them at {CANONICAL_LINE} bytes: send less"
    return None


def _is_control(char: str) -> bool:
    return ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0

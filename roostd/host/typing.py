"""How a reply is typed: what is refused, and the sequence from focus to submit. Pure; times are monotonic seconds.

Every agent seen takes a bracketed paste, a pause of 300 ms, then a carriage return; text and return in one write is a newline to some.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from roost_protocol.jobs import ReplyOutcome
from roost_protocol.states import State, WaitingFor

PASTE_BEGIN: Final = b"\x1b[200~"
PASTE_END: Final = b"\x1b[201~"
FOCUS_IN: Final = b"\x1b[I"
FOCUS_OUT: Final = b"\x1b[O"

CANONICAL_LINE: Final = 4095
"""Bytes. A terminal in canonical mode cuts a longer line silently (Linux, N_TTY_BUF_SIZE)."""

APPEAR: Final = 2.0
"""Seconds to wait for the text to appear; one that never shows (a password) is submitted all the same."""

REACT: Final = 3.0
"""Seconds to wait for the screen to react to the submit."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What the agent's terminal is like when a reply is about to be typed."""

    state: State
    waiting_for: WaitingFor | None = None
    dialog: bool = False
    """It waits by positive evidence of the screen."""
    bracketed_paste: bool = False
    focus_events: bool = False
    application_cursor: bool = False
    canonical: bool = False
    shown: bool = True
    """It has written something, ever."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to write, in this order: `text` at once, `submit` later."""

    text: bytes
    submit: bytes
    delay: float


def plan(text: str, submit: str, delay: float, situation: Situation) -> Plan | str:
    """The plan, or why nothing is typed (a line for a person)."""
    text = text.replace("\r\n", "\n").rstrip("\n")
    why = _refusal(text, situation)
    if why:
        return why
    data = text.encode("utf-8", "replace")
    dialog_answer = situation.dialog and situation.waiting_for in ("approval", "choice", None) and "\n" not in text
    if situation.bracketed_paste and not dialog_answer:
        data = PASTE_BEGIN + data + PASTE_END
    return Plan((FOCUS_IN if situation.focus_events else b"") + data, submit.encode(), delay)


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


def _refusal(text: str, situation: Situation) -> str | None:
    bad = next((char for char in text if _is_control(char) and char not in "\n\t"), None)
    if bad is not None:
        return f"the text holds the control character U+{ord(bad):04X}; only line breaks and tabs can be typed (for keys, use roost keys)"
    if "\n" in text and situation.dialog and situation.waiting_for in ("approval", "choice", None):
        return "a dialog is open that wants one answer, and the text has several lines: answer the dialog first"
    if "\n" in text and not situation.bracketed_paste:
        return "the program takes no bracketed paste, so that each line would be a submit of its own: send one line"
    if situation.canonical and len(text.encode("utf-8", "replace")) > CANONICAL_LINE:
        return f"the program reads whole lines, and the kernel cuts them at {CANONICAL_LINE} bytes: send less"
    return None


def _is_control(char: str) -> bool:
    return ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0


Stage = Literal["text", "appear", "delay", "react", "over"]


class TypingSequence:
    """One reply on its way. `step` gives what to write now; `deadline` is when to step again if nothing shows before.

    `shown` is when the screen last changed in whatever way; `typing` begins at the first step.
    """

    __slots__ = ("_plan", "_since", "deadline", "outcome", "stage", "submitted_at")

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._since = 0.0
        self.stage: Stage = "text"
        self.deadline: float | None = None
        self.outcome: ReplyOutcome = "pending"
        self.submitted_at: float | None = None

    def step(self, now: float, shown: float | None) -> bytes:
        """What to write now; empty if there is nothing to write."""
        seen = shown is not None and shown > self._since
        if self.stage == "text":
            self._enter("appear", now, APPEAR)
            return self._plan.text
        if self.stage == "appear" and (seen or self._over(now)):
            self._enter("delay", now, self._plan.delay)
        elif self.stage == "delay" and self._over(now):
            self._enter("react", now, REACT)
            self.submitted_at = now
            return self._plan.submit
        elif self.stage == "react" and (seen or self._over(now)):
            self.outcome = "submitted" if seen else "typed"
            self.stage = "over"
            self.deadline = None
        return b""

    def ended(self) -> None:
        """The job ended in the middle: after the submit that is its reaction, before it nothing reacts any more."""
        if self.stage != "over":
            outcomes: dict[Stage, ReplyOutcome] = {"text": "refused", "react": "submitted"}
            self.outcome = outcomes.get(self.stage, "typed")
            self.stage = "over"
            self.deadline = None

    def _enter(self, stage: Stage, now: float, within: float) -> None:
        self.stage = stage
        self._since = now
        self.deadline = now + within

    def _over(self, now: float) -> bool:
        return self.deadline is not None and now >= self.deadline

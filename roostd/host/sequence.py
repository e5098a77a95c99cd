"""The course of a reply: text, a pause, submit, a reaction. Pure; times are monotonic seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from roost_protocol.jobs import ReplyOutcome
from roostd.host.typing import Plan

APPEAR: Final = 2.0
"""Seconds to wait for the text to appear; one that never shows (a password) is submitted all the same."""

REACT: Final = 3.0
"""Seconds to wait for the screen to react to the submit."""

UNREAD: Final = "the text is in the terminal, and nobody has read it yet"
UNANSWERED: Final = "the text is in the terminal, and nothing reacted to it"

ANSWERED: Final = "its first key answered the dialog"
NOT_SHOWN: Final = "the dialog does not show its first key, so it was not entered; look with roost screen, press its keys with roost keys"

Stage = Literal["text", "appear", "delay", "decide", "react", "over"]


@dataclass(frozen=True, slots=True)
class Seen:
    """The terminal at this moment: when its screen last changed in whatever way, whether the dialog is open, whether the text shows."""

    shown: float | None
    asked: bool = True
    showing: bool = True
    opened: bool = False
    """A dialog is open, and none was when the text was typed."""
    reacted: bool = False
    """Somebody took what was entered: the echo of a text is no reaction."""
    unread: bool = False
    """Nobody has read it yet: whatever shows meanwhile is no reaction to it."""
    echoed: bool = False
    """The text shows, as far as it was typed, and nothing else has changed."""
    renewed: bool = False
    """A dialog in the same words is open, and other numbers stand above it: it may be the next one."""


class TypingSequence:
    """One reply on its way. `step` gives what to write now; `deadline` is when to step again if nothing shows before."""

    __slots__ = ("_gone", "_plan", "_rest", "_since", "deadline", "outcome", "stage", "why")

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._rest = plan.rest
        self._since = 0.0
        self._gone = False
        self.stage: Stage = "text"
        self.deadline: float | None = None
        self.outcome: ReplyOutcome = "pending"
        self.why: str | None = None

    def step(self, now: float, seen: Seen) -> bytes:
        """What to write now; empty if there is nothing to write."""
        changed = seen.shown is not None and seen.shown > self._since
        # One that was gone for a moment was answered, though the next one may stand there in the same words by now.
        self._gone = self._gone or (self.stage in ("appear", "delay", "decide") and not seen.asked)
        if self.stage == "text":
            self._enter("appear", now, APPEAR)
            return self._plan.text
        if self.stage == "appear" and (changed or self._over(now)):
            self._enter("delay", now, self._plan.delay)
        elif self.stage == "decide" or (self.stage == "delay" and self._over(now)):
            return self._after_delay(now, seen)
        elif self.stage == "react" and (seen.reacted or self._over(now)):
            self._end("submitted") if seen.reacted else self._end("typed", UNREAD if seen.unread else UNANSWERED)
        return b""

    @property
    def typed(self) -> str:
        """What of the text that must show was typed so far."""
        text = self._plan.echo or ""
        return text[:1] if self._rest else text

    def ended(self) -> None:
        """The job ended in the middle: after the submit that is its reaction, before it nothing reacts any more."""
        if self.stage != "over":
            outcomes: dict[Stage, ReplyOutcome] = {"text": "refused", "react": "submitted"}
            self._end(outcomes.get(self.stage, "typed"), "the job ended")

    def _after_delay(self, now: float, seen: Seen) -> bytes:
        if seen.opened:
            self._end("typed", "a dialog has opened meanwhile, so it was not entered; look with roost screen")
            return b""
        if self._plan.while_asked and seen.renewed and not self._gone:
            self._end("typed", "what stands above the dialog has changed by its first key, so it was not entered; look with roost screen")
            return b""
        if self._plan.while_asked and self._gone:
            self._end("submitted", ANSWERED)
            return b""
        if self._plan.echo is not None and not seen.echoed:
            if self.stage == "decide" and self._over(now):
                self._end("typed", NOT_SHOWN)
            elif self.stage != "decide":
                self._enter("decide", now, APPEAR)
            return b""
        if self._plan.must_show and not seen.showing:
            self._end("typed", "the dialog does not show the text, so it was not entered; press its keys with roost keys, or say --answer")
            return b""
        if self._rest:
            rest, self._rest = self._rest, b""
            self._enter("appear", now, APPEAR)
            return rest
        self._enter("react", now, REACT)
        return self._plan.submit

    def _end(self, outcome: ReplyOutcome, why: str | None = None) -> None:
        self.outcome, self.why = outcome, why
        self.stage = "over"
        self.deadline = None

    def _enter(self, stage: Stage, now: float, within: float) -> None:
        self.stage = stage
        self._since = now
        self.deadline = now + within

    def _over(self, now: float) -> bool:
        return self.deadline is not None and now >= self.deadline

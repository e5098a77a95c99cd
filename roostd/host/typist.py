"""Types replies, tasks and keys into the PTY, one after the other, and tells what became of each (`typing` has the sequence)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from roost_protocol.errors import RoostError
from roost_protocol.host import Typed, Typing
from roost_protocol.jobs import ReplyOutcome
from roostd.host import keys as named_keys
from roostd.host.loop import Loop
from roostd.host.meant import Askings, Meant
from roostd.host.outcomes import Outcomes
from roostd.host.reaction import beyond_echo, echoed, reacted
from roostd.host.sequence import Seen, TypingSequence
from roostd.host.timers import Timer
from roostd.host.typing import Plan, Situation, begun, overtaken, plan, ready, renewed, same_dialog, shows

TASK = "task"
"""The id of the task that a job was started with."""

QUEUE = 256


@dataclass(frozen=True, slots=True)
class Wanted:
    """A reply that waits for its turn."""

    id: str
    text: str
    answer: bool
    meant: Meant
    """What it was sent to."""


class Typist:
    """`situation`, `echoing`, `unread` and `rows` tell what the terminal is like, `write` types, `settled` hears every outcome once.

    `told` gives the number of the last status that was published, and the time (Unix seconds).
    """

    def __init__(
        self,
        loop: Loop,
        profile: Typing,
        *,
        draws: bool,
        situation: Callable[[], Situation],
        echoing: Callable[[], bool],
        unread: Callable[[], bool],
        rows: Callable[[], list[str]],
        write: Callable[[bytes], None],
        submitted: Callable[[], None],
        settled: Callable[[Typed], None],
        told: Callable[[], tuple[int, float]],
    ) -> None:
        self._loop = loop
        self._profile = profile
        self._draws = draws
        self._begun = False
        self._situation = situation
        self._echoing = echoing
        self._unread = unread
        self._rows = rows
        self._write = write
        self._submitted = submitted
        self._settled = settled
        self._told = told
        self._queue: deque[Wanted] = deque()
        self._askings = Askings()
        self._current: tuple[str, TypingSequence] | None = None
        self._must_show: str | None = None
        self._text = ""
        self._after: tuple[int, float] | None = None
        self._asked: Situation | None = None
        self._entered: tuple[float, list[str]] | None = None
        self._timer: Timer | None = None
        self._shown: float | None = None
        self.outcomes = Outcomes()

    def text(self, name: str, text: str, answer: bool = False, sent: float | None = None) -> Typed:
        """Type a reply and submit it: the outcome if it is known, else pending, and `settled` is called later.

        `sent` is when a person did (monotonic seconds).
        """
        known = self.outcomes.answer(name)
        if known:
            return known
        self.outcomes.begin(name)
        if len(self._queue) >= QUEUE:
            return self._remember(name, "refused", f"{QUEUE} replies wait to be typed already")
        self._queue.append(Wanted(name, text, answer, self._askings.of(sent, self._situation(), self._loop.now())))
        self._loop.after(0, self.go_on)
        return Typed(name, "pending")

    def keys(self, name: str, keys: list[str]) -> Typed:
        """Type named keys, at once."""
        known = self.outcomes.answer(name)
        if known:
            return known
        self.outcomes.begin(name)
        try:
            data = named_keys.encode(keys, application_cursor=self._situation().application_cursor)
        except RoostError as error:
            return self._remember(name, "refused", error.message)
        self._write(data)
        if b"\r" in data:
            self._submitted()
        return self._remember(name, "typed", None)

    @property
    def waits(self) -> bool:
        """Whether something waits for the agent to take it."""
        return bool(self._queue)

    def asks(self, dialog: bool) -> None:
        """The state was decided anew; `dialog` is whether the job waits."""
        if dialog or self._askings.open:
            self._askings.note(self._situation(), self._loop.now())

    def shown(self, now: float) -> None:
        """The screen has changed."""
        self._shown = now
        self.go_on()

    def go_on(self) -> None:
        """Take the next step, if its time has come: after every look, and when the state changed."""
        if self._current is None:
            self._begin_next()
        if self._current is not None:
            self._step(*self._current)

    def end(self) -> None:
        """The job has ended: whatever was not typed is refused."""
        if self._timer:
            self._timer.cancel()
        if self._current:
            name, sequence = self._current
            sequence.ended()
            self._current = None
            self._settle(name, sequence.outcome, sequence.why)
        while self._queue:
            self._settle(self._queue.popleft().id, "refused", "the job ended before it could be typed")

    def _begin_next(self) -> None:
        while self._queue:
            situation = self._situation()
            wanted = self._queue[0]
            if not self._takes_text(wanted, situation):
                return
            self._queue.popleft()
            same = self._askings.note(situation, self._loop.now()).number == wanted.meant.number
            if wanted.id != TASK and (why := overtaken(wanted.meant.situation, situation, same)):
                self._settle(wanted.id, "refused", why)
                continue
            planned = plan(wanted.text, self._profile.submit, self._profile.delay, situation, wanted.answer)
            if isinstance(planned, Plan):
                self._text, self._must_show, self._asked = wanted.text, planned.must_show, situation
                self._current = (wanted.id, TypingSequence(planned))
                return
            self._settle(wanted.id, "refused", planned)

    def _takes_text(self, wanted: Wanted, situation: Situation) -> bool:
        """A task waits for the agent's prompt, a reply only until the agent has begun at all."""
        if wanted.id == TASK:
            return ready(situation, self._echoing())
        self._begun = self._begun or begun(situation, self._draws)
        return self._begun

    def _step(self, name: str, sequence: TypingSequence) -> None:
        before = sequence.stage
        seen = self._seen(sequence)
        data = sequence.step(self._loop.now(), seen)
        if data and sequence.stage != before:
            self._after = self._told()
        if sequence.stage == "react" and before != "react":
            self._entered = self._loop.now(), self._rows()
        if data:
            self._write(data)
            self._askings.answered(self._loop.now())
        if sequence.stage == "react" and before != "react":
            self._submitted()
        if sequence.stage == "over":
            self._current = None
            self._settle(name, sequence.outcome, sequence.why)
            self._loop.after(0, self.go_on)
        elif sequence.stage != before:
            self._wait_until(sequence.deadline)

    def _seen(self, sequence: TypingSequence) -> Seen:
        """The next dialog is another one: what was meant for the first is not entered there."""
        situation, meant = self._situation(), self._asked
        same = meant is not None and same_dialog(meant, situation)
        asked = situation.dialog and same
        echo = meant is not None and echoed(meant.rows or (), self._rows(), sequence.typed)
        if meant is not None and not meant.told and not asked:
            # What is typed may break the pattern that found it; only what shows more than its echo has closed.
            gone = not echo and not shows(self._rows(), meant.question or "")
            asked = not (gone or beyond_echo(meant.rows or (), self._rows(), self._text))
        opened = situation.dialog and meant is not None and not meant.dialog
        showing = self._must_show is None or shows(self._rows(), self._must_show)
        unread = sequence.stage == "react" and self._unread()
        reacted = sequence.stage == "react" and self._reacted(situation, same, unread)
        anew = meant is not None and renewed(meant, situation)
        return Seen(self._shown, asked, showing, opened, reacted, unread, echo, anew)

    def _reacted(self, situation: Situation, same: bool, unread: bool) -> bool:
        """Whether the agent took what was entered: its dialog has closed, or it has read it, and says something new or shows it."""
        if self._entered is None or self._asked is None:
            return False
        at, rows = self._entered
        now, asked = self._rows(), self._asked
        closed = asked.dialog and not (situation.dialog and same) and (asked.told or beyond_echo(asked.rows or (), now, self._text))
        return closed or (not unread and (situation.news > at or reacted(rows, now, self._text)))

    def _wait_until(self, deadline: float | None) -> None:
        if self._timer:
            self._timer.cancel()
        if deadline is not None:
            self._timer = self._loop.after(max(0.0, deadline - self._loop.now()), self.go_on)

    def _settle(self, name: str, outcome: ReplyOutcome, why: str | None) -> None:
        self._settled(self._remember(name, outcome, why))

    def _remember(self, name: str, outcome: ReplyOutcome, why: str | None) -> Typed:
        after, at = self._after if self._after and outcome == "submitted" else (None, None)
        typed = Typed(name, outcome, why, after, at)
        self.outcomes.settle(typed)
        return typed

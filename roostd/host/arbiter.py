"""What a job is doing, from the evidence at hand: one pure function, so that a recording replays through the code that runs live.

Strongest first: the exit; the agent's own report; its program status (OSC 7501); a dialog on the screen; what it tells its terminal (title,
prompt marks, progress); the profile's patterns over the live screen; settling. A submit makes an idle, quiet or waiting job `working`
until newer evidence comes. Silence alone never says more than `quiet`. docs/states.md has the whole of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from roost_protocol.states import State
from roostd.host.findings import FRESH, FROZEN, Finding
from roostd.host.findings import findings as findings_of
from roostd.host.signals import Rang, Signals

HOLD: Final = 0.7
"""Seconds that `working` is held before anything weaker, so that rows do not flicker; and `idle` while nothing says more than that its
prompt is gone: an agent that ends takes that down first."""

ENTERED: Final = 2.0
"""Seconds after a key, ctrl-c and ctrl-d aside, in which what happens at a prompt may be its doing: not only return submits."""

SUBMIT: Final = 8.0
"""Seconds that a submit counts without any sign of work: some agents show nothing for 6 s."""

UNSEEN: Final = 60.0
"""Seconds that an agent whose screen can be read and that was given a task may take to show anything at all."""

SUBMIT_ECHO: Final = 1.0
"""Seconds after a submit in which what changes is taken for its echo, not for work that has come."""

REPORT_SLACK: Final = 2.0
"""Seconds after the last report of a reporter that is gone in which the screen may still be drawing what it reported."""

DECIDE_LATE: Final = 0.001
"""Seconds after a verdict's deadline at which it is asked for again, so that no clock's grain makes it come too early."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is published. `deadline` is when to ask again although nothing new came; None: never."""

    state: State
    finding: Finding
    attention: Rang | None
    held: bool
    """Whether something weaker than `working` waits to be published."""
    deadline: float | None
    findings: tuple[tuple[Finding, str], ...]
    """All that spoke, strongest first, with why it won or lost."""
    seen: State
    """The state by what can be seen, though its task is still to come: whoever types that goes by it."""


def arbitrate(signals: Signals, now: float, published: State) -> Verdict:
    """The job's state at `now`, when `published` is what everybody knows."""
    findings = findings_of(signals, now, published)
    winner, why = _winner(signals, findings, now)
    deadlines = [_quiet_at(signals), _stale_at(signals), _frozen_until(signals), _submit_end(signals), signals.kept_until]
    if winner.state in ("idle", "quiet") and now < (begins := _task_until(signals, winner)):
        state: State = "starting" if published == "starting" else "working"
        why = "its task has not begun"
        to_come = Finding("input", state, why, signals.started)
        return Verdict(
            state, to_come, signals.attention, False, _next([*deadlines, begins], now), _explained(findings, winner, why), winner.state
        )
    held_until = _held_until(signals, findings, winner, published, now)
    if held_until is not None and now < held_until:
        deadlines.append(held_until)
        held = Finding("settling", published, "held for a moment", now)
        return Verdict(
            published, held, signals.attention, True, _next(deadlines, now), _explained(findings, winner, "held for a moment"), published
        )
    return Verdict(winner.state, winner, signals.attention, False, _next(deadlines, now), _explained(findings, winner, why), winner.state)


def _winner(signals: Signals, findings: list[Finding], now: float) -> tuple[Finding, str]:
    """The strongest finding that nothing newer sets aside."""
    submit = next((finding for finding in findings if finding.signal == "input"), None)
    for finding in findings:
        if finding.signal == "process":
            return finding, "the exit ends every argument"
        if finding is submit:
            if _submit_counts(signals, now):
                return finding, "a submit, and nothing newer says otherwise"
            continue
        if finding.signal == "report" and _report_outdated(signals, finding, findings):
            continue
        if finding.signal == "program-status" and (_dialog_over(finding, findings) or _command_over(finding, signals)):
            continue
        if submit and _set_aside_by(submit, signals, finding, now):
            continue
        return finding, "the strongest that speaks"
    return findings[-1], "nothing stronger speaks"


def _report_outdated(signals: Signals, report: Finding, findings: list[Finding]) -> bool:
    """While its reporter is connected a report stands. After that it yields to positive evidence that is newer, and a question to its
    answer: nobody will take it back."""
    if signals.reporter_connected:
        return False
    if report.state == "waiting" and signals.submitted is not None and signals.submitted > report.at:
        return True
    for finding in findings:
        if finding.signal in ("program-status", "terminal", "pattern") and finding.at > report.at:
            return True
        # What waits may well blink; so only an idle reporter is outdated by mere life.
        if finding.signal == "settling" and finding.state == "working" and report.state == "idle":
            return finding.at > report.at + REPORT_SLACK and not signals.patterns.recognisable
    return False


def _dialog_over(program: Finding, findings: list[Finding]) -> bool:
    """A dialog on the screen that is newer than program status idle wins over it; against working it does not."""
    if program.state != "idle":
        return False
    return any(finding.signal == "pattern" and finding.state == "waiting" and finding.at > program.at for finding in findings)


def _command_over(program: Finding, signals: Signals) -> bool:
    """A shell that says it runs a command now outdates what an earlier one in the same terminal said at its end."""
    return program.state == "idle" and signals.prompt is not None and signals.prompt[1] == "C" and signals.prompt[0] > program.at


def _set_aside_by(submit: Finding, signals: Signals, finding: Finding, now: float) -> bool:
    """Whether what a weaker or older signal says was before the submit, and so is no longer news."""
    if finding.signal == "report" and signals.reporter_connected:
        return False
    if finding.state not in ("idle", "waiting", "quiet"):
        return False
    # A screen that is drawn anew to take the task up has its prompt before any sign of work.
    anew = finding.at > submit.at
    if anew and (finding.signal != "pattern" or finding.state != "idle" or (signals.worked or submit.at) > submit.at):
        return False
    return _submit_counts(signals, now) and not _prompt_again(signals, finding, submit.at, now)


def _prompt_again(signals: Signals, finding: Finding, submitted: float, now: float) -> bool:
    """A prompt that was there all the time says nothing; one in another place does once the screen is still: a prompt moves when an
    answer comes, but a box that takes the task up in the screen moves as well."""
    match, life = signals.matched(now), signals.settling.life
    if finding.signal != "pattern" or match is None or life is None:
        return False
    still = signals.patterns.settle + _submit_lasts(signals) - SUBMIT
    return finding.state == "idle" and match.moved > submitted and now >= life + still


def _submit_counts(signals: Signals, now: float) -> bool:
    """From a submit until busy evidence has come and gone, or 8 s have passed."""
    submitted = signals.submitted
    if submitted is None or now >= submitted + _submit_lasts(signals):
        return False
    if signals.editor_opened is not None and signals.editor_opened > submitted:
        return False  # Its line editor was closed, and is open again: the answer has been dealt with.
    worked = signals.settling.life
    came = worked is not None and worked > submitted + SUBMIT_ECHO
    gone = worked is not None and now >= worked + signals.patterns.settle + _submit_lasts(signals) - SUBMIT
    return not (came and gone)


def _submit_lasts(signals: Signals) -> float:
    """Of an agent that may be silent for long, and has not said what it does since the submit, longer: up to twice as long."""
    submitted = signals.submitted
    if signals.program is not None or submitted is None or (signals.worked or submitted) > submitted:
        return SUBMIT
    return min(2 * SUBMIT, max(SUBMIT, 2 * signals.patterns.settle))


def _task_until(signals: Signals, winner: Finding) -> float:
    """How long rest is not the end of a turn: a task that was given at the start is a submit, to whoever takes it once it is ready."""
    if not signals.tasked:
        return float("-inf")
    if signals.settling.life is None and signals.patterns.screen:
        return signals.started + UNSEEN
    return winner.at + SUBMIT


def _held_until(signals: Signals, findings: list[Finding], winner: Finding, published: State, now: float) -> float | None:
    """`working` to anything weaker waits a moment, unless what says so is certain, or is a silence that was waited for already. So does
    `idle` to what only the screen's stirring or stillness says."""
    if published == "idle" and winner is findings[-1]:
        entered = signals.touched is not None and now < signals.touched + ENTERED
        return None if entered else (now if signals.stirred is None else signals.stirred) + HOLD
    if published != "working" or winner.state == "working" or winner.immediate or winner.state == "quiet":
        return None
    return max(winner.at, signals.last_working or winner.at) + HOLD


def _quiet_at(signals: Signals) -> float:
    life = signals.settling.life
    return (signals.started if life is None else life) + signals.patterns.settle


def _stale_at(signals: Signals) -> float:
    return _quiet_at(signals) - max(0.0, signals.patterns.settle - FRESH)


def _frozen_until(signals: Signals) -> float:
    life = signals.settling.life
    return life + FROZEN if life is not None and signals.settling.turning else signals.started


def _submit_end(signals: Signals) -> float:
    return signals.started if signals.submitted is None else signals.submitted + _submit_lasts(signals)


def _next(deadlines: list[float], now: float) -> float | None:
    return min((deadline for deadline in deadlines if deadline > now), default=None)


def _explained(findings: list[Finding], winner: Finding, why: str) -> tuple[tuple[Finding, str], ...]:
    reasons = []
    stronger = True
    for finding in findings:
        if finding is winner:
            reasons.append((finding, why))
            stronger = False
        else:
            reasons.append((finding, "set aside by newer evidence" if stronger else "a stronger signal speaks"))
    return tuple(reasons)

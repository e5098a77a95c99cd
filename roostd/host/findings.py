"""What each signal by itself says of a job. Pure; who of them is right is `arbiter.arbitrate`'s to say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from roost_protocol.jobs import Choice
from roost_protocol.states import Signal, State, WaitingFor
from roostd.host.patterns import Match
from roostd.host.signals import Signals

FRESH: Final = 2.0
"""Seconds that a change of the screen begins work for, at most: an agent that may be silent for longer works on, but has to begin."""

FROZEN: Final = 60.0
"""Seconds that a spinner which stands still, but is still shown, counts as work: a program that hangs has not finished."""

UNRECOGNISED: Final = "still, but neither idle nor waiting is seen"
"""Of a still screen whose agent would be recognised at its prompt: work, or a pattern that does not fit."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one signal says. `at` is since when, in monotonic seconds; `immediate` findings are never held back."""

    signal: Signal
    state: State
    detail: str
    at: float
    immediate: bool = False
    waiting_for: WaitingFor | None = None
    question: str | None = None
    choices: tuple[Choice, ...] | None = None


def findings(signals: Signals, now: float, published: State) -> list[Finding]:
    """What every signal says at `now`, strongest first; settling always says something. `published` is what everybody knows."""
    # A dialog that is seen is more than a title that turns, or a command that runs: these go on while it waits.
    match = signals.matched(now)
    dialog = match is not None and match.state == "waiting"
    found = [
        _exit(signals),
        _report(signals),
        _program(signals),
        _matched(match, "pattern") if dialog else None,
        _matched(signals.title_match, "terminal"),
        _prompt(signals),
        _progress(signals),
        None if dialog else _matched(match, "pattern"),
        _submit(signals),
        _settling(signals, now, published),
    ]
    return [finding for finding in found if finding is not None]


def _exit(signals: Signals) -> Finding | None:
    exited = signals.exited
    if exited is None:
        return None
    how = f"killed by {exited.signal}" if exited.signal else f"exit code {exited.code}"
    if exited.stopped:
        return Finding("process", "stopped", f"stopped; {how}", exited.at, immediate=True)
    return Finding("process", "done" if exited.code == 0 else "failed", how, exited.at, immediate=True)


def _report(signals: Signals) -> Finding | None:
    said = signals.reported
    if said is None:
        return None
    detail = said.status or said.question or f"reported {said.state}"
    return Finding(
        "report",
        said.state,
        detail,
        said.at,
        immediate=True,
        waiting_for=said.waiting_for,
        question=said.question,
        choices=said.choices,
    )


def _program(signals: Signals) -> Finding | None:
    said = signals.program
    if said is None:
        return None
    at = signals.program_at
    text = said.text
    if said.progress is not None:
        text = f"{text or said.state} ({said.progress} %)"
    match said.state:
        case "blocked":
            return Finding("program-status", "waiting", text or "blocked", at, True, said.kind, said.text)
        case "working":
            return Finding("program-status", "working", text or "working", at, True)
        case "error":
            return Finding("program-status", "idle", f"error: {text}" if text else "error", at, True)
        case "done":
            return Finding("program-status", "idle", f"finished: {text}" if text else "finished", at, True)
        case _:
            return Finding("program-status", "idle", text or "idle", at, True)


def _matched(match: Match | None, signal: Signal) -> Finding | None:
    if match is None:
        return None
    question = match.detail if match.state == "waiting" and signal == "pattern" else None
    return Finding(signal, match.state, match.detail, match.at, match.state == "waiting", question=question)


def _prompt(signals: Signals) -> Finding | None:
    if signals.prompt is None:
        return None
    at, kind = signals.prompt
    if kind in ("A", "B"):
        return Finding("terminal", "idle", "at its prompt", at)
    # One that has the whole screen for itself may well wait there: it is judged by what it shows.
    return Finding("terminal", "working", "a command runs", at) if kind == "C" and not signals.alternate else None


def _progress(signals: Signals) -> Finding | None:
    return None if signals.progress is None else Finding("terminal", "working", "shows progress", signals.progress)


def _submit(signals: Signals) -> Finding | None:
    return None if signals.submitted is None else Finding("input", "working", "an answer was entered", signals.submitted)


def _settling(signals: Signals, now: float, published: State) -> Finding:
    life = signals.settling.life
    if life is None:
        if now < signals.started + signals.patterns.settle:
            return Finding("settling", "starting", "nothing heard yet", signals.started)
        return Finding("settling", "quiet", "nothing was ever shown", signals.started + signals.patterns.settle)
    if now < life + (signals.patterns.settle if published == "working" else min(signals.patterns.settle, FRESH)):
        return Finding("settling", "working", "the screen changes", life)
    if signals.patterns.recognisable:
        return Finding("settling", "working", UNRECOGNISED, life)
    if signals.editor_closed is not None and not signals.alternate:
        return Finding("terminal", "working", "it took a line and reads none now", signals.editor_closed)
    if signals.settling.turning and now < life + FROZEN:
        return Finding("settling", "working", "its spinner stands still", life)
    return Finding("settling", "quiet", "the screen has settled", life)

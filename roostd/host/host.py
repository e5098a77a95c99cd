"""One job's host: it wires what is in this package together, and holds no logic of its own."""

from __future__ import annotations

import os
import signal
import socket
import time
from functools import partial

from ptyprocess import PtyProcess

from roost_protocol.host import (
    PROTOCOL,
    Answer,
    AskEvidence,
    AskScreen,
    ExitRecord,
    Facts,
    FactsNow,
    HostReport,
    HostSpec,
    Linked,
    PartsNow,
    Status,
    Typed,
    TypeKeys,
    TypeText,
)
from roost_protocol.states import State
from roost_protocol.text import printable
from roostd import process
from roostd.host import child, record, screenshot
from roostd.host.arbiter import DECIDE_LATE
from roostd.host.dialogs import above
from roostd.host.ending import Ending
from roostd.host.link import Link
from roostd.host.loop import Loop
from roostd.host.mirror import engines
from roostd.host.observer import Observer
from roostd.host.pacing import Pacing
from roostd.host.parts import Parts
from roostd.host.pty import Pty
from roostd.host.rawlog import RawLog
from roostd.host.reception import Reception
from roostd.host.relay import Relay
from roostd.host.signals import Exited
from roostd.host.statuses import Statuses
from roostd.host.timers import Timer
from roostd.host.typing import FOCUS_OUT, Situation
from roostd.host.typist import TASK, Typist
from roostd.version import VERSION

LAST_WORDS = 2.0
"""Seconds in which slow terminals must read something of what they have not read when the job ends, to get as much again."""

AGAIN, AGAIN_MOST = 0.5, 60.0
"""Seconds until an exit record that the disk did not take is tried again, doubled each time up to the most."""


class Host:
    """`start` runs the job's process; the loop stops when the job has ended and its exit record is written."""

    def __init__(self, loop: Loop, spec: HostSpec, listener: socket.socket) -> None:
        self._loop = loop
        self._spec = spec
        self._child: PtyProcess | None = None
        self._pty: Pty | None = None
        self._ending: Ending | None = None
        self._mirror = engines.create(spec.cols, spec.rows, spec.mirror)
        self._observer = Observer(spec.detection, loop.now(), spec.tasked)
        self._rawlog = RawLog(spec.dir)
        self._link = Link(self)
        self._statuses = Statuses(loop, self._link.send, lambda facts: self._link.send(FactsNow(facts)))
        self._parts = Parts(loop, self._observer.signals.records, self._link.send)
        self._relay = Relay(loop, self._mirror, VERSION, spec.job)
        self._relay.on_typed = self._typed
        self._relay.on_looked = self._looked
        self._relay.on_resized = lambda: self._observer.repainted(loop.now())
        self._reception = Reception(loop, listener, spec.socket, self._link.take, self._relay.attach)
        self._typist = Typist(
            loop,
            spec.typing,
            draws=bool(self._observer.signals.patterns.screen),
            situation=self._situation,
            echoing=lambda: self._pty is not None and self._pty.line_settings()[1],
            unread=lambda: self._pty is not None and self._pty.unread(),
            rows=self._mirror.text,
            write=self._write,
            submitted=self._submitted,
            settled=self._settled,
            told=lambda: (self._statuses.last, time.time()),
        )
        self._pacing = Pacing(lambda: self._mirror.synchronized)
        self._look_timer: Timer | None = None
        self._decide_timer: Timer | None = None
        self._last_output: float | None = None
        self._looked_at: float | None = None
        self._shown = 0
        self._again = AGAIN
        self._last_screen_kept = False

    def start(self) -> None:
        """The job's process; one that cannot be started is an exit record too."""
        loop = self._loop
        loop.on_signal(signal.SIGCHLD, self._reap)
        loop.on_signal(signal.SIGTERM, lambda: self.stop(False))
        loop.on_signal(signal.SIGUSR1, self._reception.make_again)
        try:
            self._child = child.start(self._spec)
        except child.NotStarted as error:
            why = error
            loop.after(0, lambda: self._keep(self._exit_record(why.exit_code, None, error=why.message)))
            return
        self._pty = Pty(loop, self._child.fd, self._output, self._pty_ended)
        self._pty.on_room = self._relay.room
        self._relay.pty = self._pty
        self._ending = Ending(loop, self._child.pid, self._spec.job, self._pty, self._spec.stop_signal, self._over)
        self._decide()
        if self._spec.task is not None:
            self._typist.text(TASK, self._spec.task)
        loop.after(0, self._reap)

    # --- from the job

    def _output(self, data: bytes) -> None:
        fed = self._relay.output(data)
        self._rawlog.write(data)
        self._last_output = now = self._loop.now()
        told = False
        if fed.events:
            told = self._observer.hear(fed.events, now)
            self._parts.update()
        if self._pacing.output(now, told=told):
            self._look_when_due(now)

    def _look_when_due(self, now: float) -> None:
        if self._look_timer:
            self._look_timer.cancel()
        self._look_timer = None if self._pacing.due is None else self._loop.after(max(0.0, self._pacing.due - now), self._look)

    def _look(self) -> None:
        now = self._loop.now()
        if not self._pacing.look(now):
            self._look_when_due(now)
            return
        self._observer.look(self._mirror, now)
        self._decide()
        shown = hash(tuple(row for row in self._observer.rows if row))
        if shown != self._shown:
            self._shown = shown
            self._typist.shown(now)
        self._tell_facts()

    def _reap(self) -> None:
        if self._ending:
            self._ending.reap()

    def _pty_ended(self) -> None:
        if self._ending:
            self._ending.pty_ended()

    # --- what follows

    def _decide(self) -> None:
        """Ask the arbiter, publish what changed, and ask again when it says so."""
        now = self._loop.now()
        verdict, changed = self._observer.decide(now)
        self._typist.asks(verdict.state == "waiting")
        if changed:
            signals = self._observer.signals
            self._statuses.publish(verdict, knows_idle=signals.knows_idle, session_ref=signals.session_ref)
        if changed or self._typist.waits:
            self._typist.go_on()
        if self._decide_timer:
            self._decide_timer.cancel()
            self._decide_timer = None
        if verdict.deadline is not None:
            self._decide_timer = self._loop.after(verdict.deadline - now + DECIDE_LATE, self._decide)

    def _tell_facts(self) -> None:
        change = self._observer.signals.settling.change
        wall = self._statuses.wall
        self._statuses.update(
            Facts(
                title=self._observer.title,
                text=self._observer.text,
                last_output=None if self._last_output is None else wall(self._last_output),
                last_change=None if change is None else wall(change),
                attached=self._relay.attached,
                looked=self._looked_at,
            )
        )

    def _situation(self) -> Situation:
        """As it is at this moment: what was written since the last look is looked at, but no frame that is not complete."""
        modes = self._mirror.modes
        now = self._loop.now()
        if self._last_output is not None and not modes.synchronized:
            self._observer.look(self._mirror, now)
        verdict = self._observer.peek(now)
        finding = verdict.finding
        rows = self._mirror.text()
        signals = self._observer.signals
        match = signals.matched(now) if finding.signal == "pattern" and finding.state == "waiting" else None
        return Situation(
            state=verdict.seen,
            waiting_for=finding.waiting_for,
            question=finding.question,
            choices=finding.choices or (),
            dialog=verdict.state == "waiting" and (finding.signal != "report" or finding.waiting_for is not None),
            told=finding.signal in ("report", "program-status"),
            reported=finding.signal == "report",
            bracketed_paste=modes.bracketed_paste,
            focus_events=modes.focus_events and not self._relay.attached,
            application_cursor=modes.application_cursor,
            canonical=self._pty is not None and self._pty.line_settings()[0],
            shown=self._last_output is not None,
            rows=rows,
            asked_at=match.at if match else signals.asked_at(finding.signal),
            above=above(rows, match.row) if match else (),
            touched=signals.touched,
            news=signals.news,
        )

    # --- from people

    def _typed(self, data: bytes) -> None:
        if self._observer.typed(data, self._loop.now()):
            self._decide()

    def _looked(self) -> None:
        self._looked_at = time.time()
        self._observer.looked()
        self._observer.repainted(self._loop.now())
        self._parts.update()
        self._decide()
        self._tell_facts()

    def _submitted(self) -> None:
        self._observer.submitted(self._loop.now())
        self._decide()

    def _settled(self, typed: Typed) -> None:
        """A reply is over: the focus that it was given goes again, since some agents notify only those who do not look."""
        if self._mirror.modes.focus_events and not self._relay.attached:
            self._write(FOCUS_OUT)
        self._link.send(typed)

    def _write(self, data: bytes) -> None:
        if self._pty:
            self._observer.keyed(data, self._loop.now())
            self._pty.type(data)

    # --- from the daemon (link.Job)

    def linked(self) -> Linked:
        spec, mirror = self._spec, self._mirror
        return Linked(
            protocol=PROTOCOL,
            version=VERSION,
            job=spec.job,
            pid=os.getpid(),
            child=self._child.pid if self._child else 0,
            token_hash=spec.token_hash,
            cols=mirror.cols,
            rows=mirror.rows,
            engine=mirror.engine,
            not_engine=engines.missed(spec.mirror, mirror),
        )

    def unacked(self) -> list[Status]:
        return self._statuses.pending

    def facts(self) -> FactsNow:
        return FactsNow(self._statuses.facts)

    def parts(self) -> PartsNow | None:
        return self._parts.now

    def ack(self, n: int) -> None:
        self._statuses.ack(n)

    def report(self, report: HostReport) -> None:
        self._observer.report(report, self._loop.now(), time.time() - report.at)
        self._decide()

    def type_text(self, request: TypeText) -> Typed:
        return self._typist.text(request.id, request.text, request.answer, request.sent)

    def type_keys(self, request: TypeKeys) -> Typed:
        return self._typist.keys(request.id, request.keys)

    def stop(self, force: bool) -> None:
        if self._ending:
            self._ending.stop(force)

    def forget_attention(self) -> None:
        self._observer.answered()
        self._decide()

    def announce(self, text: str) -> None:
        self._relay.announce(text)

    def screen(self, request: AskScreen) -> Answer:
        data = screenshot.screen(self._mirror, ansi=request.ansi, lines=request.lines, cells=request.cells)
        return Answer(request.id, data)

    def evidence(self, request: AskEvidence) -> Answer:
        verdict = self._observer.peek(self._loop.now())
        evidence = [
            {
                "signal": finding.signal,
                "says": finding.state,
                "detail": finding.detail,
                "at": self._statuses.wall(finding.at),
                "won": finding is verdict.finding,
                "why": why,
            }
            for finding, why in verdict.findings
        ]
        mirror = {"engine": self._mirror.engine, "not_engine": engines.missed(self._spec.mirror, self._mirror)}
        return Answer(request.id, {"evidence": [*evidence, *self._untyped_task(verdict.state)], "left": self._left(), **mirror})

    def _untyped_task(self, state: State) -> list[dict[str, object]]:
        """A task that is not typed yet is no evidence, but says why nothing happens."""
        task = self._typist.outcomes.answer(TASK)
        if task is None or task.outcome != "pending":
            return []
        return [
            {
                "signal": "input",
                "says": state,
                "detail": "its task is not typed yet: it waits for the agent's prompt",
                "at": self._statuses.wall(self._observer.signals.started),
                "won": False,
                "why": "says no state by itself",
            }
        ]

    def _left(self) -> list[dict[str, object]]:
        pids = self._ending.outside() if self._ending else []
        found = ((pid, process.stat(pid)) for pid in pids)
        return [{"pid": pid, "name": printable(entry.name)} for pid, entry in found if entry]

    # --- the end

    def _over(self, exited: Exited) -> None:
        try:
            self._typist.end()
            self._last_look()
            self._observer.exited(exited)
            self._tell_facts()
        finally:  # A fault of ours costs the last facts, not the word that it has ended.
            self._keep(self._exit_record(exited.code, exited.signal, stopped=exited.stopped))

    def _last_look(self) -> None:
        """What it wrote last is what a list shows of it, and may be the only place that names its session."""
        named = self._observer.signals.session_ref
        self._observer.look(self._mirror, self._loop.now())
        if self._observer.signals.session_ref != named:
            self._decide()

    def _exit_record(self, code: int | None, name: str | None, *, stopped: bool = False, error: str | None = None) -> ExitRecord:
        return ExitRecord(
            job=self._spec.job,
            ended=time.time(),
            exit_code=code,
            exit_signal=name,
            stopped=stopped,
            error=error,
            typed=self._typist.outcomes.all,
            parts=self._observer.signals.records.parts(),
            token_hash=self._spec.token_hash,
        )

    def _keep(self, exited: ExitRecord) -> None:
        """Write what is left; a disk that takes nothing is asked again, ever more rarely."""
        try:
            if not self._last_screen_kept:
                record.write_screen(self._spec.dir, self._mirror)
                self._last_screen_kept = True
            record.write_exit(self._spec.dir, _with(exited, self._statuses))
        except FileNotFoundError:
            pass  # The job's directory was taken away: nobody wants to know.
        except OSError:
            self._loop.after(self._again, lambda: self._keep(exited))
            self._again = min(self._again * 2, AGAIN_MOST)
            return
        self._close(exited)

    def _close(self, exited: ExitRecord) -> None:
        self._relay.end(exited.exit_code, exited.exit_signal)
        self._link.close()
        self._reception.close()
        self._rawlog.close()
        self._linger(None)

    def _linger(self, unsent: int | None) -> None:
        left = self._relay.unsent
        if left and left != unsent:
            self._loop.after(LAST_WORDS, partial(self._linger, left))
        else:
            self._loop.after(0, self._loop.stop)


def _with(exited: ExitRecord, statuses: Statuses) -> ExitRecord:
    return ExitRecord(
        job=exited.job,
        ended=exited.ended,
        exit_code=exited.exit_code,
        exit_signal=exited.exit_signal,
        stopped=exited.stopped,
        error=exited.error,
        statuses=statuses.pending,
        typed=exited.typed,
        facts=statuses.facts,
        parts=exited.parts,
        token_hash=exited.token_hash,
    )

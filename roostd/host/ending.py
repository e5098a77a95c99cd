"""How a job ends: by itself, or because it is stopped; and what is left of it afterwards.

A job ends when its first process does. What is left in its session then gets HUP, TERM and KILL; what left the session is a helper that
others may share, and stays, unless the job was stopped: then the whole tree goes.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable

from roostd import process
from roostd.host.loop import Loop
from roostd.host.pty import Pty
from roostd.host.signals import Exited
from roostd.host.timers import Timer
from roostd.signal_names import signal_name

DRAIN = 1.0
"""Seconds at most for what the job has written and we have not read."""

LAST_READS = 64
"""Reads at the very end; a helper that writes for ever keeps nobody."""

HANG_UP = 0.5
GRACE = 5.0
"""Seconds after a stop until HUP, and until KILL."""

STEPS = ((signal.SIGHUP, 0.2), (signal.SIGTERM, 1.0), (signal.SIGKILL, 0.05))
"""What is left behind gets these, with seconds until the next."""

KILLS = 40
"""How often KILL is sent again before what does not die (it waits for a device) is left."""


class Ending:
    """Follows the first process, `pid`, to the end of everything; then calls `on_over` once."""

    def __init__(self, loop: Loop, pid: int, job: str, pty: Pty, stop_signal: str, on_over: Callable[[Exited], None]) -> None:
        self._loop = loop
        self._pid = pid
        self._job = job
        self._pty = pty
        self._stop_signal = getattr(signal, stop_signal, signal.SIGTERM)
        self._on_over = on_over
        self._exited: Exited | None = None
        self._timer: Timer | None = None
        self._steps: list[tuple[signal.Signals, float]] = []
        self._childless = False
        self._over = False
        self.stopped = False

    def reap(self) -> None:
        """A child has ended: perhaps the first process, perhaps one that it left to us."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                self._childless = True
                break
            if pid == 0:
                break
            if pid == self._pid and self._exited is None:
                self._first_ended(os.waitstatus_to_exitcode(status))
        if self._steps and not self._left():
            self._finish()

    def stop(self, force: bool) -> None:
        """A person wants it to end."""
        if self._exited is not None:
            self.stopped = self.stopped or not self._over
            return
        again = self.stopped and not force
        self.stopped = True
        if force:
            self._kill_all()
        elif not again:
            self._signal_session(self._stop_signal)
            self._signal_session(signal.SIGCONT)
            self._wait(HANG_UP, self._hang_up)

    def outside(self) -> list[int]:
        """Live processes of this job that have left its session."""
        table = process.table()
        below = process.descendants(os.getpid(), table)
        return sorted(pid for pid in below if table[pid].session != self._pid and pid != self._pid)

    def pty_ended(self) -> None:
        """Nobody has the terminal open any more: there is no more output to come."""
        if self._exited is not None and not self._steps and not self._over:
            self._drained()

    def _first_ended(self, code: int) -> None:
        name = signal_name(-code) if code < 0 else None
        self._exited = Exited(self._loop.now(), None if code < 0 else code, name, self.stopped)
        if self._pty.ended:
            self._loop.after(0, self._drained)
        else:
            self._wait(DRAIN, self._drained)

    def _drained(self) -> None:
        if self._steps or self._over:
            return
        if self._childless or not self._left():
            self._finish()
            return
        self._steps = list(STEPS)
        self._step()

    def _step(self) -> None:
        """The next signal to what is left; KILL is repeated, since something may have been forked in between."""
        left = self._left()
        if not left or not self._steps:
            self._finish()
            return
        number, pause = self._steps[0]
        if number != signal.SIGKILL:
            self._steps.pop(0)
        elif len(self._steps) < KILLS:
            self._steps.append(self._steps[0])
        else:
            self._finish()
            return
        _send(left, number)
        if number == signal.SIGHUP:
            _send(left, signal.SIGCONT)
        self._wait(pause, self._step)

    def _left(self) -> set[int]:
        table = process.table()
        below = process.descendants(os.getpid(), table) - {self._pid}
        if self.stopped:
            return below | process.with_job_id(self._job)
        return {pid for pid in below if table[pid].session == self._pid}

    def _finish(self) -> None:
        if self._over or self._exited is None:
            return
        self._over = True
        if self._timer:
            self._timer.cancel()
        for _ in range(LAST_READS):
            if not self._pty.read():
                break
        exited = self._exited
        self._on_over(Exited(exited.at, exited.code, exited.signal, self.stopped))

    def _hang_up(self) -> None:
        if self._exited is None:
            self._signal_session(signal.SIGHUP)
            self._signal_session(signal.SIGCONT)
            self._wait(GRACE - HANG_UP, self._kill_all)

    def _kill_all(self) -> None:
        if self._exited is None:
            _send(process.descendants(os.getpid()) | process.with_job_id(self._job), signal.SIGKILL)
            self._wait(0.2, self._kill_all)

    def _signal_session(self, number: signal.Signals) -> None:
        """The foreground group first: it may be all that the first process waits for."""
        group = self._pty.foreground()
        if group is not None and group != os.getpgrp():
            _send((-group,), number)
        table = process.table()
        session = {pid for pid, entry in table.items() if entry.session == self._pid and entry.state not in ("Z", "X")}
        _send((pid for pid in session if _group_of(pid) != group), number)

    def _wait(self, delay: float, call: Callable[[], None]) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.after(delay, call)


def _send(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            continue


def _group_of(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except OSError:
        return -1

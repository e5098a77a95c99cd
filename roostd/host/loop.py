"""The host's only loop: descriptors, one-shot timers and signals, in one thread.

It sleeps without a timeout unless a timer is pending, so that an idle host never wakes up.
"""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable
from select import POLLIN, POLLOUT, poll

from roostd.host.timers import Timer, Timers

Call = Callable[[], object]
Watched = tuple[int, Call | None, Call | None, bool]
"""Events, what to call when readable, and when writable; whether others come first. Looked up again for each call."""

_UNWATCHED: Watched = (0, None, None, False)

FAULTS, WITHIN = 100, 60.0


class Loop:
    """`watch` descriptors, `after` a delay, `on_signal`; then `run` until `stop`. `turns` counts wake-ups.

    A fault of ours costs the call in which it happens, not the job: `on_fault` is called in its `except` block. After `FAULTS` of
    them in a minute it is raised all the same, so that one which comes again and again does not spin.
    """

    def __init__(self, on_fault: Call | None = None) -> None:
        self._on_fault = on_fault
        self._faults: list[float] = []
        self._poll = poll()
        self._timers = Timers()
        self._watched: dict[int, Watched] = {}
        self._handlers: dict[int, Call] = {}
        self._running = True
        self.turns = 0
        self._woken, self._waker = socket.socketpair()
        self._woken.setblocking(False)
        self._waker.setblocking(False)
        signal.set_wakeup_fd(self._waker.fileno(), warn_on_full_buffer=False)
        self.watch(self._woken.fileno(), self._signalled)

    now = staticmethod(time.monotonic)
    """Seconds; the time a machine slept is not in it, so that a sleep is no silence of the agent."""

    def watch(self, fd: int, read: Call | None, write: Call | None = None, *, paused: bool = False, late: bool = False) -> None:
        """Call `read` or `write` whenever the descriptor is ready; with neither it is no longer watched.

        While `paused` it is only read once its peer has hung up. One that is `late` has its turn behind those that are not: what people
        say is heard before more is shown to them.
        """
        events = (POLLIN if read and not paused else 0) | (POLLOUT if write else 0)
        before = self._watched.pop(fd, None)
        if read or write:
            self._watched[fd] = (events, read, write, late)
            if before is None or before[0] != events:
                self._poll.register(fd, events)
        elif before is not None:
            self._poll.unregister(fd)

    def after(self, delay: float, call: Call) -> Timer:
        """Call once, `delay` seconds from now."""
        return self._timers.at(self.now() + delay, call)

    def on_signal(self, number: signal.Signals, call: Call) -> None:
        """Call, in the loop, when the signal came (once for several that came together)."""
        self._handlers[number] = call
        signal.signal(number, _heard)

    def stop(self) -> None:
        self._running = False

    def close(self) -> None:
        """Give back what the loop itself holds open."""
        signal.set_wakeup_fd(-1)
        self._woken.close()
        self._waker.close()

    def run(self) -> None:
        while self._running:
            self._turn()

    def _turn(self) -> None:
        due = self._timers.next_at()
        ready = self._poll.poll(None if due is None else max(0.0, (due - self.now()) * 1000))
        self.turns += 1
        if len(ready) > 1:
            ready.sort(key=self._is_late)
        for fd, events in ready:
            try:
                # Looked up before each call: the one before may have closed or changed the descriptor.
                if events & ~POLLIN and (write := self._watched.get(fd, _UNWATCHED)[2]):
                    write()
                if events & ~POLLOUT and (read := self._watched.get(fd, _UNWATCHED)[1]):
                    read()
            except Exception:
                self._fault()
        if due is not None:
            try:
                self._timers.fire(self.now())
            except Exception:
                self._fault()

    def _is_late(self, ready: tuple[int, int]) -> bool:
        return self._watched.get(ready[0], _UNWATCHED)[3]

    def _fault(self) -> None:
        """In the `except` block of a call: raises on what has gone wrong too often, or what nobody is told of."""
        now = self.now()
        self._faults = [at for at in self._faults if now - at < WITHIN] + [now]
        if self._on_fault is None or len(self._faults) > FAULTS:
            raise  # noqa: PLE0704
        self._on_fault()

    def _signalled(self) -> None:
        try:
            came = os.read(self._woken.fileno(), 4096)
        except BlockingIOError:
            return
        for number in sorted(set(came)):
            handler = self._handlers.get(number)
            if handler:
                handler()


def _heard(number: int, frame: object) -> None:
    """The wake-up descriptor has the number already; a handler in Python must exist for it to be written."""

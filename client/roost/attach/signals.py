"""Signals as bytes to read: what ends an attach, stops it, or changes its size."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM)
WATCHED = (*ENDING, signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT)


class Signals:
    """Signals as bytes to read, for as long as the `with` block lasts."""

    def __init__(self) -> None:
        self.fd, self._writer = os.pipe()
        os.set_blocking(self.fd, False)
        os.set_blocking(self._writer, False)
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Signals:
        for number in WATCHED:
            self._before[number] = signal.signal(number, lambda *_: None)
        signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        return self

    @contextmanager
    def default(self, number: signal.Signals) -> Iterator[None]:
        """For a while the signal does what it does to any process."""
        ours = signal.signal(number, signal.SIG_DFL)
        try:
            yield
        finally:
            signal.signal(number, ours)

    def __exit__(self, *_: object) -> None:
        signal.set_wakeup_fd(-1)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        os.close(self.fd)
        os.close(self._writer)

"""The names of signals, those of real time too."""

from __future__ import annotations

import signal


def signal_name(number: int) -> str:
    """`SIGTERM`, `SIGRTMIN+2`; `SIG99` for a number that is none here."""
    try:
        return signal.Signals(number).name
    except ValueError:
        first = getattr(signal, "SIGRTMIN", 0)
        return f"SIGRTMIN+{number - first}" if first and first < number < signal.SIGRTMAX else f"SIG{number}"

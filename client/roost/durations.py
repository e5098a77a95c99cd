"""Spans of time as people write and read them. Pure."""

from __future__ import annotations

UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def parse(text: str) -> float:
    """Seconds of `90`, `1.5`, `30s`, `10m`, `2h`, `1d`. Raises ValueError with what is allowed."""
    number, unit = (text[:-1], text[-1]) if text[-1:] in UNITS else (text, "s")
    try:
        seconds = float(number) * UNITS[unit]
    except ValueError:
        seconds = -1.0
    # Not below zero, not infinite, no nan: all three fail this.
    if not 0 <= seconds < 1e9:
        raise ValueError(f"{text!r} is no time: write seconds, or a number with s, m, h or d (10m)")
    return seconds


def age(seconds: float) -> str:
    """The span in its largest unit, rounded down: `0s`, `59s`, `3m`, `2h`, `12d`."""
    whole = max(0, int(seconds))
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if whole >= size:
            return f"{whole // size}{unit}"
    return f"{whole}s"

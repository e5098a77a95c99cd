"""What roost said about a job, held against what the scripted model did."""

from collections.abc import Sequence

States = Sequence[tuple[float, str]]
"""Each state with the moment it began (Unix seconds), in order."""


def in_force(states: States, at: float) -> str:
    """The state that was shown at that moment."""
    return next((state for began, state in reversed(states) if began <= at), "starting")


def begun(states: States, start: float, end: float) -> set[str]:
    """Every state that began after `start` and not after `end`."""
    return {state for began, state in states if start < began <= end}


def story(states: States, start: float) -> str:
    """For a failing test: what was shown, in seconds from `start`."""
    return ", ".join(f"{state} at {began - start:+.2f}" for began, state in states)

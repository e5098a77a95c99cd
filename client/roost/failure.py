"""What a command could not do, as one line for a person and an exit code."""

from __future__ import annotations

from roost_protocol.errors import EXIT_NO, EXIT_UNREACHABLE, EXIT_USAGE


class Failed(Exception):
    """Ends the command: `message` goes to stderr behind `roost: `, `status` is the exit code."""

    def __init__(self, message: str, status: int = EXIT_NO) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class Unreachable(Failed):
    """No daemon can be spoken to (exit code 4)."""

    def __init__(self, message: str) -> None:
        super().__init__(message, EXIT_UNREACHABLE)


class Usage(Failed):
    """The command line itself is wrong (exit code 2)."""

    def __init__(self, message: str) -> None:
        super().__init__(message, EXIT_USAGE)


def check_size(text: str) -> None:
    """Raises `Usage` where `text` is no size of a terminal."""
    cols, x, rows = text.partition("x")
    if not (x and all(part.isdecimal() and len(part) < 6 and 0 < int(part) <= 10_000 for part in (cols, rows))):
        raise Usage(f"--size: {text!r} is not COLSxROWS, as in 80x24 (1 to 10000 each)")

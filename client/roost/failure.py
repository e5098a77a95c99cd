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

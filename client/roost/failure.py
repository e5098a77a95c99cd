"""What a command could not do, as one line for a person and an exit code."""

from __future__ import annotations


class Failed(Exception):
    """Ends the command: `message` goes to stderr behind `roost: `, `status` is the exit code."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class Unreachable(Failed):
    """No daemon can be spoken to (exit code 4)."""

    def __init__(self, message: str) -> None:
        super().__init__(message, 4)


class Usage(Failed):
    """The command line itself is wrong (exit code 2)."""

    def __init__(self, message: str) -> None:
        super().__init__(message, 2)

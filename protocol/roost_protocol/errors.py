"""The coded refusals of both doors. Standard library only."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from roost_protocol.codes import Code


CODES: Final[dict[Code, str]] = {
    "unauthorized": "the token, the user or the door does not allow this",
    "bad_request": "the message is malformed, or a value is outside what is allowed",
    "not_found": "there is no such job, profile or command",
    "ambiguous": "the prefix fits several jobs",
    "conflict": "it is taken, or the job is in no state for it",
    "ended": "the job has ended; there is nobody to take it",
    "refused": "the job cannot take it now; the message says why",
    "full": "a bound is reached: the disk, a queue, a number of connections",
    "gone": "what was asked for is no longer kept; the message says what is",
    "unsupported": "the agent did not announce this, or the daemon does not know the verb",
    "superseded": "a newer connection speaks for this job",
    "too_large": "the line is over its bound",
    "timeout": "the deadline passed first",
    "internal": "roost's own fault; the daemon's log has the details",
}
"""Every code, and what it means."""

EXIT_OK: Final = 0
EXIT_NO: Final = 1
EXIT_USAGE: Final = 2
EXIT_NOT_FOUND: Final = 3
EXIT_UNREACHABLE: Final = 4
EXIT_TIMEOUT: Final = 124

_EXITS: Final[dict[str, int]] = {
    "bad_request": EXIT_USAGE,
    "not_found": EXIT_NOT_FOUND,
    "ambiguous": EXIT_NOT_FOUND,
    "timeout": EXIT_TIMEOUT,
}


class RoostError(Exception):
    """A refusal with its code. The message is one line for a person: what was wrong, where, and what to do."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code: Code = code
        self.message = message

    def __reduce__(self) -> tuple[type[RoostError], tuple[Code, str]]:
        return type(self), (self.code, self.message)


def exit_code(code: str) -> int:
    """The exit code of a command that was refused with this code."""
    return _EXITS.get(code, EXIT_NO)

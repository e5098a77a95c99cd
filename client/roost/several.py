"""The answers of a command that names several jobs: each is told, and the first refusal gives the exit code."""

from __future__ import annotations

from roost.output import print_json, print_line, warn
from roost_protocol.errors import EXIT_OK, RoostError, exit_code
from roost_protocol.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    Json = dict[str, Any]


def report_each(answers: Sequence[Json | RoostError], as_json: bool = False, words: Callable[[Json], str] | None = None) -> int:
    """Prints each answer (`words` makes its line; without, nothing is said) and each refusal. Returns the exit code."""
    status = EXIT_OK
    for answer in answers:
        if isinstance(answer, RoostError):
            warn(f"roost: {printable(answer.message)}")
            status = status or exit_code(answer.code)
        elif as_json:
            print_json(answer)
        elif words is not None:
            print_line(words(answer))
    return status

"""The codes of refusals. Apart from `errors`, since a command that is typed all day cannot wait for `typing`."""

from __future__ import annotations

from typing import Literal

Code = Literal[
    "unauthorized",
    "bad_request",
    "not_found",
    "ambiguous",
    "conflict",
    "ended",
    "refused",
    "full",
    "gone",
    "unsupported",
    "superseded",
    "too_large",
    "timeout",
    "internal",
]

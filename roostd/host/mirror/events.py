"""What the terminal heard a program say, in the order it was said."""

from dataclasses import dataclass
from typing import Literal

MAX_TEXT = 2_048


@dataclass(frozen=True, slots=True)
class Bell:
    """BEL by itself; one that ends an OSC is none."""


@dataclass(frozen=True, slots=True)
class Title:
    """OSC 0 or 2, or a title taken back from the title stack."""

    text: str


@dataclass(frozen=True, slots=True)
class Notification:
    """A desktop notification asked for. `text` may be empty (OSC 1337 RequestAttention)."""

    text: str
    source: Literal["OSC 9", "OSC 777", "OSC 99", "OSC 1337"]


@dataclass(frozen=True, slots=True)
class Progress:
    """OSC 9;4. `state`: 0 none, 1 normal, 2 error, 3 indeterminate, 4 paused; `value` is 0 to 100, or None."""

    state: int
    value: int | None


@dataclass(frozen=True, slots=True)
class PromptMark:
    """OSC 133: A prompt, B input, C the command runs, D it ended (`exit_code` if it was told)."""

    kind: Literal["A", "B", "C", "D"]
    exit_code: int | None = None


@dataclass(frozen=True, slots=True)
class ProgramStatus:
    """OSC 7501 as it was sent: the `key=value` pairs, not parsed and not to be trusted."""

    pairs: str


@dataclass(frozen=True, slots=True)
class SyncOutput:
    """Mode 2026: a frame is being drawn (`on`), or is complete."""

    on: bool


@dataclass(frozen=True, slots=True)
class HardReset:
    """RIS: everything a program had said about itself is void."""


Event = Bell | Title | Notification | Progress | PromptMark | ProgramStatus | SyncOutput | HardReset

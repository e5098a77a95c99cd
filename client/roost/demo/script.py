"""What the demo pretends to do for a task. Pure: the same task and seed give the same script."""

import random
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Work:
    """Busy for some seconds, then something to say."""

    seconds: float
    says: str


@dataclass(frozen=True, slots=True)
class Ask:
    """An approval: what follows depends on it."""

    question: str
    yes: tuple[Work, ...]
    no: tuple[Work, ...]


Step = Work | Ask

COMMANDS: Final = ("pytest -q", "make check", "git push")
FINDINGS: Final = (
    "It depends on the order in which a set is walked.",
    "It compares two times that can be equal.",
    "It waits a fixed second for a server that may need two.",
)


def script(seed: int) -> list[Step]:
    """About four seconds of work, with one approval in the middle. Seed 0 asks for `pytest -q`."""
    chance = random.Random(seed)
    command = chance.choice(COMMANDS) if seed else COMMANDS[0]
    finding = chance.choice(FINDINGS) if seed else FINDINGS[0]
    return [
        Work(1.2, "• I read the code first: 3 files."),
        Work(1.2, f"• {finding}"),
        Ask(
            question=f"Run `{command}`?",
            yes=(Work(1.2, f"✔ Ran {command}"), Work(0.4, "• Fixed, and checked. Nothing else was touched.")),
            no=(Work(0.4, f"✘ Did not run {command}. The change is there, unchecked."),),
        ),
    ]

"""`python -m roostd.jobs.diagram`: the first part of docs/states.md, drawn from the table. Pure but for `main`."""

from __future__ import annotations

import sys

from roost_protocol.states import ENDED, LIVE, STATES
from roostd.jobs.machine import TABLE

_HEAD = """\
# The states of a job

Down to the diagram generated from `roostd/jobs/machine.py` by `python -m roostd.jobs.diagram`; a test compares the two.

A job has one of nine states. It lives in the first five and ends in one of the last four, for good: `again` and `resume` make a
new job. An arrow's word is what has happened.

| state | means |
|---|---|
"""

_MEANS = {
    "starting": "spawned, nothing heard yet",
    "working": "it is busy: there is evidence of progress",
    "waiting": "it wants an answer from a person: an approval, a question, a choice, a login",
    "idle": "its turn is over and its prompt is there, by positive evidence",
    "quiet": "the screen settled and nothing says why",
    "done": "the process ended with 0",
    "failed": "the process ended with another code or by a signal",
    "stopped": "a person stopped it, whatever code it then gave",
    "lost": "its host is gone and left no exit record",
}


def diagram() -> str:
    """The table as a Mermaid state diagram. Live states lead everywhere alike, so that they are drawn as one group."""
    lines = ["stateDiagram-v2", "    [*] --> starting", "    state live {"]
    for state in STATES:
        for happening, target in TABLE[state].items():
            if target in LIVE and target != state:
                lines.append(f"        {state} --> {target}: {happening}")
    lines.append("    }")
    ends = {(happening, target) for state in LIVE for happening, target in TABLE[state].items() if target in ENDED}
    lines += [f"    live --> {target}: {happening}" for happening, target in sorted(ends)]
    lines += [f"    {state} --> [*]" for state in STATES if state in ENDED]
    return "\n".join(lines)


def document() -> str:
    """The first part of docs/states.md; how a state is known stands below it, written by hand."""
    rows = "".join(f"| `{state}` | {_MEANS[state]} |\n" for state in STATES)
    return f"{_HEAD}{rows}\n```mermaid\n{diagram()}\n```\n"


def main() -> int:
    sys.stdout.write(document())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

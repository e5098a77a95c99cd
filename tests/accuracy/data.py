"""Recordings `AGENT/SCENARIO[.tag].jsonl.gz` with `.truth.jsonl` beside them, and which of them are held out."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from roostd.host.replay.recording import Recording, read
from tests.accuracy.judge import Interval

OWN = Path(__file__).parents[1] / "recordings"
"""Those that the project holds itself."""

ENDING = ".jsonl.gz"
EVERY = 3
"""So many scenarios of an agent, by the order of their names, have one that is held out: the last of them."""

Part = Literal["tuned", "held-out", "all"]


@dataclass(frozen=True)
class Case:
    """One recording: `agent` is the folder's name, `profile` the agent in the catalogue that made it."""

    agent: str
    scenario: str
    path: Path
    held_out: bool

    @property
    def profile(self) -> str:
        return self.agent.partition("-")[0]

    @property
    def name(self) -> str:
        return f"{self.agent}/{self.scenario}"

    def recording(self) -> Recording:
        """Its steps, read as they are asked for."""
        return read(gzip.open(self.path))  # type: ignore[arg-type]

    def truth(self) -> list[Interval]:
        """What was true when, in order. `to` of the last interval is where the recording ends."""
        lines = self.path.with_name(self.scenario + ".truth.jsonl").read_text().splitlines()
        labels = [record for record in map(json.loads, lines) if record["src"] == "label"]
        return [Interval(label["from"], label["to"] or label["from"], label["label"], label["kind"]) for label in labels]


def cases(folder: Path, part: Part = "all", agent: str | None = None) -> list[Case]:
    """All recordings below `folder`, sorted."""
    found = []
    for place in sorted(path for path in folder.iterdir() if path.is_dir()):
        scenarios = sorted(path.name.removesuffix(ENDING) for path in place.glob(f"*{ENDING}"))
        found += [
            Case(place.name, scenario, place / f"{scenario}{ENDING}", number % EVERY == 0) for number, scenario in enumerate(scenarios, 1)
        ]
    return [case for case in found if (part == "all" or case.held_out == (part == "held-out")) and agent in (None, case.agent)]

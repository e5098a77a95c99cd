"""Plays every mutant through every scenario, and writes table.json. Look at what has changed before you keep it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.conformance.mutants import MUTANTS
from tests.conformance.playing import SCENARIOS, brief, raw, verdicts


def main(names: list[str]) -> None:
    path = Path(__file__).parent / "table.json"
    table = json.loads(path.read_text()) if path.exists() else {}
    for name in names or MUTANTS:
        found = verdicts((raw("mutants", name), scenario, brief(scenario)) for scenario in SCENARIOS.values())
        table[name] = [verdict.scenario.name for verdict in found if verdict.outcome != "passed"]
        path.write_text(json.dumps({each: table[each] for each in MUTANTS if each in table}, indent=1) + "\n")
        for verdict in found:
            if verdict.outcome != "passed":
                print(f"{name}: {verdict.scenario.name}: {verdict.reason}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

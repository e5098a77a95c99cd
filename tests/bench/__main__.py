"""`python -m tests.bench [--only NAME]... [--json FILE] [--quick]`: measures and prints one table.

Exit code 0 if every reach is met, 1 if one is missed or could not be measured, 2 for a wrong option.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from tests.bench import machine
from tests.bench.measurements import arbiter, attach, echo, flood, idle, ls, memory, mirror, run
from tests.bench.place import BenchError, Place, private_place, say
from tests.bench.stats import Row
from tests.bench.table import as_json, table

MEASUREMENTS: dict[str, Callable[[Place, bool], list[Row]]] = {
    "ls": ls.measure,
    "run": run.measure,
    "memory": memory.measure,
    "idle": idle.measure,
    "echo": echo.measure,
    "flood": flood.measure,
    "attach": attach.measure,
    "mirror": mirror.measure,
    "arbiter": arbiter.measure,
}


def main() -> int:
    options = _parser().parse_args()
    if not Path("/proc/self/smaps_rollup").exists():
        sys.stderr.write("bench: needs Linux 4.14 or newer with /proc\n")
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    facts = machine.facts()
    rows = [row for name in options.only or MEASUREMENTS for row in _measured(name, options.quick)]
    if options.json:
        document = {"machine": facts, "quick": options.quick, "rows": [as_json(row) for row in rows]}
        options.json.write_text(json.dumps(document, indent=2) + "\n")
    sys.stdout.write(", ".join(f"{name} {value}" for name, value in facts.items()) + "\n\n" + table(rows))
    return 0 if all(row.verdict not in ("missed", "failed") for row in rows) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.bench", description="How fast and how small roost is, beside its peers.")
    parser.add_argument("--only", action="append", choices=list(MEASUREMENTS), help="only this measurement (may be given again)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the rows with full precision")
    parser.add_argument("--quick", action="store_true", help="fewer samples, a shorter silence, 10 MB: to see that it works")
    return parser


def _measured(name: str, quick: bool) -> list[Row]:
    """The rows of one measurement, made in a place of its own; a row that says why where it failed."""
    say(name)
    try:
        with private_place() as place:
            return MEASUREMENTS[name](place, quick)
    except (BenchError, AssertionError, OSError) as error:
        return [Row(name, "", None, note=" ".join(str(error).split())[:200])]


if __name__ == "__main__":
    sys.exit(main())

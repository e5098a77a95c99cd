"""What Linux says of a process: memory, CPU time and wake-ups. Parsers are pure; the readers below them open /proc."""

from __future__ import annotations

import os
import re
from pathlib import Path

PROC = Path("/proc")


def parse_pss(rollup: str) -> float:
    """KiB from the text of smaps_rollup (proc(5)): private pages and this process's share of the shared ones."""
    return float(_field(rollup, "Pss"))


def parse_voluntary_switches(status: str) -> int:
    """How often the thread whose status file this is went to sleep of its own will: each one is a wake-up."""
    return int(_field(status, "voluntary_ctxt_switches"))


def parse_stat(stat: str) -> tuple[int, int]:
    """Parent pid, and user plus system time in clock ticks, from /proc/PID/stat (fields 4, 14 and 15)."""
    # The name stands in parentheses and may hold anything, so that the fields count from the last one.
    fields = stat[stat.rindex(")") + 1 :].split()
    return int(fields[1]), int(fields[11]) + int(fields[12])


def _field(text: str, name: str) -> str:
    match = re.search(rf"^{name}:\s+(\d+)", text, re.MULTILINE)
    if match is None:
        raise ValueError(f"there is no {name} in {text[:80]!r}")
    return match.group(1)


def pss_mib(pid: int) -> float:
    return parse_pss((PROC / str(pid) / "smaps_rollup").read_text()) / 1024


def parent(pid: int) -> int:
    return parse_stat((PROC / str(pid) / "stat").read_text())[0]


def cpu_seconds(pid: int) -> float:
    """Of all its threads, also of those that ended."""
    return parse_stat((PROC / str(pid) / "stat").read_text())[1] / os.sysconf("SC_CLK_TCK")


def voluntary_switches(pid: int) -> int:
    """Of all its threads: the process's own status file counts only the first one."""
    tasks = (PROC / str(pid) / "task").iterdir()
    return sum(parse_voluntary_switches((task / "status").read_text()) for task in tasks)

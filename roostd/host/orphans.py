"""Which processes a host that was killed leaves behind. Pure: a table of processes in, pids out.

The spawner adopts what its hosts leave. What a host that ended well left is a helper that several jobs may share, and stays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from roostd.process import Stat, below


def of_killed_host(
    table: Mapping[int, Stat],
    spawner: int,
    *,
    job: str,
    hosts: Collection[int],
    helpers: Collection[int],
    daemons: Collection[int],
    named: Collection[int],
    job_of: Callable[[int], str | None],
) -> set[int]:
    """Live pids to end: what was started with this job's id (`named`), and the children of the spawner that are neither hosts nor
    helpers nor another job's, each with all below it. `daemons` are those that were started from inside a job: they and theirs stay."""
    adopted = {pid for pid in left_to(table, spawner) if pid not in hosts and pid not in helpers}
    roots = set(named) | {pid for pid in adopted if job_of(pid) in (None, job)}
    apart = {*hosts, *daemons}
    kept = apart | below(table, apart) | set(helpers)
    live = {pid for pid in roots if pid in table and table[pid].state not in ("Z", "X")}
    return (live | below(table, roots)) - kept - {spawner}


def left_to(table: Mapping[int, Stat], spawner: int) -> set[int]:
    """The spawner's own children, zombies left out."""
    return {pid for pid, entry in table.items() if entry.parent == spawner and entry.state not in ("Z", "X")}

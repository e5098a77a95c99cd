"""Agents that are watched live, two at a time, and what came of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from secrets import token_hex

from roost_protocol.host import Detection
from roostd.catalogue.load import catalogue
from roostd.host.replay.observed import Observed
from roostd.profiles import detection
from tests.accuracy.judge import Shown, judge
from tests.accuracy.live import Watched, watch
from tests.accuracy.rows import KINDS, Kind, Row
from tests.accuracy.table import details, table, told
from tests.realagents.opening import WAYS
from tests.support import processes

AT_ONCE = 2


def live(agents: Sequence[str], scenarios: Sequence[str], most: int) -> int:
    """Prints each agent's time, then the table: the first row as it was shown live, the others from what was recorded of the same.

    The exit code: 0 where every row reaches what it must.
    """
    os.environ[processes.MARKER] = token_hex(8)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = dict(zip(agents, pool.map(lambda agent: watch(agent, scenarios), agents), strict=True))
    for agent, watched in found.items():
        shown = [(at, f"{state}: {why}") for (at, state), why in zip(watched.shown, watched.why, strict=True)]
        sys.stdout.write(f"{agent}\n{told(watched.truth, shown)}")
    rows = [_row(kind, found) for kind in KINDS]
    for row in rows:
        sys.stdout.write(table([row]) + details(row, most))
    return 0 if all(row.all.share >= row.kind.overall and row.worst[1] >= row.kind.worst for row in rows) else 1


def _row(kind: Kind, found: Mapping[str, Watched]) -> Row:
    row = Row(kind)
    for agent, watched in found.items():
        shown = _replayed(agent, watched, kind) if kind.without else watched.shown
        score = row.cases[agent] = row.agents[agent] = judge(agent, watched.truth, shown, quiet_is_right=kind.unknown)
        row.all.add(score)
    return row


def _replayed(agent: str, watched: Watched, kind: Kind) -> list[Shown]:
    wanted = Detection() if kind.unknown else detection(catalogue()[WAYS[agent].profile])
    replay = Observed(wanted, *watched.size, kind.without)
    for step in watched.steps:
        replay.take(step)
    replay.finish()
    return [Shown(change.at, change.state) for change in replay.transitions]

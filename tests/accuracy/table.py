"""Rows as text. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from roostd.host.replay.observed import Transition
from tests.accuracy.judge import Interval, Score
from tests.accuracy.rows import Row


def table(rows: Sequence[Row]) -> str:
    """One line a row; below it what was wrong, and where."""
    return "\n".join(line for row in rows for line in _lines(row)) + "\n"


def details(row: Row, most: int) -> str:
    """The recordings with the most wrong judgements, each with what was taken for what."""
    worst = sorted(row.cases.items(), key=lambda pair: pair[1].right - pair[1].total)[:most]
    return "".join(f"    {name:32} {score.share:7.2%}  {_wrong(score)}\n" for name, score in worst if score.right < score.total)


def timeline(truth: Sequence[Interval], shown: Sequence[Transition]) -> str:
    """What was true and what was shown, in the order of time."""
    return told(truth, [(change.at, f"{change.state}: {change.signal}, {change.detail}") for change in shown])


def told(truth: Sequence[Interval], shown: Sequence[tuple[float, str]]) -> str:
    """The same of anything shown: each with its moment."""
    lines = [(interval.start, f"{interval.start:8.2f}  true   {interval.label} {interval.kind}") for interval in truth]
    lines += [(at, f"{at:8.2f}    shown  {what}") for at, what in shown]
    return "\n".join(line for _, line in sorted(lines, key=lambda pair: pair[0])) + "\n"


def _lines(row: Row) -> list[str]:
    score, (agent, share) = row.all, row.worst
    seen = score.waits - len(score.missed_waits)
    agents = ", ".join(f"{name} {found.share:.2%}" for name, found in row.agents.items())
    lines = [
        f"{row.kind.name}: {score.share:.2%} right of {score.total} (to reach: {row.kind.overall:.1%}), "
        f"worst {agent} {share:.2%} ({row.kind.worst:.0%}); waits seen {seen} of {score.waits}",
        f"  {agents}",
    ]
    lines += _places("waiting shown while working", score.false_waits)
    lines += _places("idle or done shown while working", score.early_ends)
    return lines + _places("waits not seen", score.missed_waits)


def _places(what: str, places: list[str]) -> list[str]:
    return [f"  {what}: {len(places)}, {'; '.join(places[:6])}"] if places else []


def _wrong(score: Score) -> str:
    return ", ".join(f"{true} as {shown} {count}" for (true, shown), count in score.wrong.most_common())

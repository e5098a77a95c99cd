"""The rows of `roost ls`, for people. Pure: jobs as the daemon's JSON has them, a time and a width go in, lines come out."""

from __future__ import annotations

from roost.durations import age
from roost.width import clip, one_line, pad, width
from roost_protocol.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    Json = dict[str, Any]

HEADER = ("NAME", "ID", "STATE", "SINCE", "TEXT")
LONGEST_NAME = 24
GAP = "  "

RANK = {"waiting": 0, "idle": 2, "quiet": 2, "starting": 3, "working": 3}
"""Who needs a person comes first; an attention (1) is between; what has ended (4) is last, newest first."""
ENDED_RANK = 4

COLOURS = {"waiting": "1;33", "failed": "31", "lost": "31", "working": "36", "starting": "36", "idle": "32", "done": "2", "stopped": "2"}


def lines(jobs: Sequence[Json], since: Callable[[float], str], columns: int | None = None, colour: bool = False) -> list[str]:
    """The table with its header, each line at most `columns` wide. `since` writes a job's Unix time for the SINCE column."""
    cells = [cells_of(job, since) for job in sorted(jobs, key=_order)]
    widths = [max(width(row[i]) for row in [HEADER, *cells]) for i in range(len(HEADER) - 1)]
    plain = [_joined(row, widths, columns) for row in [HEADER, *cells]]
    if not colour:
        return plain
    return [plain[0], *(_coloured(line, row[2], widths) for line, row in zip(plain[1:], cells, strict=True))]


def cells_of(job: Json, since: Callable[[float], str]) -> tuple[str, str, str, str, str]:
    """One job's cells, safe to show; a dash stands for what is not known."""
    name = clip(printable(job.get("name") or "-"), LONGEST_NAME)
    state = printable(str(job["state"])) + ("!" if job.get("attention") else "") + ("?" if job.get("stalled") else "")
    return name, printable(str(job["id"])), state, since(job["since"]), text_of(job) or "-"


def text_of(job: Json) -> str:
    """What a person should read of a job: how it ended, else its question, else what rang, else its title or last line."""
    state = job["state"]
    if state == "failed":
        return one_line(how_it_ended(job))
    text = one_line(job.get("text") or job.get("title") or "")
    if state == "waiting":
        asked = [one_line(part) for part in (job.get("waiting_for"), job.get("question")) if part]
        return ": ".join(asked) or text
    attention = job.get("attention")
    rang = one_line(attention.get("text") or "") if attention else ""
    return rang or text


def how_it_ended(job: Json) -> str:
    """`exit code 3`, `SIGTERM`, or the evidence's word where the process never was."""
    if job.get("exit_signal"):
        return str(job["exit_signal"])
    if job.get("exit_code") is not None:
        return f"exit code {job['exit_code']}"
    evidence = job.get("evidence")
    return str(evidence["detail"]) if evidence else ""


def ago(now: float) -> Callable[[float], str]:
    """For a table that is printed once: how long ago."""
    return lambda at: age(now - at)


def clock(now: float) -> Callable[[float], str]:
    """For a table that stays on the screen, where an age would grow stale: the local time of day, or the date if it is older than a day."""
    import time

    return lambda at: time.strftime("%H:%M:%S" if now - at < 86400 else "%b %d %H:%M", time.localtime(at))


def _order(job: Json) -> tuple[int, float]:
    rank = RANK.get(job["state"], ENDED_RANK)
    if rank == ENDED_RANK:
        return rank, -(job.get("ended") or job["since"])
    if job.get("stalled"):
        rank = RANK["idle"]
    return (1 if job.get("attention") and rank > 1 else rank), job["created"]


def _joined(row: Sequence[str], widths: Sequence[int], columns: int | None) -> str:
    line = GAP.join([*(pad(cell, size) for cell, size in zip(row, widths, strict=False)), row[-1]]).rstrip()
    return line if columns is None else clip(line, columns)


def _coloured(line: str, state: str, widths: Sequence[int]) -> str:
    """The state's word in its colour. Only where the cut line still has it whole."""
    code = COLOURS.get(state.rstrip("!?"))
    before = _at_column(line, sum(widths[:2]) + 2 * len(GAP))
    if code is None or line[before : before + len(state)] != state:
        return line
    return f"{line[:before]}\x1b[{code}m{state}\x1b[m{line[before + len(state) :]}"


def _at_column(line: str, column: int) -> int:
    """The index of the character at a column."""
    index = used = 0
    while used < column and index < len(line):
        used += width(line[index])
        index += 1
    return index

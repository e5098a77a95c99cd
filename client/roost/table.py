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
    told = [(name, of) for name, of in TOLD if any(map(of, jobs))]
    header = (*HEADER[:-1], *(name for name, _ in told), HEADER[-1])
    cells = []
    for job in sorted(jobs, key=_order):
        *known, text = cells_of(job, since)
        cells.append((*known, *(of(job) or "-" for _, of in told), text))
    widths = [max(width(row[i]) for row in [header, *cells]) for i in range(len(header) - 1)]
    plain = [_joined(row, widths, columns) for row in [header, *cells]]
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
    if interrupted := job.get("interrupted"):
        return f"was {interrupted['state']}" + (f": {one_line(interrupted['doing'])}" if interrupted.get("doing") else "")
    text = one_line(job.get("text") or job.get("title") or "")
    if state == "waiting":
        asked = [one_line(part) for part in (job.get("waiting_for"), job.get("question")) if part]
        offered = ", ".join(f"{number} {one_line(choice['label'])}" for number, choice in enumerate(job.get("choices") or (), 1))
        return " ".join(filter(None, (": ".join(asked) or text, f"[{offered}]" if offered else "")))
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


def model_of(job: Json) -> str:
    return clip(one_line(job.get("model") or ""), LONGEST_NAME)


def context_of(job: Json) -> str:
    """How full the agent's context is, by `{"used", "limit"}` in tokens; without a limit the tokens."""
    used, limit = (_number(job.get("context"), name) for name in ("used", "limit"))
    return f"{used / limit:.0%}" if used is not None and limit else _short(used)


def usage_of(job: Json) -> str:
    """What it has cost, by `{"cost"}` in US dollars, else the tokens of `{"input", "output"}`."""
    cost, *tokens = (_number(job.get("usage"), name) for name in ("cost", "input", "output"))
    known = [count for count in tokens if count is not None]
    return f"${cost:.2f}" if cost is not None else _short(sum(known) if known else None)


TOLD = (("MODEL", model_of), ("CONTEXT", context_of), ("USAGE", usage_of))
"""Columns of what an agent tells of itself; one that no agent has told anything for is left out."""


def _number(told: object, name: str) -> float | None:
    """A number that an agent told, which may be anything."""
    value = told.get(name) if isinstance(told, dict) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e15 else None


def _short(count: float | None) -> str:
    if count is None:
        return ""
    return f"{count:.0f}" if count < 1000 else f"{count / 1000:.0f}k" if count < 1e6 else f"{count / 1e6:.1f}M"


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

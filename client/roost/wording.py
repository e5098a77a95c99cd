"""How jobs are spoken of in one line. Pure, and safe to show."""

from __future__ import annotations

from roost.table import how_it_ended
from roost.width import one_line
from roost_protocol.errors import EXIT_NO, EXIT_OK
from roost_protocol.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Json = dict[str, Any]


def label(job: Json) -> str:
    """What to call a job in a command: its name, else its id."""
    return printable(str(job.get("name") or job["id"]))


def full_label(job: Json) -> str:
    """`NAME (ID)`, or the id alone."""
    name, job_id = job.get("name"), printable(str(job["id"]))
    return f"{printable(str(name))} ({job_id})" if name else job_id


def outcome(job: Json) -> str:
    """The state, with how it ended or what is asked: `failed: exit code 3`, `waiting: approval: Run it?`."""
    state = printable(str(job["state"]))
    if state == "failed":
        how = one_line(how_it_ended(job))
        return f"{state}: {how}" if how else state
    if state == "waiting":
        return ": ".join([state, *(one_line(str(part)) for part in (job.get("waiting_for"), job.get("question")) if part)])
    return state


def exit_by_state(job: Json) -> int:
    """0 for a job that is done, 1 for any other."""
    return EXIT_OK if job["state"] == "done" else EXIT_NO


def exit_of_job(job: Json) -> int:
    """The job's own exit code; 128 and the signal's number for one that a signal ended, as shells say it; 1 where nothing is known."""
    if job.get("exit_code") is not None:
        return int(job["exit_code"])
    number = _signal_number(str(job.get("exit_signal") or ""))
    return exit_by_state(job) if number is None else 128 + number


def _signal_number(name: str) -> int | None:
    import signal

    name, _, further = name.partition("+")  # SIGRTMIN+2
    number = getattr(signal, name, None) if name.startswith("SIG") else None
    return int(number) + int(further or 0) if isinstance(number, signal.Signals) else None

"""How a record changes by what is heard of its job. Pure: a record and news in, a record and the events out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from roost_protocol.agent import Report
from roost_protocol.host import ExitRecord, Facts, Status
from roost_protocol.jobs import Attention, Choice, Evidence, Interrupted, Job, Part
from roost_protocol.states import LIVE, State
from roost_protocol.text import printable
from roostd.jobs.machine import OBSERVED, ending, transition
from roostd.jobs.news import News
from roostd.jobs.record import Record, changed
from roostd.jobs.writes import Write

SAME_BELL: Final = 1.0
"""Seconds by which two reckonings of one bell's time may differ."""


class Change(NamedTuple):
    """A record as it is now, what there is to tell about it, and what else is written with it."""

    record: Record
    news: Sequence[News] = ()
    writes: Sequence[Write] = ()


def heard(record: Record, status: Status, attached: int) -> Change:
    """A host's status of a live job. One that was had before changes nothing."""
    if status.n <= record.status_n or status.state not in LIVE:
        return Change(record)
    before = record.job
    state = transition(before.state, OBSERVED[status.state])
    job = msgspec.structs.replace(
        before,
        state=state,
        since=status.since if state != before.state else before.since,
        evidence=clean(status.evidence),
        waiting_for=status.waiting_for,
        question=_line(status.question),
        choices=choices(status.choices),
        attention=_rung(before.attention, clean(status.attention)),
        session_ref=_line(status.session_ref) or before.session_ref,
        seen=attached > 0 or (before.seen and state == before.state),
    )
    after = msgspec.structs.replace(record, job=job, status_n=status.n, launched=True, knows_idle=record.knows_idle or status.knows_idle)
    news = [_state_news(before, job)] if _differs(before, job) else []
    if job.attention is not None and job.attention != before.attention:
        news.append(News("job.attention", msgspec.to_builtins(job.attention)))
    return Change(after, news)


def _rung(before: Attention | None, now: Attention | None) -> Attention | None:
    """The same bell has the time that it had first: a host reckons it anew for each status, and no two clocks go alike."""
    if before is None or now is None or (before.signal, before.text) != (now.signal, now.text):
        return now
    return before if abs(before.at - now.at) < SAME_BELL else now


def exited(record: Record, exit_record: ExitRecord) -> Change:
    """How a job ended, with the statuses that were missed before."""
    news: list[News] = []
    for status in exit_record.statuses:
        record, more, _ = heard(record, status, 0)
        news += more
    stopped = exit_record.stopped or record.stop != "no"
    if exit_record.exit_code is None and exit_record.exit_signal is None and not stopped:
        # A tombstone: the job never had a process.
        return lost(record, exit_record.error or "its exit record does not say how it ended", exit_record.ended)
    happening = ending(exit_record.exit_code, exit_record.exit_signal, stopped)
    facts = exit_record.facts
    job = msgspec.structs.replace(
        with_facts(record.job, facts),
        exit_code=exit_record.exit_code,
        exit_signal=exit_record.exit_signal,
        session_ref=record.job.session_ref,
        parts=clean_parts(exit_record.parts),
    )
    evidence = Evidence("process", exit_detail(exit_record), exit_record.ended)
    token_hash = exit_record.token_hash or record.token_hash
    record = msgspec.structs.replace(record, job=job, launched=True, token_hash=token_hash)
    after, last, _ = _ended(record, transition(job.state, happening), evidence, exit_record.ended)
    return Change(after, [*news, *last])


def lost(record: Record, why: str, now: float) -> Change:
    """The daemon's own finding that nobody can say how this job ended."""
    before = record.job
    doing = before.question or before.text or before.title
    record = changed(record, interrupted=Interrupted(before.state, doing, resume=before.session_ref is not None))
    return _ended(record, transition(before.state, "vanished"), Evidence("daemon", why, now), now)


def reported(record: Record, report: Report) -> Change:
    """What the agent said of itself stands in the row. The state, and what it waits for, follow from the host, which weighs it with what
    else it sees."""
    fields: dict[str, Any] = {}
    if report.model is not None:
        fields["model"] = printable(report.model)
    if report.session_ref is not None:
        fields["session_ref"] = printable(report.session_ref)
    fields |= {name: clean_tree(value) for name in ("usage", "context") if (value := getattr(report, name)) is not None}
    data = msgspec.to_builtins(report)
    data = {key: clean_tree(value) for key, value in data.items() if value is not None and key not in ("type", "seq")}
    return Change(changed(record, **fields) if fields else record, [News("job.report", data)])


def told(record: Record, parts: list[Part] | None) -> Change:
    """What the job's programs say of themselves: durable, and an event, when a part came, went or is in another state, not at each word."""
    if _shape(parts) == _shape(record.job.parts):
        return Change(record)
    return Change(changed(record, parts=parts), [News("job.parts", {"parts": msgspec.to_builtins(parts or [])})])


def clean_parts(parts: list[Part] | None) -> list[Part] | None:
    """The same parts, fit for a terminal; None for none."""
    return msgspec.convert(clean_tree(msgspec.to_builtins(parts)), list[Part]) if parts else None


def _shape(parts: list[Part] | None) -> list[tuple[str | None, ...]]:
    return [(part.id, part.state, part.waiting_for, part.app) for part in parts or []]


def with_facts(job: Job, facts: Facts) -> Job:
    """The row with what changes all the time. An older host's unknowns do not wipe out what is known."""
    return msgspec.structs.replace(
        job,
        title=_line(facts.title),
        text=_line(facts.text),
        last_output=facts.last_output or job.last_output,
        last_change=facts.last_change or job.last_change,
        attached=facts.attached,
    )


def looked_at(job: Job, facts: Facts) -> bool:
    """Whether a person has had this job on a terminal since its state last changed."""
    return job.seen or facts.attached > 0 or (facts.looked or 0) >= job.since


def exit_detail(exit_record: ExitRecord) -> str:
    """One line: how the process ended."""
    if exit_record.error:
        return printable(f"could not be started: {exit_record.error}")
    if exit_record.exit_signal:
        return f"ended by {exit_record.exit_signal}"
    return f"exited with {exit_record.exit_code}"


def choices(given: list[Choice] | None) -> list[Choice] | None:
    """The same choices, fit for a terminal."""
    return None if given is None else [Choice(printable(choice.id), printable(choice.label)) for choice in given]


def clean(value: Any) -> Any:
    """A struct with its texts fit for a terminal."""
    return None if value is None else msgspec.convert(clean_tree(msgspec.to_builtins(value)), type(value))


def deeper_than(most: int, value: Any) -> bool:
    """Whether JSON-able values are nested deeper than so many objects and lists. Never recurses."""
    level = [value]
    for _ in range(most + 1):
        level = [inner for outer in level for inner in _inside(outer)]
    return bool(level)


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def clean_tree(value: Any) -> Any:
    """JSON-able values with every text in them fit for a terminal."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [clean_tree(item) for item in value]
    if isinstance(value, dict):
        return {printable(str(key)): clean_tree(item) for key, item in value.items()}
    return value


def _ended(record: Record, state: State, evidence: Evidence, at: float) -> Change:
    seen = record.job.attached > 0
    left = None if seen else [part for part in record.job.parts or [] if part.state in ("done", "error")]
    job = msgspec.structs.replace(
        record.job,
        state=state,
        since=at,
        ended=at,
        evidence=evidence,
        waiting_for=None,
        question=None,
        choices=None,
        parts=left or None,
        attached=0,
        seen=seen,
    )
    return Change(msgspec.structs.replace(record, job=job), [_state_news(record.job, job)])


def _differs(before: Job, after: Job) -> bool:
    return any(getattr(before, name) != getattr(after, name) for name in ("state", "waiting_for", "question", "choices"))


def _state_news(before: Job, after: Job) -> News:
    data: dict[str, Any] = {"from": before.state, "to": after.state, "evidence": msgspec.to_builtins(after.evidence)}
    data |= {"waiting_for": after.waiting_for, "question": after.question, "choices": msgspec.to_builtins(after.choices)}
    if after.ended is not None:
        data |= {"exit_code": after.exit_code, "exit_signal": after.exit_signal}
    return News("job.state", data)


def _line(text: str | None) -> str | None:
    return None if text is None else printable(text)

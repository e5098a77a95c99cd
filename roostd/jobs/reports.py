"""What a job's agents have reported, as far as it must be known again: how far each one is, and the last report of all."""

from __future__ import annotations

from roost_protocol.agent import Report
from roost_protocol.delivery import Ledger
from roost_protocol.host import HostReport
from roost_protocol.jobs import Choice
from roost_protocol.text import printable


class ReportLedger(Ledger):
    """Keeps the last report as the job's host gets it: who made it may come back, and the host may not have heard it yet."""

    last: HostReport | None = None

    def made_by(self, epoch: str) -> bool:
        """Whether the last report is this client process's."""
        return self.last is not None and next(reversed(self.epochs), None) == epoch

    @property
    def newest(self) -> tuple[str, int] | None:
        """The last report of all: epoch and number."""
        return next(reversed(self.epochs.items()), None)

    def behind(self, epoch: str, report: Report, at: float) -> ReportLedger | None:
        """The ledger with this report in it; None if it is not new."""
        after = ReportLedger(dict(self.epochs), self.last)
        if not after.accept(epoch, report.seq):
            return None
        after.last = _for_host(report, at, self.last.n + 1 if self.last is not None else 1)
        return after


def _for_host(report: Report, at: float, n: int) -> HostReport:
    return HostReport(
        id=0,
        n=n,
        at=at,
        state=report.state,
        status=_line(report.status),
        waiting_for=report.waiting_for,
        question=_line(report.question),
        choices=None if report.choices is None else [Choice(printable(choice.id), printable(choice.label)) for choice in report.choices],
    )


def _line(text: str | None) -> str | None:
    return None if text is None else printable(text)

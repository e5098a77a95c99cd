"""Skips: counted by reason in one line, and failures where ROOST_TEST_STRICT=1 says that nothing may be lacking."""

import os
from collections import Counter
from collections.abc import Iterable

import pytest

from tests.support.needs import NEVER_NEEDED


def is_strict() -> bool:
    return os.environ.get("ROOST_TEST_STRICT") == "1"


def skip_reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Why a report says "skipped"; pytest keeps it as (file, line, "Skipped: reason")."""
    longrepr = report.longrepr
    text = longrepr[2] if isinstance(longrepr, tuple) else str(longrepr)
    return text.removeprefix("Skipped: ")


def enforce(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turns a skip into a failure when strict; not what is expected to fail, nor a lack of what is never needed."""
    if not report.skipped or hasattr(report, "wasxfail") or not is_strict():
        return
    if (reason := skip_reason(report)) not in NEVER_NEEDED:
        report.outcome = "failed"
        report.longrepr = f"skipped although ROOST_TEST_STRICT=1: {reason}"


def summary(skipped: Iterable[pytest.TestReport | pytest.CollectReport]) -> str:
    """For instance "skipped: 3 need tmux, 2 need node"; empty when nothing was skipped."""
    counts = Counter(skip_reason(report) for report in skipped)
    return "skipped: " + ", ".join(f"{n} {reason}" for reason, n in counts.most_common()) if counts else ""

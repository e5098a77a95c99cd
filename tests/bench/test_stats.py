"""Quantiles against Python's own, and which rows are within their reach."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.stats import Reach, Row, median, quantile

VALUES = st.floats(min_value=0, max_value=1e9, allow_nan=False)


@given(st.lists(VALUES, min_size=2, max_size=300))
def test_quantiles_are_those_of_the_standard_library(samples: list[float]) -> None:
    expected = statistics.quantiles(samples, n=100, method="inclusive")
    assert [quantile(samples, share / 100) for share in range(1, 100)] == pytest.approx(expected)


@given(st.lists(VALUES, min_size=1, max_size=50))
def test_a_median_lies_in_the_middle_and_the_ends_are_the_extremes(samples: list[float]) -> None:
    assert median(samples) == pytest.approx(statistics.median(samples))
    assert (quantile(samples, 0), quantile(samples, 1)) == (min(samples), max(samples))


def test_the_order_of_samples_does_not_matter() -> None:
    assert quantile([3, 1, 2], 0.75) == quantile([1, 2, 3], 0.75) == 2.5


@pytest.mark.parametrize("share", [-0.01, 1.01])
def test_a_share_outside_nothing_and_all_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        quantile([1.0], share)


def test_no_samples_have_no_quantile() -> None:
    with pytest.raises(ValueError, match="no samples"):
        median([])


@pytest.mark.parametrize(
    ("row", "ratio", "verdict"),
    [
        (Row("a", "ms", 50, 20, reach=Reach("ratio", 2.5)), 2.5, "ok"),
        (Row("a", "ms", 50.1, 20, reach=Reach("ratio", 2.5)), 2.505, "missed"),
        (Row("a", "ms", 50, None, reach=Reach("ratio", 2.5)), None, "no peer"),
        (Row("a", "MiB", 4, 14, reach=Reach("value", 4)), 4 / 14, "ok"),
        (Row("a", "MiB", 4.001, 14, reach=Reach("value", 4)), 4.001 / 14, "missed"),
        (Row("a", "MiB", 3, None, reach=Reach("value", 4)), None, "ok"),
        (Row("a", "", 0, None, reach=Reach("value", 0)), None, "ok"),
        (Row("a", "s", 9, 1), 9, "reported"),
        (Row("a", "s", 9, 0), None, "reported"),
        (Row("a", "s", None, 1, reach=Reach("value", 4)), None, "failed"),
    ],
)
def test_a_row_says_whether_it_is_within_its_reach(row: Row, ratio: float | None, verdict: str) -> None:
    assert row.ratio == (None if ratio is None else pytest.approx(ratio))
    assert row.verdict == verdict

"""What has been reached on the recordings, held: by those that were tuned to and by those that were not."""

import pytest

from tests.accuracy.data import Part, cases
from tests.accuracy.rows import KINDS, Kind, Row, scored
from tests.support.needs import outside_data

# Right of all, right of the worst agent, for each row; true waits that are seen of those that there are.
REACHED: dict[Part, tuple[tuple[float, float, int], ...]] = {
    "tuned": ((0.998, 0.996, 9), (0.998, 0.996, 9), (0.998, 0.996, 9), (0.943, 0.92, 0)),
    "held-out": ((0.996, 0.991, 2), (0.996, 0.991, 2), (0.996, 0.991, 2), (0.939, 0.905, 0)),
}
WAITS = {"tuned": 9, "held-out": 2}


@pytest.mark.parametrize("part", REACHED)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_agents_are_read_as_they_were(part: Part, kind: Kind) -> None:
    row = scored(cases(outside_data("recordings"), part), kind)
    overall, worst, waits = REACHED[part][KINDS.index(kind)]
    assert overall >= kind.overall or kind.unknown
    assert row.all.share >= overall, described(row)
    assert row.worst[1] >= worst, described(row)
    assert (row.all.waits, row.all.false_waits, row.all.early_ends) == (WAITS[part], [], [])
    assert row.all.waits - len(row.all.missed_waits) >= waits, row.all.missed_waits


def described(row: Row) -> str:
    return ", ".join(f"{name} {score.share:.2%}" for name, score in row.cases.items() if score.right < score.total)

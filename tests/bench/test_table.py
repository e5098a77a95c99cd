"""The table that people read, and its JSON."""

import json

from tests.bench.stats import Reach, Row
from tests.bench.table import as_json, table

ROWS = [
    Row("list", "ms", 51.26, 25, "python", Reach("ratio", 2.5)),
    Row("memory", "MiB", 3.5, 14, "node", Reach("value", 4), "daemon 20"),
    Row("flood", "s", None, note="roost run failed"),
    Row("edge", "MiB", 4.002, reach=Reach("value", 4)),
]


def test_columns_stand_under_their_heads() -> None:
    assert table(ROWS).splitlines() == [
        "what        roost    peer   ratio  reach          peer is  note",
        "list     51.26 ms   25 ms  2.05 x  2.5 x  ok      python",
        "memory    3.5 MiB  14 MiB  0.25 x  4 MiB  ok      node     daemon 20",
        "flood           -       -       -      -  failed           roost run failed",
        "edge    4.002 MiB       -       -  4 MiB  missed",
    ]


def test_json_has_every_digit_and_the_verdict() -> None:
    first, second, third, _ = json.loads(json.dumps([as_json(row) for row in ROWS]))
    assert (first["roost"], first["verdict"], first["reach"]) == (51.26, "ok", {"of": "ratio", "at_most": 2.5})
    assert (second["ratio"], second["note"]) == (0.25, "daemon 20")
    assert (third["roost"], third["ratio"], third["reach"], third["verdict"]) == (None, None, None, "failed")

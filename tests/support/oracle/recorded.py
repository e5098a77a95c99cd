"""Cases with the oracle's answers, kept in a file: one JSON object a line, gzipped."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.support.oracle.case import Case, from_json, to_json


def write(path: Path, answers: Iterable[tuple[Case, list[dict[str, Any]]]]) -> None:
    """Only the last look of each case is kept, and the same file every time."""
    lines = [json.dumps({**to_json(Case(*case[:4])), "look": looks[-1]}) for case, looks in answers]
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0))


def read(path: Path) -> list[tuple[Case, dict[str, Any]]]:
    """Every case with the oracle's look at its end."""
    values = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    return [(from_json(value), value["look"]) for value in values]

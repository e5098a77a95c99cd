"""The cases from outside with the oracle's (@xterm/headless) answers, where they are at hand."""

import base64
import json
from typing import Any

import pytest

from roostd.host.mirror import style as looks
from roostd.host.mirror.events import Bell
from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.roostd.host.mirror.decided import KNOWN
from tests.roostd.host.mirror.differences import CASES
from tests.support.needs import outside_data

FLAGS = (looks.BOLD, looks.ITALIC, None, looks.STRIKE, looks.INVERSE, looks.BLINK, looks.DIM, looks.HIDDEN)


def test_what_agrees_with_the_oracle(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    known = KNOWN.keys() | CASES.keys() if engine == "ghostty" else KNOWN.keys()
    cases = json.loads(outside_data("terminal/cases.json").read_text())
    found = {case["name"]: differences(case) for case in cases}
    different = {name: what for name, what in found.items() if what}
    with capsys.disabled():
        print(f"\n{len(cases) - len(different)} of {len(cases)} given cases agree with the oracle ({engine})")
    assert {name: what for name, what in different.items() if name not in known} == {}
    assert known == set(different), "these agree by now: strike them out"


def differences(case: dict[str, Any]) -> list[str]:
    """In what the mirror and the oracle disagree."""
    mirror, bells = PyteMirror(case["cols"], case["rows"]), 0
    for step in case["steps"]:
        if isinstance(step, str):
            bells += mirror.feed(base64.b64decode(step)).events.count(Bell())
        else:
            mirror.resize(*step)
    oracle = case["xterm"]
    seen = {
        "text": (mirror.text(), ["".join(row).rstrip(" ") for row in oracle["rows"]]),
        "attributes": (attributes(mirror), oracle["attrs"]),
        "cursor": (mirror.cursor, (oracle["cx"], oracle["cy"])),
        "title": (mirror.title or "", oracle["title"]),
        "bells": (bells, oracle["bells"]),
        "history": (len(mirror.history(1 << 20)), oracle["hist"]),
    }
    return [f"{name}: {ours!r} instead of {theirs!r}" for name, (ours, theirs) in seen.items() if ours != theirs]


def attributes(mirror: PyteMirror) -> dict[str, list[list[object]]]:
    """The rows that are not all default, as the oracle writes them: colours, then flags as 0 or 1."""
    rows = {str(y): [cell(row.style(x)) for x in range(mirror.cols)] for y, row in enumerate(mirror.screen.rows)}
    return {y: row for y, row in rows.items() if row != [cell(looks.DEFAULT)] * mirror.cols}


def cell(style: looks.Style) -> list[object]:
    flags = [int(bool(style.flags & flag)) if flag else int(style.underline > 0) for flag in FLAGS]
    return [colour(style.fg), colour(style.bg), *flags]


def colour(value: int) -> int | str | None:
    if value < 0:
        return None
    return value if value < looks.RGB else f"#{value & 0xFFFFFF:06x}"

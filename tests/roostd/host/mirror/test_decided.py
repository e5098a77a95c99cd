"""What is decided otherwise than the oracle does it is so, and the oracle still does it otherwise."""

import pytest

from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.roostd.host.mirror.decided import DECISIONS, Decision
from tests.support.oracle import xterm
from tests.support.oracle.case import Case
from tests.support.oracle.looks import differences, look


@pytest.mark.parametrize("decision", DECISIONS, ids=[decision.about for decision in DECISIONS])
def test_what_is_decided(decision: Decision, engine: str) -> None:
    mirror = PyteMirror(*decision.size)
    mirror.feed(decision.written.encode())
    shown = "\n".join(mirror.ansi()).rstrip("\n").split("\n")
    assert shown == list(decision.ghostty if engine == "ghostty" else decision.ours)


def test_the_oracle_does_it_otherwise() -> None:
    xterm.need_oracle()
    mirrors = [PyteMirror(*decision.size) for decision in DECISIONS]
    answers = xterm.ask([Case(one.about, *one.size, [one.written.encode()]) for one in DECISIONS])
    for mirror, decision, theirs in zip(mirrors, DECISIONS, answers, strict=True):
        mirror.feed(decision.written.encode())
        same = not differences(look(mirror), theirs[-1])
        assert same == (decision.about == "links are not underlined"), decision.about  # which the oracle's looks leave out

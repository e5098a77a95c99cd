"""A few seconds of fuzzing in every test run; ROOST_TEST_FUZZ_SECONDS asks for more (`.ci/run`: 60)."""

import os

import pytest

from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.fuzz import bombs
from tests.fuzz.round import play
from tests.fuzz.run import fuzz

SECONDS = float(os.environ.get("ROOST_TEST_FUZZ_SECONDS") or 5)
SEED = "1"
"""The same rounds every time, so that a failure stays one; `python -m tests.fuzz` takes others."""


def test_any_bytes_in_any_chunking(capsys: pytest.CaptureFixture[str]) -> None:
    found = fuzz(PyteMirror, SEED, SECONDS, say=print)
    with capsys.disabled():
        print(f"\nfuzzed: {found.rounds} rounds, {found.size} bytes, seed {SEED}")
    assert found.broken == []
    assert found.rounds


@pytest.mark.parametrize("name", bombs.BOMBS)
def test_nothing_fills_the_memory(name: str) -> None:
    assert bombs.growth(PyteMirror, name, 256 << 10) < bombs.MOST


def test_a_broken_mirror_is_found() -> None:
    class Forgetful(PyteMirror):
        def feed(self, data: bytes) -> object:  # type: ignore[override]
            return super().feed(data[:1])

    (broken,) = fuzz(Forgetful, SEED, 60, say=print).broken  # type: ignore[arg-type]
    assert str(broken).startswith("round 1:")


def test_a_seed_is_a_round() -> None:
    assert play(PyteMirror, "1:0") == play(PyteMirror, "1:0")

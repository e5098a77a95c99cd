from collections.abc import Iterator

import pytest

from tests.rounds.rounds import play, start
from tests.support.home import Home


@pytest.fixture
def agents(home: Home) -> Iterator[Home]:
    yield home
    home.end_all()


@pytest.mark.parametrize("options", [[], ["--no-status"]])
def test_no_round_ends_early_and_none_hangs(agents: Home, options: list[str]) -> None:
    start("demo", 0.1, *options)
    assert [played.wrong for played in play("demo", 6)] == [None] * 6

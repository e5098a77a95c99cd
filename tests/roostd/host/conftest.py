"""One spawner for a test, with private folders."""

from collections.abc import Iterator

import pytest

from tests.support.home import Home
from tests.support.hosts import Hosts


@pytest.fixture
def hosts(home: Home) -> Iterator[Hosts]:
    with Hosts(home) as made:
        yield made

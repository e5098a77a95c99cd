"""A home whose daemon the command line starts by itself, and ended with the test."""

from collections.abc import Iterator

import pytest

from tests.support.home import Home


@pytest.fixture
def lived_in(home: Home) -> Iterator[Home]:
    """What runs in this home at the end of the test is ended."""
    yield home
    home.end_all()

import os
from collections.abc import Iterator

import pytest

from tests.support.home import Home
from tests.support.person import Person


@pytest.fixture
def person(home: Home) -> Iterator[Person]:
    """Somebody who has just installed roost; what runs at the end is ended."""
    somebody = Person(os.environ, home.work)
    yield somebody
    somebody.end()
    home.end_all()

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sdk.door import Door, opened


@pytest.fixture
def door(run_dir: Path, request: pytest.FixtureRequest) -> Iterator[Door]:
    """A door of the test's own, for a job that no other test speaks for."""
    with tempfile.TemporaryDirectory(prefix="d", dir=run_dir) as folder, opened(Path(folder) / "s", request.node.name) as made:
        yield made

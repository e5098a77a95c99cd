"""Every test of a mirror runs with each engine."""

from collections.abc import Iterator

import pytest

from roostd.host.mirror.ghostty_mirror import GhosttyMirror
from roostd.host.mirror.pyte_mirror import PyteMirror
from tests.roostd.host.mirror import differences
from tests.support.needs import needs

ENGINES = {"pyte": PyteMirror, "ghostty": GhosttyMirror}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if hasattr(metafunc.module, "PyteMirror"):
        metafunc.parametrize("engine", list(ENGINES), indirect=True, scope="module")


@pytest.fixture(scope="module", autouse=True)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """The engine's name; what the test's module calls `PyteMirror` is that engine."""
    name = getattr(request, "param", "")
    if name:
        if name == "ghostty":
            needs("pyghostty")
        request.module.PyteMirror = ENGINES[name]
    yield name
    if name:
        request.module.PyteMirror = PyteMirror


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if reason := differences.TESTS.get(item.name):
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))

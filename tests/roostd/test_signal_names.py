import signal

import pytest

from roostd.signal_names import signal_name


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (signal.SIGTERM, "SIGTERM"),
        (signal.SIGRTMIN, "SIGRTMIN"),
        (signal.SIGRTMIN + 2, "SIGRTMIN+2"),
        (signal.SIGRTMAX, "SIGRTMAX"),
        (99, "SIG99"),
    ],
)
def test_every_number_has_a_name(number: int, name: str) -> None:
    assert signal_name(number) == name

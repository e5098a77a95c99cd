import os
import signal
import subprocess
import sys

import pytest

PASS_TWICE = "from roostd.crash import crash_point as p; p('commit'); print('one', flush=True); p('commit'); print('two')"


@pytest.mark.parametrize(
    ("asked", "said", "code"),
    [
        ("", b"one\ntwo\n", 0),
        ("ack", b"one\ntwo\n", 0),
        ("commit", b"", -signal.SIGKILL),
        ("commit:2", b"one\n", -signal.SIGKILL),
    ],
)
def test_it_dies_where_and_when_it_is_told(asked: str, said: bytes, code: int) -> None:
    environ = {**os.environ, "ROOST_TEST_CRASH": asked}
    done = subprocess.run([sys.executable, "-P", "-c", PASS_TWICE], env=environ, capture_output=True, check=False)
    assert (done.stdout, done.returncode) == (said, code)

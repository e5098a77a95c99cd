"""The rehearsal leaves nothing behind, and has really run a job."""

import subprocess
import sys

import pytest

from roostd.host import rehearsal

SCRIPT = """
import os
from roostd.host import rehearsal
from roostd.host.mirror.pyte_mirror import PyteMirror
fed = []
feed = PyteMirror.feed
PyteMirror.feed = lambda self, data: (fed.append(data), feed(self, data))[1]
{before}
def descriptors():
    return sorted(fd for fd in range(256) if rehearsal._is_open(fd))
had = descriptors()
rehearsal.rehearse()
assert descriptors() == had
try:
    os.waitpid(-1, 0)
except ChildProcessError:
    print(b"".join(fed).count(b"some words of an agent"))
"""


def rehearsed(before: str = "") -> str:
    done = subprocess.run([sys.executable, "-P", "-c", SCRIPT.format(before=before)], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.skipif(sys.platform != "linux", reason="need autobind")
def test_it_runs_whole_jobs_and_leaves_no_descriptor_and_no_process() -> None:
    assert rehearsed() == str(50 * rehearsal.TIMES)


def test_where_it_cannot_be_done_nothing_happens() -> None:
    nothing = "import socket\nclass Refused(socket.socket):\n    def bind(self, name):\n        raise OSError\nsocket.socket = Refused"
    assert rehearsed(nothing) == "0"

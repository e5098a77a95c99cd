"""The rehearsal leaves nothing behind, and has really run a job."""

import subprocess
import sys
from pathlib import Path

from roostd.host import rehearsal

SCRIPT = """
import os
import sys
from roostd.host import rehearsal
from roostd.host.mirror.pyte_mirror import PyteMirror
fed = []
feed = PyteMirror.feed
PyteMirror.feed = lambda self, data: (fed.append(data), feed(self, data))[1]
def descriptors():
    return sorted(fd for fd in range(256) if rehearsal._is_open(fd))
had = descriptors()
rehearsal.rehearse(sys.argv[1])
assert descriptors() == had
try:
    os.waitpid(-1, 0)
except ChildProcessError:
    print(b"".join(fed).count(b"some words of an agent"))
"""


def rehearsed(folder: Path) -> str:
    done = subprocess.run([sys.executable, "-P", "-c", SCRIPT, folder], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_it_runs_whole_jobs_and_leaves_no_descriptor_no_process_and_no_file(tmp_path: Path) -> None:
    left = tmp_path / "rehearsal"
    left.mkdir()
    (left / "host.json").write_text("of one that was killed")
    assert rehearsed(left) == str(50 * rehearsal.TIMES)
    assert list(tmp_path.iterdir()) == []


def test_where_it_cannot_be_done_nothing_happens(tmp_path: Path) -> None:
    assert rehearsed(tmp_path / "missing" / "rehearsal") == "0"
    assert list(tmp_path.iterdir()) == []

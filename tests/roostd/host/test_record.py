import os
from pathlib import Path

import msgspec
import pytest

from roost_protocol.host import ExitRecord, HostRecord
from roostd.host import record
from roostd.host.mirror.pyte_mirror import PyteMirror


def test_a_lock_is_had_once_and_by_none_that_it_starts(tmp_path: Path) -> None:
    first = record.lock(str(tmp_path))
    assert first is not None
    assert record.lock(str(tmp_path)) is None
    with open(f"/proc/self/fdinfo/{first}") as info:
        flags = next(line for line in info if line.startswith("flags"))
    assert int(flags.split()[1], 8) & 0o2000000, "close-on-exec"
    os.close(first)
    again = record.lock(str(tmp_path))
    assert again is not None
    os.close(again)


@pytest.mark.parametrize("name", [record.HOST, record.EXIT])
def test_a_job_that_had_a_host_is_taken(tmp_path: Path, name: str) -> None:
    assert not record.taken(str(tmp_path))
    (tmp_path / name).write_text("{}")
    assert record.taken(str(tmp_path))


def test_records_are_whole_private_and_read_back(tmp_path: Path) -> None:
    host = HostRecord(job="j", pid=1, start=2, boot="b", socket="/s", token_hash="h", version="v")
    ended = ExitRecord(job="j", ended=1.5, exit_code=3, exit_signal=None)
    record.write_host(str(tmp_path), host)
    record.write_exit(str(tmp_path), ended)
    assert msgspec.json.decode((tmp_path / record.HOST).read_bytes(), type=HostRecord) == host
    assert msgspec.json.decode((tmp_path / record.EXIT).read_bytes(), type=ExitRecord) == ended
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
    assert {path.name for path in tmp_path.iterdir()} == {record.HOST, record.EXIT}


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    record.write_atomically(str(tmp_path), "x", b"old")
    (tmp_path / "x.new").mkdir()
    with pytest.raises(OSError, match=r"x\.new"):
        record.write_atomically(str(tmp_path), "x", b"new")
    assert (tmp_path / "x").read_bytes() == b"old"


def test_the_last_screen_can_be_shown_again(tmp_path: Path) -> None:
    mirror = PyteMirror(30, 3)
    mirror.feed(b"\x1b]0;title\x07" + b"".join(b"\x1b[31mrow %d\x1b[0m\r\n" % number for number in range(6)))
    record.write_screen(str(tmp_path), mirror)
    screen = msgspec.json.decode((tmp_path / record.SCREEN).read_bytes(), type=record.LastScreen)
    assert (screen.cols, screen.rows, screen.title) == (30, 3, "title")
    assert screen.lines[:2] == ["row 4", "row 5"]
    assert "\x1b[" in screen.ansi[0]
    assert screen.history == [f"row {number}" for number in range(4)]
    again = PyteMirror(30, 3)
    again.feed((tmp_path / record.ANSI).read_bytes())
    assert again.text() == mirror.text()

from __future__ import annotations

import fcntl
import os
import signal
import stat
import subprocess
from pathlib import Path

import msgspec

from roost_protocol.host import ExitRecord, HostRecord
from roostd.jobs import probe
from roostd.process import boot_id, start_time
from roostd.process import stat as stat_of
from tests.roostd.jobs.made import record
from tests.support.waiting import eventually

HOST = HostRecord(job="a1b2c3d4", pid=1, start=0, boot="", socket="/no/such", token_hash="", version="1")
EXIT = ExitRecord(job="a1b2c3d4", ended=1.0, exit_code=None, exit_signal=None, error="never")


def directory(tmp_path: Path) -> Path:
    made = tmp_path / "a1b2c3d4"
    made.mkdir()
    return made


def test_an_empty_directory_has_nothing(tmp_path: Path) -> None:
    found = probe.look(directory(tmp_path), None)
    assert (found.job, found.host, found.exit, found.locked) == ("a1b2c3d4", None, None, False)


def test_the_lock_is_the_witness_of_life(tmp_path: Path) -> None:
    job = directory(tmp_path)
    (job / "host.json").write_bytes(msgspec.json.encode(HOST))
    held = probe.take_lock(job)
    assert held is not None
    found = probe.look(job, record())
    assert (found.locked, found.host) == (True, HOST)
    assert probe.take_lock(job) is None
    os.close(held)
    assert not probe.is_locked(job)


def test_looking_leaves_no_lock_behind(tmp_path: Path) -> None:
    job = directory(tmp_path)
    (job / "host.lock").touch()
    probe.look(job, None)
    with (job / "host.lock").open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_half_a_record_is_none(tmp_path: Path) -> None:
    job = directory(tmp_path)
    (job / "host.json").write_text('{"job": "a1')
    (job / "exit.json").write_text("[]")
    found = probe.look(job, None)
    assert (found.host, found.exit) == (None, None)


def test_a_tombstone_is_left_once_and_never_over_a_host(tmp_path: Path) -> None:
    job = directory(tmp_path)
    assert probe.bury(job, EXIT) is None
    assert probe.look(job, None).exit == EXIT
    assert stat.S_IMODE((job / "exit.json").stat().st_mode) == 0o600
    again = probe.bury(job, EXIT)
    assert again is not None
    assert again.exit == EXIT
    (job / "exit.json").unlink()
    held = probe.take_lock(job)
    assert held is not None
    lives = probe.bury(job, EXIT)
    assert lives is not None
    assert lives.locked
    assert not (job / "exit.json").exists()
    os.close(held)


def test_only_the_very_process_is_signalled() -> None:
    assert not probe.is_host(HOST)
    probe.remake_socket(HOST)


def test_a_suspended_host_goes_on(tmp_path: Path) -> None:
    job = directory(tmp_path)
    probe.wake(job)
    process = subprocess.Popen(["sleep", "600"])
    try:
        process.send_signal(signal.SIGSTOP)
        eventually(lambda: state(process.pid) == "T")
        stranger = msgspec.structs.replace(HOST, pid=process.pid, start=1, boot=boot_id())
        (job / "host.json").write_bytes(msgspec.json.encode(stranger))
        probe.wake(job)
        assert state(process.pid) == "T"
        started = start_time(process.pid)
        assert started is not None
        (job / "host.json").write_bytes(msgspec.json.encode(msgspec.structs.replace(stranger, start=started)))
        probe.wake(job)
        eventually(lambda: state(process.pid) == "S")
    finally:
        process.kill()
        process.wait()


def state(pid: int) -> str | None:
    found = stat_of(pid)
    return None if found is None else found.state


def test_all_that_live_and_all_that_are_strange_are_looked_at(tmp_path: Path) -> None:
    for name in ("a1b2c3d4", "bbbbbbbb", "cccccccc"):
        (tmp_path / name).mkdir()
    records = {"a1b2c3d4": record(), "cccccccc": record(id="cccccccc", state="done")}
    assert [found.job for found in probe.look_around(tmp_path, records)] == ["a1b2c3d4", "bbbbbbbb"]

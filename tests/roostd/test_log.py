from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
import structlog

from roostd.log import BoundedFile, hear, start_log


def test_the_log_is_bounded_and_keeps_one_old_file(tmp_path: Path) -> None:
    path = tmp_path / "roostd.log"
    log = BoundedFile(path, limit=100)
    for n in range(50):
        log.write(f"line {n:04}\n")
    log.close()
    kept = (tmp_path / "roostd.log.1").read_text() + path.read_text()
    assert kept.endswith("line 0049\n")
    assert kept.splitlines() == [f"line {n:04}" for n in range(50 - len(kept.splitlines()), 50)]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["roostd.log", "roostd.log.1"]
    assert path.stat().st_size <= 110
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_line_is_a_json_object_and_an_error_has_its_traceback(tmp_path: Path) -> None:
    before = structlog.get_config()
    log = start_log(tmp_path / "roostd.log")
    try:
        try:
            raise ValueError("what went wrong")
        except ValueError:
            structlog.get_logger().error("it failed", job="a1b2c3d4", exc_info=True)
    finally:
        structlog.configure(**before)
        log.close()
    (line,) = [json.loads(line) for line in (tmp_path / "roostd.log").read_text().splitlines()]
    assert (line["event"], line["level"], line["job"]) == ("it failed", "error", "a1b2c3d4")
    assert line["at"] > 1e9
    assert "ValueError: what went wrong" in line["exception"]


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    log = BoundedFile(tmp_path / "roostd.log", limit=1)
    log.write("one\n")
    (tmp_path / "roostd.log").unlink()
    log.write("two\n")
    log.close()
    with pytest.raises(OSError, match="No such file"):
        BoundedFile(tmp_path / "no" / "roostd.log")


async def test_what_fails_in_a_callback_is_written_down(tmp_path: Path) -> None:
    before = structlog.get_config()
    file = start_log(tmp_path / "log")
    loop = asyncio.get_running_loop()
    try:
        hear(loop)
        loop.call_soon(int, "no number")
        await asyncio.sleep(0)
    finally:
        loop.set_exception_handler(None)
        structlog.configure(**before)
        file.close()
    (line,) = map(json.loads, (tmp_path / "log").read_text().splitlines())
    assert (line["event"], line["level"]) == ("a callback failed", "error")
    assert "ValueError" in line["exception"]

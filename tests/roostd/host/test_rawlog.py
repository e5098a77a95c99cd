from pathlib import Path

from roostd.host.rawlog import RawLog


def test_at_most_two_halves_are_kept_and_the_newest_is_whole(tmp_path: Path) -> None:
    log = RawLog(str(tmp_path), half=100)
    data = [bytes([number]) * 30 for number in range(20)]
    for piece in data:
        log.write(piece)
    log.close()
    kept = (tmp_path / "raw.log.1").read_bytes() + (tmp_path / "raw.log").read_bytes()
    assert b"".join(data).endswith(kept)
    assert 100 <= len(kept) <= 200
    assert {path.name for path in tmp_path.iterdir()} == {"raw.log", "raw.log.1"}
    assert (tmp_path / "raw.log").stat().st_mode & 0o777 == 0o600


def test_nothing_is_buffered(tmp_path: Path) -> None:
    log = RawLog(str(tmp_path))
    log.write(b"now")
    assert (tmp_path / "raw.log").read_bytes() == b"now"
    log.close()


def test_a_disk_that_takes_nothing_ends_the_log_and_says_why(tmp_path: Path) -> None:
    log = RawLog(str(tmp_path / "missing"))
    log.write(b"x")
    log.write(b"y")
    assert log.failed == "No such file or directory"
    full = RawLog("/dev/full/..")
    full.write(b"x")
    assert full.failed

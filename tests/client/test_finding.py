"""What is believed of the record that a daemon wrote of itself: nonsense is nothing, and never a fault of ours."""

from __future__ import annotations

import json
import os

import pytest

from roost.cli import main
from roost.finding import places, read_record
from roost_protocol.paths import MAX_SOCKET_PATH
from tests.client.fake_daemon import FakeDaemon
from tests.support.home import Home

NO_PATHS = [
    "/\ud800/roostd.sock",
    "/\udcff",
    "/a\0b",
    "\0abstract",
    "relative",
    "",
    "/" + "x" * MAX_SOCKET_PATH,
    "/" + "ü" * 60,
    7,
    None,
    ["/x"],
]


def record(home: Home, text: str | bytes) -> None:
    home.state.mkdir(exist_ok=True)
    (home.state / "roostd.json").write_bytes(text.encode() if isinstance(text, str) else text)


@pytest.mark.parametrize("path", NO_PATHS)
def test_a_socket_that_no_daemon_can_have_is_not_believed(path: object, home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    record(home, json.dumps({"pid": os.getpid(), "start": 0, "boot": "", "sockets": {"operator": path}}))
    assert places(os.environ) == [str(home.runtime / "roostd.sock")]
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.list"] = lambda _: {"jobs": []}
        assert main(["ls", "--json"]) == 0
    assert capsys.readouterr() == ('{"jobs": []}\n', "")


@pytest.mark.parametrize(
    "text",
    [b"", b"\xff\xfe", b"[", b"[]", b"7", b"null", b"[" * 100_000, b'{"pid": ' + b"9" * 5000 + b"}", b'{"sockets": 7}', b'{"sockets": {}}'],
    ids=lambda text: repr(text[:12]),
)
def test_a_record_that_is_none_is_not_believed(text: bytes, home: Home) -> None:
    record(home, text)
    assert read_record(str(home.state)) in ({}, {"sockets": 7}, {"sockets": {}})
    assert main(["daemon", "status"]) == 4


@pytest.mark.parametrize("part", ["pid", "start", "boot"])
@pytest.mark.parametrize("value", [None, -1, 0.5, 1 << 70, "x", [], {}, True])
def test_a_process_that_is_none_is_not_believed(part: str, value: object, home: Home) -> None:
    process = {"pid": os.getpid(), "start": 1, "boot": "b", part: value}
    record(home, json.dumps({**process, "sockets": {"operator": str(home.root / "elsewhere")}}))
    assert main(["daemon", "status"]) == 4

"""A recording played to a mirror, and the program that does it."""

import base64
import json
import subprocess
import sys
from typing import Any

import pytest

from roostd.host.mirror.pyte_mirror import PyteMirror
from roostd.host.replay.play import play
from roostd.host.replay.recording import Input, Output, Resize


def replayed(data: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    argv = [sys.executable, "-P", "-m", "roostd.host.replay", *options]
    return subprocess.run(argv, input=data, capture_output=True, timeout=120, check=False)


def answer(data: bytes, *options: str) -> dict[str, Any]:
    done = replayed(data, *options)
    assert (done.returncode, done.stderr) == (0, b"")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_output_and_sizes_reach_the_mirror_and_input_does_not() -> None:
    mirror = PyteMirror(10, 3)
    replies = play(mirror, [Output(0, b"ab\x1b[6n"), Input(1, b"keys"), Resize(2, 20, 2), Output(3, b"c\x1b[c")])
    assert (mirror.cols, mirror.rows, mirror.text()) == (20, 2, ["abc", ""])
    assert replies == [b"\x1b[1;3R", b"\x1b[?62;22c"]


def test_a_long_output_is_fed_as_a_host_would() -> None:
    mirror, whole = PyteMirror(80, 24), PyteMirror(80, 24)
    text = "".join(f"{n} 漢字\r\n" for n in range(5000)).encode()
    play(mirror, [Output(0, text)])
    whole.feed(text)
    assert (mirror.text(), mirror.history(9)) == (whole.text(), whole.history(9))


def test_the_program_answers_as_a_host_does() -> None:
    found = answer(b"one\r\ntwo\r\n\x1b[1mthree\x1b[c", "--size", "20x2", "--lines", "5", "--cells", "--ansi")
    assert (found["cols"], found["rows"], found["engine"]) == (20, 2, "pyte")
    assert found["lines"] == ["one", "two", "\x1b[0;1mthree\x1b[0m"]
    assert [base64.b64decode(reply) for reply in found["replies"]] == [b"\x1b[?62;22c"]
    assert found["picture"]["cells"] == [[["one", 3, 1, 0]], [["two", 3, 1, 0]], [["three", 5, 1, 1]]]


def test_the_recordings_own_size_is_taken_unless_another_is_given() -> None:
    cast = b'{"version": 2, "width": 33, "height": 7}\n[0, "o", "x"]\n'
    assert (answer(cast)["cols"], answer(cast)["rows"]) == (33, 7)
    assert (answer(cast, "--size", "5x4")["cols"], answer(cast, "--size", "5x4")["rows"]) == (5, 4)


@pytest.mark.parametrize(
    ("data", "options", "status", "why"),
    [(b'{"version": 2}\n', (), 2, b"line 1 names no size"), (b"x", ("--engine", "none"), 3, b"none")],
)
def test_what_cannot_be_played_is_one_line(data: bytes, options: tuple[str, ...], status: int, why: bytes) -> None:
    done = replayed(data, *options)
    assert (done.returncode, done.stdout) == (status, b"")
    assert why in done.stderr
    assert done.stderr.count(b"\n") == 1

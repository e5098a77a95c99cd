"""What kind of recording a file is, its steps, and what is wrong with it."""

import base64
import gzip
import io
import json

import pytest

from roostd.host.replay.recording import BARE_SIZE, OWN_SIZE, BrokenRecording, Input, Output, Resize, Step, read, size


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def steps(data: bytes) -> tuple[str, tuple[int, int], list[Step]]:
    recording = read(io.BytesIO(data))
    return recording.kind, (recording.cols, recording.rows), list(recording.steps)


OURS = lines({"t": 0.5, "o": b64(b"a\xff")}, {"t": 1, "i": b64(b"k")}, {"t": 2, "w": [24, 80]}, {"t": 3, "src": "note"})
OUR_STEPS = [Output(0.5, b"a\xff"), Input(1, b"k"), Resize(2, 80, 24)]
CAST = lines({"version": 2, "width": 90, "height": 20}, [0.5, "o", "ü"], [1.5, "i", "k"], [2, "r", "80x24"], [3, "m", ""], [4, "o", "z"])
CAST_3 = lines({"version": 3, "term": {"cols": 90, "rows": 20}}, [0.5, "o", "ü"], [1, "i", "k"], [0.5, "r", "80x24"], [2, "o", "z"])
CAST_STEPS = [Output(0.5, "ü".encode()), Input(1.5, b"k"), Resize(2, 80, 24), Output(4, b"z")]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("data", "found"),
    [
        (OURS, ("roost", OWN_SIZE, OUR_STEPS)),
        (CAST, ("asciicast", (90, 20), CAST_STEPS)),
        (CAST_3.replace(b"\n", b"\n# a remark\n", 1), ("asciicast", (90, 20), CAST_STEPS)),
        (b"\x1b[1mx\ny", ("bytes", BARE_SIZE, [Output(0, b"\x1b[1mx\n"), Output(0, b"y")])),
        (b'{"a": "line of JSON"}\n', ("bytes", BARE_SIZE, [Output(0, b'{"a": "line of JSON"}\n')])),
        (b"{not JSON", ("bytes", BARE_SIZE, [Output(0, b"{not JSON")])),
        (b"", ("bytes", BARE_SIZE, [])),
        (b"x", ("bytes", BARE_SIZE, [Output(0, b"x")])),
    ],
)
def test_the_content_says_what_it_is(data: bytes, packed: bool, found: object) -> None:
    assert steps(gzip.compress(data) if packed else data) == found


def test_a_line_that_was_cut_off_is_let_go() -> None:
    assert steps(OURS + b'{"t": 4, "o": "YW')[2] == OUR_STEPS
    assert steps(CAST + b'[5, "o", "x')[2] == CAST_STEPS


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (OURS + b"nonsense\n", "line 5 is no step"),
        (OURS + b'{"t": 4, "o": "?"}\n', "line 5 is no step"),
        (OURS + b'{"t": 4, "w": [0, 80]}\n', "line 5 is no step"),
        (CAST + b'[1, "r", "hugexhuge"]\n', "line 7 is no step"),
        (CAST + b"[1]\n", "line 7 is no step"),
        (lines({"version": 2, "width": 90}), "line 1 names no size"),
        (lines({"version": 2, "width": 90, "height": 1 << 40}), "line 1 names no size"),
        (lines({"version": 1, "width": 90, "height": 20, "stdout": []}), "version 1"),
        (gzip.compress(OURS)[:-12], "gzipped here is broken"),
    ],
)
def test_what_is_broken_is_named(data: bytes, why: str) -> None:
    with pytest.raises(BrokenRecording, match=why):
        steps(data)


def test_a_size() -> None:
    assert size("100x30") == (100, 30)
    for wrong in ("100", "0x5", "x", "-1x5", "1x99999", "1x2x3", "²x5"):
        with pytest.raises(ValueError, match=r"COLSxROWS|cannot be"):
            size(wrong)

"""Lines and counted frames: the same in any chunking, bounded, never anything but `TooLong`."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roost_protocol.frame import FrameReader, LineReader, TooLong, pack_frame


def chunked(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[a:b] for a, b in itertools.pairwise(edges)]


@given(st.lists(st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"")), max_size=10), st.lists(st.integers(min_value=0)))
def test_lines_in_any_chunking(lines: list[bytes], cuts: list[int]) -> None:
    reader = LineReader()
    got = [line for chunk in chunked(b"".join(line + b"\n" for line in lines), cuts) for line in reader.feed(chunk)]
    assert got == [line for line in lines if line.strip()]


@pytest.mark.parametrize("chunks", [[b"x" * 11], [b"x" * 6, b"x" * 6], [b"x" * 11 + b"\n"], [b"ok\n" + b"x" * 11]])
def test_a_line_over_the_bound_is_refused(chunks: list[bytes]) -> None:
    reader = LineReader(limit=10)
    *first, last = chunks
    for chunk in first:
        reader.feed(chunk)
    with pytest.raises(TooLong, match="longer than 10 bytes"):
        reader.feed(last)


def test_a_line_at_the_bound_is_taken() -> None:
    assert LineReader(limit=10).feed(b"x" * 10 + b"\n") == [b"x" * 10]


@given(
    st.lists(st.tuples(st.binary(min_size=1, max_size=1), st.binary(max_size=40)), max_size=10),
    st.lists(st.integers(min_value=0)),
)
def test_frames_in_any_chunking(frames: list[tuple[bytes, bytes]], cuts: list[int]) -> None:
    reader = FrameReader()
    data = b"".join(pack_frame(kind, payload) for kind, payload in frames)
    assert [frame for chunk in chunked(data, cuts) for frame in reader.feed(chunk)] == frames


def test_a_frame_over_the_bound_is_refused_by_its_header() -> None:
    with pytest.raises(TooLong, match="longer than 10"):
        FrameReader(limit=10).feed(pack_frame(b"O", b"x" * 11)[:5])

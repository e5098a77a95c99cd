"""The bench's own terminal: it sees what is drawn, and it hangs up at the end."""

import os
import select

import pytest

from tests.bench.place import PATIENCE, BenchError
from tests.bench.viewer import Viewer

RAW = ["/bin/sh", "-c", "stty raw -echo; exec cat"]
ENVIRON = {"PATH": os.environ["PATH"]}


def test_a_key_is_seen_when_it_is_drawn() -> None:
    with Viewer(RAW, ENVIRON) as viewer:
        assert viewer.echo(b"x") > 0


def test_what_was_drawn_before_the_key_does_not_count() -> None:
    with Viewer(RAW, ENVIRON) as viewer:
        viewer.type(b"y")
        assert select.select([viewer.master], [], [], PATIENCE)[0]
        assert viewer.echo(b"y") > 0
        with pytest.raises(BenchError):
            viewer.until(b"y", patience=0.01)


def test_what_never_comes_is_named() -> None:
    with Viewer(RAW, ENVIRON) as viewer, pytest.raises(BenchError, match="drew no b'never'"):
        viewer.until(b"never", patience=0.01)


def test_a_client_that_ends_is_an_error() -> None:
    with Viewer(["/bin/sh", "-c", "stty raw -echo; read one; exit 0"], ENVIRON) as viewer:
        viewer.type(b"\n")
        with pytest.raises(BenchError, match="ended too early"):
            viewer.until(b"never")

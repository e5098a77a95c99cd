"""`roost screen` in all its forms: cells as JSON, a page, and files without a daemon."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from roost import cells
from roost.page import page
from tests.support.commands import TIMEOUT, roost, roost_argv
from tests.support.home import Home
from tests.support.waiting import eventually

LOOKS: list[dict[str, Any]] = [{}, {"bold": True, "fg": 1}, {"link": "https://example.org/?a&b"}, {"link": "javascript:alert(1)"}]
PICTURE: dict[str, Any] = {
    "cursor": {"x": 1, "y": 0, "visible": True, "style": 0},
    "modes": {"alternate": False},
    "history": 7,
    "looks": LOOKS,
    "cells": [[["old", 3, 1, 0]], [["<b", 2, 1, 1], ["漢字", 2, 2, 0], ["e\u0301", 1, 1, 0]], []],
}
SCREEN: dict[str, Any] = {
    "job": "j1",
    "cols": 9,
    "rows": 2,
    "lines": ["old", "<b漢字e\u0301", ""],
    "title": None,
    "engine": "pyte",
    "picture": PICTURE,
}


def shown(*argv: str, stdin: str = "") -> str:
    done = roost("screen", *argv, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_every_cell_is_an_object() -> None:
    found = cells.as_json(SCREEN, lines=1)
    bold = {"width": 1, "bold": True, "fg": 1}
    row = [{"text": "<", **bold}, {"text": "b", **bold}, *({"text": c, "width": 2} for c in "漢字"), {"text": "e\u0301", "width": 1}]
    assert found == {
        "job": "j1",
        "size": [9, 2],
        "rows": ["<b漢字e\u0301", ""],
        "cells": [row, []],
        "cursor": PICTURE["cursor"],
        "modes": PICTURE["modes"],
        "title": None,
        "engine": "pyte",
        "history": {"count": 7, "rows": ["old"], "cells": [[{"text": c, "width": 1} for c in "old"]]},
    }


def test_a_host_that_cannot_tell_cells_leaves_them_unknown() -> None:
    screen = {name: value for name, value in SCREEN.items() if name != "engine"}
    found = cells.as_json({**screen, "lines": ["a", ""], "picture": None}, lines=0)
    assert found["engine"] is None
    assert (found["rows"], found["cells"], found["cursor"], found["history"]) == (["a", ""], None, None, {"count": None})


def test_a_page_is_escaped() -> None:
    found = page("<script>", PICTURE)
    assert "<title>&lt;script&gt;</title>" in found
    assert '<span style="color: #cd3131; font-weight: bold">&lt;b</span><span class="w">漢</span>' in found
    assert found.count("<script") == 0


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        ({}, "x\n</pre>"),
        ({"inverse": True}, '<span style="color: #1e1e1e; background: #d4d4d4">x</span>'),
        ({"fg": 231, "bg": 255}, '<span style="color: #ffffff; background: #eeeeee">x</span>'),
        ({"fg": "#102030", "dim": True}, '<span style="color: #171f27">x</span>'),
        ({"fg": 16, "hidden": True}, '<span style="color: transparent">x</span>'),
        (
            {"underline": 3, "strike": True, "underline_colour": "#010203", "italic": True},
            '<span style="font-style: italic; text-decoration: underline line-through wavy #010203">x</span>',
        ),
        ({"overline": True}, '<span style="text-decoration: overline">x</span>'),
        ({"link": 'https://e.org/"?a&b'}, '<a href="https://e.org/&quot;?a&amp;b" rel="noopener noreferrer">x</a>'),
        ({"link": "JavaScript:alert(1)"}, "x\n</pre>"),
        ({"link": " javascript:alert(1)"}, "x\n</pre>"),
        ({"link": "mailto:a@b"}, '<a href="mailto:a@b"'),
    ],
)
def test_a_look_on_a_page(look: dict[str, Any], expected: str) -> None:
    assert expected in page("t", {"looks": [look], "cells": [[["x", 1, 1, 0]]]})


def test_a_file_is_shown_without_a_daemon(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "a.cast"
    file.write_text(
        '{"version": 2, "width": 20, "height": 2}\n[0, "o", "one\\r\\ntwo\\r\\n\\u001b[31m漢\\u001b[m e\\u0301\\u001b[5n\\u001b[c"]\n'
    )
    assert shown("--from", str(file)) == "two\n漢 e\u0301\n"
    assert shown("--from", str(file), "--lines", "5") == "one\ntwo\n漢 e\u0301\n"
    assert shown("--from", str(file), "--ansi") == "two\n\x1b[0;31m漢\x1b[0m e\u0301\x1b[m\n"
    assert shown("--from", str(file), "--replies") == "\\x1b[0n\n\\x1b[?62;22c\n"
    assert '<span style="color: #cd3131"><span class="w">漢</span></span> e\u0301\n' in shown("--from", str(file), "--html")
    found = json.loads(shown("--from", str(file), "--json", "--replies"))
    assert (found["job"], found["size"], found["rows"]) == (None, [20, 2], ["two", "漢 e\u0301"])
    assert found["cells"][1][0] == {"text": "漢", "width": 2, "fg": 1}
    assert found["replies"] == ["\\x1b[0n", "\\x1b[?62;22c"]
    assert not home.state.exists()


def test_bytes_come_from_stdin(home: Home) -> None:
    assert shown("--from", "-", "--size", "4x3", stdin="abcdef") == "abcd\nef\n"
    bar = "\x1b[0;44m    \x1b[0m\x1b[m\n"
    assert shown("--from", "-", "--size", "4x3", "--ansi", stdin="a\r\n\x1b[44m\x1b[K\x1b[m") == "a\n" + bar
    assert json.loads(shown("--from", "-", "--json", stdin="a"))["size"] == [80, 24]
    assert json.loads(shown("--from", "-", "--json", stdin="a"))["engine"] == "pyte"


def test_what_cannot_be_shown_is_one_line(home: Home, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text('{"version": 2}\n')
    for path, status, why in (
        (tmp_path / "none", 3, "there is no such file"),
        (tmp_path, 1, "Is a directory"),
        (broken, 2, "line 1 names no size"),
    ):
        done = roost("screen", "--from", str(path))
        assert (done.returncode, done.stdout) == (status, "")
        assert done.stderr.startswith(f"roost: {path}: {why}")
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "argv", [("screen", "--from"), ("explain", "--recording"), ("agents", "test", "demo", "--recording")], ids=" ".join
)
def test_no_file_is_one_line(home: Home, argv: tuple[str, ...]) -> None:
    done = roost(*argv, "")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"roost: {argv[-1]}: name a file, or - for stdin\n")
    closed = ["sh", "-c", 'exec "$@" <&-', "sh", *roost_argv(*argv, "-")]
    done = subprocess.run(closed, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "roost: stdin is closed: there is nothing to read\n"


@pytest.fixture
def no_library(tmp_path: Path) -> dict[str, str]:
    """An environment in which libghostty-vt is not to be found."""
    (tmp_path / "pyghostty").mkdir()
    (tmp_path / "pyghostty" / "__init__.py").touch()
    return {"PYTHONPATH": str(tmp_path)}


def test_an_engine_that_cannot_be_had_is_one_line(home: Home, tmp_path: Path, no_library: dict[str, str]) -> None:
    done = roost("screen", "--from", "-", "--engine", "ghostty", stdin="a", **no_library)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("roost: --engine: ghostty cannot be had: ")
    assert "has no libghostty-vt" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_job_without_its_engine_says_so(lived_in: Home, no_library: dict[str, str]) -> None:
    for job in ("one", "two"):
        assert roost("run", "-d", "-n", job, "--", "sh", "-c", "read end", ROOST_MIRROR="ghostty", **no_library).returncode == 0
    assert json.loads(shown("one", "--json"))["engine"] == "pyte"
    explained = json.loads(roost("explain", "one", "--json").stdout)
    assert explained["engine"] == "pyte"
    assert "has no libghostty-vt" in explained["not_engine"]
    assert "  its terminal is mirrored by pyte: ghostty cannot be had: " in roost("explain", "two").stdout
    log = [json.loads(line) for line in (lived_in.state / "roostd.log").read_text().splitlines()]
    (said,) = [line for line in log if line["event"] == "jobs have another mirror than was configured"]
    assert (said["level"], said["engine"], said["why"]) == ("warning", "pyte", explained["not_engine"])


def test_a_live_jobs_cells_and_an_ended_ones_are_the_same(lived_in: Home) -> None:
    script = r"""echo old; seq 60; printf '\033]8;;https://example.org\033\\\033[1;44mX\033[0m\033]8;;\033\\'; read end"""
    assert roost("run", "-d", "-n", "cells", "--", "sh", "-c", script).returncode == 0
    live = until_x("cells")
    assert live["cells"][-1][-1] == {"text": "X", "width": 1, "bold": True, "bg": 4, "link": "https://example.org"}
    assert live["history"]["rows"][:2] == ["old", "1"]
    assert live["history"]["count"] == len(live["history"]["rows"]) == len(live["history"]["cells"])
    assert '<a href="https://example.org"' in shown("cells", "--html")
    roost("stop", "--force", "cells")
    ended = json.loads(shown("cells", "--json", "--lines", "100"))
    assert ended == live


def until_x(job: str) -> dict[str, Any]:
    def found() -> dict[str, Any] | None:
        screen: dict[str, Any] = json.loads(shown(job, "--json", "--lines", "100"))
        return screen if screen["rows"][-1].endswith("X") else None

    screen = eventually(found, "the last cell")
    assert screen is not None
    return screen

"""`roost conformance` as a person runs it, with drivers that do what none should."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from roost.conformance.player import play
from tests.conformance.playing import SCENARIOS, SHORT, example, raw
from tests.support.commands import roost
from tests.support.processes import alive
from tests.support.tree import ROOT
from tests.support.waiting import eventually

PAGE = (ROOT / "docs" / "conformance.md").read_text()
HELLO = SCENARIOS["hello"]


def python(code: str) -> list[str]:
    return [sys.executable, "-S", "-c", code]


def reason(code: str) -> str:
    """Why a driver with this code fails the first scenario."""
    verdict = play(HELLO, python(code), os.environ, SHORT)
    assert verdict.outcome == "failed"
    return verdict.reason or ""


def test_a_client_that_passes() -> None:
    done = roost("conformance", "--scenario", "hello", "--scenario", "bye", "--", *raw("raw_client"), PYTHONPATH=str(ROOT))
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [["passed", "hello"], ["passed", "bye"], ["2", "passed,"]]
    assert "\x1b" not in done.stdout


def test_a_client_that_fails_is_told_why() -> None:
    done = roost("conformance", "--scenario", "bye", "--json", "--", *raw("mutants", "speaks-behind-bye"), PYTHONPATH=str(ROOT))
    verdict, totals = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 1
    assert set(verdict) == {"scenario", "outcome", "seconds", "title", "rule", "step", "reason", "stderr"}
    assert (verdict["outcome"], verdict["rule"]) == ("failed", SCENARIOS["bye"].rule)
    assert "bye is the last line" in verdict["reason"]
    assert totals == {"passed": 0, "failed": 1, "skipped": 0}


def test_what_a_client_cannot_do_is_skipped_by_name() -> None:
    code = "import sys\nfor line in sys.stdin: print('{\"unsupported\": true}', flush=True)"
    done = roost("conformance", "--scenario", "ask", "--", *python(code))
    assert done.returncode == 1, "nothing passed"
    assert done.stdout.startswith("skipped ask ")
    assert "0 passed, 0 failed, 1 skipped" in done.stdout


def test_the_list() -> None:
    done = roost("conformance", "--list", "--json")
    assert [json.loads(line)["scenario"] for line in done.stdout.splitlines()] == list(SCENARIOS)
    assert len(roost("conformance", "--list", "--scenario", "bye").stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ([], "name the driver's command"),
        (["--scenario", "helo", "--", "true"], "did you mean hello?"),
        (["--list", "--", "true"], "--list plays nothing"),
        (["--", "/no/such/driver"], "'/no/such/driver' cannot be started"),
    ],
)
def test_a_wrong_command_line(args: list[str], complaint: str) -> None:
    done = roost("conformance", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr


def test_a_driver_that_hangs() -> None:
    assert "did not answer" in reason("import time\ntime.sleep(1000)")


def test_a_driver_that_ends() -> None:
    assert "the driver had ended with 3" in reason("raise SystemExit(3)")


def test_a_driver_that_chats() -> None:
    assert "stdout is for answers" in reason("print('hello, world', flush=True)\ninput()")


def test_a_driver_that_prints_the_token() -> None:
    assert "the token was printed on the driver's stdout" in reason("import os\nprint(os.environ['ROOST_JOB_TOKEN'], flush=True)\ninput()")


def test_the_processes_of_a_driver_end_with_it(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    code = f"import subprocess\nchild = subprocess.Popen(['sleep', '1000'])\nopen({str(note)!r}, 'w').write(str(child.pid))\nprint(1)"
    assert "stdout is for answers" in reason(code)
    eventually(lambda: not alive(int(note.read_text())), "the end of the driver's child")


def test_the_page_names_every_command_of_a_driver() -> None:
    said = {step.say["do"] for scenario in SCENARIOS.values() for step in scenario.steps if hasattr(step, "say")}
    assert set(re.findall(r'^\| `\{"do": "(\w+)"', PAGE, re.MULTILINE)) == said


def test_the_page_s_driver_is_python() -> None:
    compile(example(), "docs/conformance.md", "exec")
    assert len(example().splitlines()) <= 30

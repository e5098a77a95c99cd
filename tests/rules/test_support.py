"""The test suite's own guards can fail: what they promise is tried here."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import leftovers, processes
from tests.support.home import Home
from tests.support.needs import needs, outside_data
from tests.support.strictness import summary
from tests.support.terminal import Terminal
from tests.support.waiting import eventually, eventually_async


def test_a_condition_that_never_comes_true_fails_and_says_what_was_seen() -> None:
    with pytest.raises(AssertionError, match=r"the door did not come true within 0 s; last seen: \[\]"):
        eventually(list, "the door", within=0)


async def test_an_async_condition_is_awaited() -> None:
    async def seven() -> int:
        return 7

    assert await eventually_async(seven) == 7


def test_a_process_that_detached_itself_is_seen_and_ended(run_dir: Path) -> None:
    before = leftovers.snapshot(run_dir)
    code = "import os, sys, time; os.setsid(); os.environ.clear(); print(flush=True); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert processes.with_environ(processes.MARKER, os.environ[processes.MARKER]) >= {process.pid}
        (left,) = leftovers.new_since(before, run_dir, patience=0)
    assert left.startswith(f"process {process.pid}: ")
    assert not processes.alive(process.pid)


def test_a_child_with_another_environment_is_seen(run_dir: Path) -> None:
    before = leftovers.snapshot(run_dir)
    with subprocess.Popen(["sleep", "600"], env={"PATH": os.environ["PATH"]}) as process:
        assert eventually(lambda: processes.of_this_run() >= {process.pid})
        (left,) = leftovers.new_since(before, run_dir, patience=0)
    assert left == f"process {process.pid}: sleep 600"


def test_a_file_left_behind_is_seen(run_dir: Path) -> None:
    before = leftovers.snapshot(run_dir)
    forgotten = run_dir / "tmp" / "forgotten"
    forgotten.touch()
    assert leftovers.new_since(before, run_dir) == [f"file {forgotten}"]
    forgotten.unlink()


def test_a_home_has_room_for_sockets_and_leads_the_environment(home: Home) -> None:
    assert len(str(home.runtime / "agent" / "agent.sock")) < 100
    assert os.environ["ROOST_RUNTIME_DIR"] == str(home.runtime)
    assert Path.home() == home.root


def test_a_home_knows_and_ends_what_runs_in_it(home: Home) -> None:
    with subprocess.Popen(["sleep", "600"]) as process:
        eventually(lambda: process.pid in home.pids())
        home.end_all()
    assert process.returncode == -9


def test_a_tool_that_is_lacking_skips_with_a_reason_to_count() -> None:
    with pytest.raises(pytest.skip.Exception, match="need no-such-tool"):
        needs("no-such-tool")


def test_data_from_outside_is_skipped_when_absent_and_a_failure_when_misplaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ROOST_TEST_DATA", raising=False)
    with pytest.raises(pytest.skip.Exception):
        outside_data("terminal/cases.json")
    monkeypatch.setenv("ROOST_TEST_DATA", str(tmp_path))
    with pytest.raises(pytest.fail.Exception, match=r"no terminal/cases\.json in it"):
        outside_data("terminal/cases.json")


SAMPLE = """
import pytest
from tests.support.needs import needs

def test_tool(): needs("no-such-tool")
def test_other_tool(): needs("no-such-tool")
@pytest.mark.xfail
def test_known(): assert False
@pytest.mark.realagents
def test_real(): pass
"""


@pytest.mark.parametrize(("strict", "closing"), [("0", "2 skipped, 1 deselected, 1 xfailed"), ("1", "2 failed, 1 deselected, 1 xfailed")])
def test_skips_are_counted_in_one_line_and_fail_when_strict(tmp_path: Path, strict: str, closing: str) -> None:
    result = _pytest(tmp_path, strict)
    assert closing in result.stdout
    assert ("skipped: 2 need no-such-tool\n" in result.stdout) == (strict == "0")
    assert (result.returncode == 0) == (strict == "0")


def test_real_agents_are_a_group_of_their_own(tmp_path: Path) -> None:
    assert "1 passed, 3 deselected" in _pytest(tmp_path, "0", "--real-agents").stdout


def _pytest(folder: Path, strict: str, *args: str) -> "subprocess.CompletedProcess[str]":
    root = Path(__file__).parents[2]
    sample = folder / "test_sample.py"
    sample.write_text(SAMPLE)
    argv = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-p",
        "tests.conftest",
        f"--rootdir={root}",
        f"--basetemp={folder / 'inner'}",
    ]
    return subprocess.run(
        [*argv, f"--confcutdir={folder}", "-c", str(root / "pyproject.toml"), str(sample), *args],
        cwd=root,
        env={**os.environ, "ROOST_TEST_STRICT": strict},
        capture_output=True,
        text=True,
        check=False,
    )


def test_no_skip_no_line() -> None:
    assert summary([]) == ""


def test_a_terminal_shows_what_a_program_wrote_and_gives_its_exit_code() -> None:
    with Terminal(["sh", "-c", "printf 'name? '; read name; echo \"hello $name\"; stty size; exit 3"]) as terminal:
        terminal.expect_screen("^name")
        terminal.send("ada\r")
        terminal.expect("hello (ada)")
        assert terminal.wait() == 3
        assert terminal.screen()[1:3] == ["hello ada", "24 80"]
        assert terminal.restored

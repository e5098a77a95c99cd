"""The command as a whole: help, usage errors, exit codes, and that no traceback reaches a person."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from roost import cli, commands
from roost.version import VERSION
from tests.client.fake_daemon import JOB, FakeDaemon
from tests.support.commands import roost, roost_argv
from tests.support.home import Home

VERBS = [
    *("again", "agents", "ask", "attach", "conformance", "daemon", "events", "explain", "follow-up", "help", "keys", "ls", "record"),
    *("rename", "reply", "report", "resume", "rm", "run", "screen", "set-model", "steer", "stop", "wait"),
]


def said(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    status = cli.main(argv)
    out, err = capsys.readouterr()
    return status, out, err


def test_the_folder_is_the_registry() -> None:
    assert cli.verbs() == VERBS
    assert commands.__file__


@pytest.mark.parametrize("argv", [(), ("help",), ("--help",), ("-h",)])
def test_help_names_every_command(argv: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = said(capsys, *argv)
    assert (status, err) == (0, "")
    assert [verb for verb in VERBS if f"\n  {verb} " not in out] == []
    assert "roost --version" in out


@pytest.mark.parametrize("verb", VERBS)
def test_every_command_has_help_with_examples_of_itself(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "help", verb)
    assert status == 0
    assert out.startswith(f"usage: roost {verb}")
    assert f"roost {verb}" in out.partition("examples:\n")[2]
    with pytest.raises(SystemExit) as ended:
        cli.main([verb, "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.strip() == out.strip()


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "--version") == (0, f"roost {VERSION}\n", "")


def test_the_version_is_the_distributions() -> None:
    import tomllib
    from pathlib import Path

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert project["version"] == VERSION


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["lss"], "there is no command 'lss'; did you mean `roost ls`?"),
        (["frobnicate"], "there is no command 'frobnicate'; see `roost help`"),
        (["../ls"], "there is no command '../ls'; see `roost help`"),
        (["__init__"], "there is no command '__init__'; see `roost help`"),
        (["x\x1b[2Jy"], "there is no command 'x[2Jy'; see `roost help`"),
        (["help", "runn"], "there is no command 'runn'; did you mean `roost run`?"),
        (["ls", "--nope"], "unrecognized arguments: --nope; see `roost ls --help`"),
        (["ls", "--al"], "unrecognized arguments: --al; see `roost ls --help`"),
        (["attach"], "the following arguments are required: JOB; see `roost attach --help`"),
        (["run"], "name an agent, or a command behind --; `roost run --help` has examples"),
        (["run", "demo", "two", "words"], "too many words behind the agent ('two words')"),
        (["run", "--cwd", "", "--", "true"], "--cwd: name a folder; an empty name is none"),
        (["run", "--model", "m", "--", "true"], "--model and --thinking are for agents"),
        (["run", "-d", "--exit-code", "--", "true"], "--detach leaves the job in the background, --exit-code waits"),
        (["run", "--json", "--exit-code", "--", "true"], "--json leaves the job in the background, --exit-code waits"),
        (["again", "j", "-d", "--exit-code"], "--detach leaves the job in the background, --exit-code waits"),
        (["wait", "j", "--until", "done,dead"], "--until: 'dead' is no state; there are: starting, working,"),
        (["wait", "j", "--timeout", "soon"], "--timeout: 'soon' is no time"),
        (["screen", "j", "--lines", "-1"], "--lines: -1 is not between 0 and 100000"),
        (["events", "--since", "-1"], "--since: -1 is below 0"),
        (["report", "--state", "busy"], "argument --state: invalid choice: 'busy'"),
        (["report", "--state", "done"], "--state done can only be told to a terminal: add --osc"),
        (["report", "--state", "waiting", "--choice", "yes"], "--choice: 'yes' is not ID=LABEL"),
        (["daemon", "stop", "--json"], "--json goes with `roost daemon status`, not with stop"),
        (["daemon", "logs", "-n", "-1"], "--lines: -1 is below 0"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_exit_code_2(
    argv: list[str], message: str, home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = said(capsys, *argv)
    assert (status, out) == (2, "")
    assert err.startswith(f"roost: {message}")
    assert err.count("\n") == 1
    assert not home.state.exists()


@pytest.mark.parametrize(
    ("code", "status"),
    [("not_found", 3), ("ambiguous", 3), ("bad_request", 2), ("timeout", 124), ("conflict", 1), ("ended", 1), ("internal", 1)],
)
def test_a_refusal_of_the_daemon_is_one_line_and_its_exit_code(
    code: str, status: int, home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.rename"] = lambda _: [{"error": {"code": code, "message": "no\x1b[31m such\njob"}}]
        assert said(capsys, "rename", "a", "b") == (status, "", "roost: no[31m such job\n")


def test_each_of_several_jobs_is_told_and_the_first_refusal_counts(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    missing = [{"error": {"code": "not_found", "message": "there is no job b"}}]
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.stop"] = lambda request: missing if request["params"]["job"] == "b" else {**JOB, "state": "stopped"}
        assert said(capsys, "stop", "a", "b", "c") == (3, "fix-login stopped\n" * 2, "roost: there is no job b\n")


def test_the_exit_code_of_a_job_comes_through_though_its_screen_is_gone(home: Home) -> None:
    gone = [{"error": {"code": "gone", "message": "no screen of j is kept"}}]
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.run"] = lambda _: JOB
        daemon.answers["job.wait"] = lambda _: {"jobs": [{**JOB, "state": "failed", "exit_code": 7}], "wanted": True}
        daemon.answers["job.screen"] = lambda _: gone
        done = roost("run", "--exit-code", "--", "false")
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "roost: no screen of j is kept\n")


def test_an_output_that_is_not_whole_is_said(lived_in: Home) -> None:
    done = roost("run", "--exit-code", "--", "seq", "5000")
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[-1]) == (0, "5000")
    assert 2000 <= len(lines) < 5000
    assert done.stderr == (
        "roost: only the end is printed: a job's history has 2000 rows; have the command write to a file what must be whole\n"
    )
    done = roost("run", "--exit-code", "--", "seq", "500")
    assert (len(done.stdout.splitlines()), done.stderr) == (500, "")


def test_a_fault_of_our_own_is_one_line(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.list"] = lambda _: {"jobs": [{}]}
        status, out, err = said(capsys, "ls")
    assert (status, out) == (1, "")
    assert err.startswith("roost: a fault in roost itself: KeyError: ")
    assert err.count("\n") == 1


def test_arguments_and_folders_that_are_not_utf8_are_refused(home: Home) -> None:
    done = subprocess.run([*map(os.fsencode, roost_argv("run", "--")), b"caf\xe9"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"roost: argument 3 (b'caf\\xe9') is not UTF-8, which jobs cannot be given\n"
    folder = os.fsencode(home.work) + b"/\xff"
    os.mkdir(folder)  # noqa: PTH102
    done = subprocess.run(roost_argv("run", "--", "true"), cwd=folder, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"is not UTF-8, which jobs cannot be given" in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert not home.state.exists()


def test_files_may_be_called_anything(home: Home) -> None:
    path = os.fsencode(home.work) + b"/caf\xe9.cast"
    with open(path, "w") as file:
        file.write('{"version": 2, "width": 9, "height": 2}\n[0, "o", "hi"]\n')
    for words in (["screen", "--from"], ["explain", "--recording"], ["agents", "test", "demo", "--recording"]):
        done = subprocess.run([*map(os.fsencode, roost_argv(*words)), path], capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (1 if "agents" in words else 0, b"")
    done = subprocess.run([*map(os.fsencode, roost_argv("screen")), b"--from=" + path + b"x"], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (3, b"", 1)
    assert done.stderr.decode().endswith("/caf\ufffd.castx: there is no such file\n")


def test_a_task_on_stdin_that_is_none_is_refused(home: Home) -> None:
    for stdin in ("", "\n", "  \n\n"):
        done = roost("run", "demo", "-", stdin=stdin)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "roost: stdin is empty: there is no task in it; without - the agent starts with none\n"
    assert not home.state.exists()


def test_a_removed_folder_is_said_clearly(home: Home) -> None:
    gone = home.work / "gone"
    gone.mkdir()
    script = f'cd "{gone}" && rmdir "{gone}" && exec "$@"'
    done = subprocess.run(["sh", "-c", script, "sh", *roost_argv("run", "--", "true")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "roost: the current folder has been removed; go to another one, or name one with --cwd\n"


def test_a_reader_that_goes_away_is_no_error(home: Home) -> None:
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.list"] = lambda _: {"jobs": [JOB] * 5000}
        with subprocess.Popen(roost_argv("ls"), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode == cli.EXIT_NO_READER


def test_closed_standard_streams_are_survived(home: Home) -> None:
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:
        daemon.answers["job.list"] = lambda _: {"jobs": [JOB]}
        script = f"{sys.executable} -P -m roost ls <&- >&- 2>&-"
        assert subprocess.run(["sh", "-c", script], check=False).returncode == 0


def test_a_full_disk_is_one_line(home: Home) -> None:
    if not os.path.exists("/dev/full"):  # noqa: PTH110
        pytest.skip("need /dev/full")
    with open("/dev/full", "w") as full:
        done = subprocess.run(roost_argv("help"), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "roost: No space left on device\n")


def test_an_interrupt_is_130(home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("roost.commands.ls.run", interrupted)
    assert said(capsys, "ls") == (130, "", "")


SLOW_IMPORT = """
import os, sys
from importlib.abc import MetaPathFinder

class Slow(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == os.environ["ROOST_TEST_SLOW"]:
            os.write(1, b"here")
            os.read(0, 1)

sys.meta_path.insert(0, Slow())
"""


# Where the tests themselves run in the background, ctrl-c is ignored.
INTERRUPTIBLE = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"


@pytest.mark.parametrize("slow", ["roost.cli", "roost.failure", "roost.commands.ls", "roost.parser"])
def test_ctrl_c_during_an_import_says_nothing(home: Home, tmp_path: Path, slow: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(SLOW_IMPORT)
    environ = {**os.environ, "PYTHONPATH": str(tmp_path), "ROOST_TEST_SLOW": slow}
    argv = [sys.executable, "-c", INTERRUPTIBLE, *roost_argv("ls")]
    with subprocess.Popen(argv, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.read(4) == b"here"
        process.send_signal(signal.SIGINT)
        assert process.communicate() == (b"", b"")
    assert process.returncode == -signal.SIGINT


def test_who_ignores_ctrl_c_goes_on_ignoring_it(home: Home) -> None:
    with FakeDaemon(home.runtime / "roostd.sock") as daemon:

        def interrupted(_: object) -> object:
            os.kill(process.pid, signal.SIGINT)
            return {"jobs": [JOB]}

        daemon.answers["job.list"] = interrupted
        argv = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *roost_argv("ls")]
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    assert "fix-login" in out


def test_the_log_ends_with_whoever_reads_it(home: Home) -> None:
    home.state.mkdir()
    (home.state / "roostd.log").write_text("one\ntwo\n")
    with subprocess.Popen(roost_argv("daemon", "logs", "-f"), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(4) == b"one\n"
        process.stdout.close()
        with (home.state / "roostd.log").open("a") as log:
            log.write("three\n")
        assert process.stderr.read() == b""
    assert process.returncode == -signal.SIGPIPE


def test_no_daemon_is_exit_code_4_where_none_is_started(home: Home) -> None:
    done = roost("daemon", "status")
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr == "roost: the daemon is not running; `roost daemon start` starts it\n"
    assert not home.state.exists()

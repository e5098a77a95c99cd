"""How a daemon comes up: alone, detached from whoever started it, in folders that are nobody else's."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support import processes
from tests.support.daemon import Daemon, Operator
from tests.support.home import Home
from tests.support.needs import needs
from tests.support.waiting import DEADLINE, eventually

ROOSTD = [sys.executable, "-P", "-m", "roostd"]


@contextmanager
def started(home: Home) -> Iterator[None]:
    try:
        yield
    finally:
        home.end_all()


def roostd(*options: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Runs it with pipes, which are read to their end: one that a daemon kept would never end."""
    return subprocess.run([*ROOSTD, *options], capture_output=True, text=True, env={**os.environ, **environ}, timeout=DEADLINE, check=False)


def record(home: Home) -> dict[str, object]:
    found: dict[str, object] = json.loads((home.state / "roostd.json").read_bytes())
    return found


def test_its_starters_soft_limits_are_not_its_own(home: Home) -> None:
    with started(home):
        limited = ["sh", "-c", 'ulimit -S -n 64; ulimit -S -t 30; exec "$@"', "sh", *ROOSTD]
        assert subprocess.run(limited, check=False).returncode == 0
        limits = Path(f"/proc/{record(home)['pid']}/limits").read_text()
        soft = {line[:26].strip(): line[26:47].strip() for line in limits.splitlines()}
        assert int(soft["Max open files"]) > 64
        assert soft["Max cpu time"] != "30"


def test_version_and_help_start_nothing(home: Home) -> None:
    assert re.fullmatch(r"roostd \d+\.\d+\.\d+\n", roostd("--version").stdout)
    assert "--foreground" in roostd("--help").stdout
    assert not home.state.exists()


def test_it_detaches_and_keeps_nothing_of_its_starters(home: Home) -> None:
    with started(home):
        done = roostd()
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        pid = int(str(record(home)["pid"]))
        assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")
        for fd in ("0", "1", "2"):
            assert Path(f"/proc/{pid}/fd/{fd}").readlink() == Path("/dev/null")
        assert os.getsid(pid) not in (pid, os.getsid(0))
        assert "Umask:\t0077" in Path(f"/proc/{pid}/status").read_text()
        assert record(home)["sockets"] == {
            "operator": str(home.runtime / "roostd.sock"),
            "agent": str(home.runtime / "agent" / "agent.sock"),
        }


def test_a_second_one_says_so(home: Home) -> None:
    with started(home):
        assert roostd().returncode == 0
        again = roostd()
        assert (again.returncode, again.stdout) == (1, "")
        assert again.stderr == f"roostd: roostd runs already (pid {record(home)['pid']})\n"


def test_the_ready_descriptor_hears_one_line(home: Home) -> None:
    with started(home):
        for expected in ("ready", "roostd runs already"):
            reading, writing = os.pipe()
            process = subprocess.Popen([*ROOSTD, "--ready-fd", str(writing)], pass_fds=[writing])
            os.close(writing)
            with os.fdopen(reading) as pipe:
                lines = pipe.read().splitlines()
            process.wait()
            assert len(lines) == 1
            assert lines[0].startswith(expected)


def test_started_inside_a_job_it_is_no_process_of_that_job(home: Home) -> None:
    with started(home):
        inside = {"ROOST_JOB_ID": "12345678", "ROOST_JOB_TOKEN": "secret", "PI_JOB_ID": "1", "TMUX": "x"}
        assert roostd(**inside).returncode == 0
        eventually(lambda: len(home.pids()) >= 2, "the daemon and its spawner")
        for pid in home.pids():
            assert not processes.environ_of(pid).keys() & inside.keys()


def test_a_daemon_that_dies_leaves_its_lock_to_the_next(home: Home) -> None:
    with Daemon(home) as daemon:
        daemon.kill()
        assert (home.runtime / "roostd.sock").exists()
        daemon.restart()
        assert daemon.operator().ask("daemon.status")["pid"] == daemon.process.pid


def wrong_mode(path: Path) -> str:
    path.mkdir()
    path.chmod(0o770)
    return rf"{path}: has mode 0770, others can .* it; chmod 700 {path}"


def symlink(path: Path) -> str:
    path.with_name("elsewhere").mkdir(mode=0o700)
    path.symlink_to(path.with_name("elsewhere"))
    return rf"{path}: is a symbolic link; set ROOST_\w+_DIR to another path, or remove it"


def file(path: Path) -> str:
    path.touch()
    return rf"{path}: is no directory; set ROOST_\w+_DIR"


def foreign(path: Path) -> str:
    needs("root")
    path.mkdir(mode=0o700)
    os.chown(path, 65534, 65534)
    return rf"{path}: belongs to uid 65534, not to you"


@pytest.mark.parametrize("spoil", [wrong_mode, symlink, file, foreign])
@pytest.mark.parametrize("folder", ["runtime", "state"])
def test_a_folder_that_others_have_a_hand_in_is_refused(home: Home, folder: str, spoil: object) -> None:
    assert callable(spoil)
    message = spoil(getattr(home, folder))
    done = roostd()
    assert done.returncode == 1
    assert re.fullmatch(rf"roostd: {folder} directory {message}.*\n", done.stderr), done.stderr
    assert not home.pids()


def test_a_state_folder_that_others_can_read_is_the_persons_choice(home: Home) -> None:
    home.state.mkdir(mode=0o755)
    with started(home):
        assert roostd().returncode == 0


def test_a_runtime_folder_whose_parent_is_missing_is_refused(home: Home) -> None:
    done = roostd(ROOST_RUNTIME_DIR=str(home.root / "no" / "run"))
    assert done.returncode == 1
    assert "cannot be made: No such file or directory; set ROOST_RUNTIME_DIR" in done.stderr


def test_a_runtime_folder_with_too_long_a_path_is_refused(home: Home) -> None:
    done = roostd(ROOST_RUNTIME_DIR=str(home.root / ("x" * 90)))
    assert done.returncode == 1
    assert "longer than 100 bytes; set ROOST_RUNTIME_DIR to a shorter path" in done.stderr


def test_a_relative_folder_is_refused(home: Home) -> None:
    done = roostd(ROOST_STATE_DIR="here")
    assert (done.returncode, done.stderr) == (1, "roostd: ROOST_STATE_DIR is 'here': it must be an absolute path\n")


def test_a_store_of_a_newer_version_is_one_line(home: Home) -> None:
    with Daemon(home) as daemon:
        daemon.kill()
        code = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(\"UPDATE meta SET value = '99'\"); c.commit()"
        subprocess.run([sys.executable, "-c", code, str(home.state / "roostd.db")], check=True)
        done = roostd()
        assert done.returncode == 1
        assert done.stderr.startswith(f"roostd: {home.state}/roostd.db was written by a newer roost (schema 99")
        assert done.stderr.count("\n") == 1


def test_live_hosts_keep_the_daemon_where_their_agents_know_it(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROOST_RUNTIME_DIR")
    first, second = home.root / "xdg1", home.root / "xdg2"
    for base in (first, second):
        base.mkdir(mode=0o700)
    with Daemon(home, XDG_RUNTIME_DIR=str(first)) as daemon:
        with Operator(first / "roost" / "roostd.sock") as operator:
            operator.run("cat", name="cat")
        daemon.kill()
        daemon.restart(XDG_RUNTIME_DIR=str(second))
        with Operator(first / "roost" / "roostd.sock") as operator:
            operator.ask("job.stop", job="cat")
        daemon.kill()
        daemon.restart(XDG_RUNTIME_DIR=str(second))
        with Operator(second / "roost" / "roostd.sock") as operator:
            assert operator.ask("daemon.status")["jobs"] == 0


def test_a_full_disk_is_named_with_what_to_do(home: Home) -> None:
    needs("mount")
    home.state.mkdir(parents=True, mode=0o700)
    fill = 'mount -t tmpfs -o size=64k none "$1"; mkdir "$1/state"; cat /dev/zero >"$1/full" 2>/dev/null; shift; exec "$@"'
    state = home.state / "state"
    argv = ["unshare", "--mount", "sh", "-c", fill, "sh", str(home.state), *ROOSTD]
    done = subprocess.run(
        argv, capture_output=True, text=True, env={**os.environ, "ROOST_STATE_DIR": str(state)}, timeout=DEADLINE, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"roostd: the daemon cannot start: No space left on device: make room in {state}\n"

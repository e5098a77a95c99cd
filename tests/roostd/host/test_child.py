"""What a job's first process gets from whoever ran it, and what it must not get from its host."""

import base64
import sys
from typing import Any

import pytest

from roost_protocol.host import HostSpec
from tests.support.hosts import Hosts

PRINT = "import os, signal, sys, resource, termios\n"


def shown(hosts: Hosts, *code: str, **changes: Any) -> list[str]:
    """What a Python program printed that ran as a job."""
    return hosts.start([sys.executable, "-c", "\n".join((PRINT, *code))], cols=200, **changes).last_screen().lines


def test_signals_are_as_a_login_shell_would_have_them(hosts: Hosts) -> None:
    lines = hosts.start(["sh", "-c", "grep -E 'SigBlk|SigIgn' /proc/self/status"]).last_screen().lines
    assert [line.split()[1] for line in lines if line] == ["0" * 16, "0" * 16]


def test_a_closed_pipe_is_quiet(hosts: Hosts) -> None:
    screen = hosts.start(["bash", "-c", "yes | head -1"]).last_screen()
    assert [line for line in screen.lines if line] == ["y"]


def test_it_has_a_terminal_and_nothing_else_open(hosts: Hosts) -> None:
    lines = shown(
        hosts,
        "print(sorted(int(fd) for fd in os.listdir('/proc/self/fd')))",
        "print(os.ttyname(0) == os.ttyname(2), os.isatty(1))",
    )
    assert lines[0] == "[0, 1, 2, 3]"  # 3 is the listing itself
    assert lines[1] == "True True"


def test_it_leads_its_session_and_has_the_terminal(hosts: Hosts) -> None:
    lines = shown(hosts, "print(os.getsid(0) == os.getpid() == os.tcgetpgrp(0)); print(os.get_terminal_size(0))")
    assert lines[0] == "True"
    assert lines[1] == "os.terminal_size(columns=200, lines=24)"


def test_umask_folder_and_limits_are_the_callers(hosts: Hosts) -> None:
    (hosts.home.work / "here").mkdir()
    changes = {"umask": 0o027, "cwd": str(hosts.home.work / "here"), "limits": {"RLIMIT_NOFILE": 77, "RLIMIT_NO_SUCH": 1}}
    lines = shown(
        hosts,
        "print(oct(os.umask(0)), os.path.basename(os.getcwd()), resource.getrlimit(resource.RLIMIT_NOFILE)[0])",
        "print(bool(termios.tcgetattr(0)[0] & 0o40000))",
        **changes,
    )
    assert lines[:2] == ["0o27 here 77", "True"]


def test_the_environment_is_the_specs_and_may_hold_any_bytes(hosts: Hosts) -> None:
    raw = {base64.b64encode(b"ODD").decode(): base64.b64encode(b"\xff\xfe").decode()}
    code = "print(os.environb[b'ODD'], os.environ['PLAIN'], 'ROOST_TEST_STRICT' in os.environ)"
    lines = shown(hosts, code, environ={"PLAIN": "é"}, environ_raw=raw)
    assert lines[0] == r"b'\xff\xfe' é False"


@pytest.mark.parametrize("path", [{}, {"PATH": ""}])
def test_without_a_path_a_program_is_where_the_daemon_looked(hosts: Hosts, path: dict[str, str]) -> None:
    lines = hosts.start(["sh", "-c", "echo $0 ran"], environ=path).last_screen().lines
    assert lines[0].endswith("sh ran")


def test_a_spec_shows_nothing_of_itself() -> None:
    spec = HostSpec(job="j", dir="/d", socket="/s", argv=["a"], environ={"SECRET": "s3cret"}, cwd="/")
    assert "s3cret" not in repr(spec)

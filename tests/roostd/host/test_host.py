"""Real spawner, real hosts, real programs: how a job begins, ends and is reached."""

import os
import signal
import socket

import pytest

from roost_protocol.host import NotUp, Up
from roostd import process
from tests.support.home import Home
from tests.support.hosts import Hosts
from tests.support.waiting import eventually


@pytest.mark.parametrize(
    ("script", "code", "name"),
    [
        ("exit 0", 0, None),
        ("exit 3", 3, None),
        ("kill -TERM $$", None, "SIGTERM"),
        ("kill -KILL $$", None, "SIGKILL"),
    ],
)
def test_the_exit_is_told_as_it_was(hosts: Hosts, script: str, code: int | None, name: str | None) -> None:
    exited = hosts.start(["sh", "-c", script]).exit_record()
    assert (exited.exit_code, exited.exit_signal, exited.stopped, exited.error) == (code, name, False, None)


@pytest.mark.parametrize(("argv", "code", "words"), [(["no-such-program"], 127, "command not found"), (["/etc"], 126, "it is a folder")])
def test_what_cannot_be_started_leaves_an_exit_record(hosts: Hosts, argv: list[str], code: int, words: str) -> None:
    exited = hosts.start(argv).exit_record()
    assert exited.exit_code == code
    assert words in str(exited.error)


def test_a_folder_that_is_not_there_is_told(hosts: Hosts) -> None:
    exited = hosts.start(["true"], cwd="/no/such/folder").exit_record()
    assert exited.exit_code == 126
    assert "/no/such/folder" in str(exited.error)


def test_output_before_the_exit_is_not_lost(hosts: Hosts) -> None:
    jobs = [hosts.launch(["sh", "-c", f"echo hi {number}"]) for number in range(100)]
    screens = [job.last_screen() for job in jobs]
    assert [screen.lines[0] for screen in screens] == [f"hi {number}" for number in range(100)]


def test_a_job_is_linked_attached_and_typed_into(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "printf 'name? '; read name; echo hello $name; read wait"])
    with job.link() as link, job.attach() as terminal:
        assert link.linked.pid == job.pid == job.host_record().pid
        terminal.type("Ada\r")
        terminal.expect(b"hello Ada")
        link.expect_screen("hello Ada")
        terminal.type("\r")
        end = terminal.expect_end()
        assert (end["exit_code"], end["exit_signal"]) == (0, None)
        assert link.at_end()
    assert job.exit_record().exit_code == 0
    assert not os.path.lexists(job.spec.socket)


def test_a_second_host_is_refused(hosts: Hosts) -> None:
    job = hosts.start(["cat"])
    hosts.send(job.spec)
    assert hosts.expect(NotUp, job.spec.job).why == "another host has this job"
    assert process.alive(job.pid, job.host_record().start, process.boot_id())
    with job.link() as link:
        link.stop(force=True)
    assert job.exit_record().stopped


def test_a_killed_host_takes_its_own_processes_along_and_nobody_elses(hosts: Hosts) -> None:
    other = hosts.start(["sh", "-c", "setsid sleep 1000 & exec cat"])
    job = hosts.start(["sh", "-c", "setsid sleep 1000 & (sleep 1000 &) ; exec cat"])
    eventually(lambda: len(process.with_job_id(job.spec.job)) == 3 and len(process.with_job_id(other.spec.job)) == 2)
    os.kill(job.pid, signal.SIGKILL)
    assert job.gone().status == -signal.SIGKILL
    assert process.with_job_id(job.spec.job) == set()
    assert len(process.with_job_id(other.spec.job)) == 2
    with other.link() as link:
        assert "lines" in link.ask_screen()


def test_the_host_outlives_its_spawner(home: Home) -> None:
    with Hosts(home) as first:
        job = first.start(["cat"])
        first.process.kill()
        first.process.wait()
        with job.link() as link, job.attach() as terminal:
            terminal.type("still here\r")
            terminal.expect(b"still here")
            link.stop(force=True)
            assert link.at_end()
        with Hosts(home) as second:
            assert second.start(["true"]).exit_record().exit_code == 0


def test_the_spawner_ends_with_its_daemon(hosts: Hosts) -> None:
    job = hosts.start(["cat"])
    hosts.stream.shutdown(socket.SHUT_WR)
    assert hosts.process.wait(20) == 0
    with job.link() as link:
        link.stop()
        assert link.at_end()


def test_up_is_said_before_the_end(hosts: Hosts) -> None:
    job = hosts.launch(["true"])
    job.gone()
    kinds = [type(message) for message in hosts.heard if message.job == job.spec.job]
    assert kinds[0] is Up

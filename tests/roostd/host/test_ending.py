"""How jobs are stopped, and what is left of them afterwards."""

import os
import signal

from roostd import process
from tests.support.hosts import Hosts, Job
from tests.support.waiting import eventually


def say_ready(job: Job) -> None:
    with job.link() as link:
        link.expect_screen("ready")


def test_a_stop_sends_the_stop_signal_first(hosts: Hosts) -> None:
    job = hosts.start(["bash", "-c", "trap 'echo got TERM; exit 0' TERM; echo ready; while :; do sleep 1000 & wait; done"])
    say_ready(job)
    with job.link() as link:
        link.stop()
        assert link.at_end()
    exited = job.exit_record()
    assert (exited.exit_code, exited.stopped) == (0, True)
    assert "got TERM" in job.last_screen().lines
    assert process.with_job_id(job.spec.job) == set()


def test_an_interactive_shell_ends_by_hangup(hosts: Hosts) -> None:
    job = hosts.start(["bash", "--norc", "-i"])
    with job.link() as link:
        link.expect_screen("$")
        link.stop()
        assert link.at_end()
    assert job.exit_record().stopped


def test_what_ignores_everything_is_killed_when_forced(hosts: Hosts) -> None:
    job = hosts.start(
        ["sh", "-c", "trap '' TERM HUP INT; setsid sh -c 'trap \"\" TERM HUP; sleep 1000' & echo ready; while :; do sleep 1000; done"]
    )
    say_ready(job)
    with job.link() as link:
        link.stop(force=True)
        assert link.at_end()
    exited = job.exit_record()
    assert (exited.exit_signal, exited.stopped) == ("SIGKILL", True)
    assert process.with_job_id(job.spec.job) == set()


def test_a_stopped_process_is_woken_to_be_stopped(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "echo ready; kill -STOP $$"])
    say_ready(job)
    with job.link() as link:
        eventually(lambda: [entry.state for entry in [process.stat(link.linked.child)] if entry] == ["T"])
        link.stop()
        assert link.at_end()
    assert job.exit_record().exit_signal == "SIGTERM"


def test_another_stop_signal_may_be_asked_for(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "trap 'exit 7' INT; echo ready; while :; do sleep 0.05; done"], stop_signal="SIGINT")
    say_ready(job)
    with job.link() as link:
        link.stop()
        assert link.at_end()
    assert job.exit_record().exit_code == 7


def test_sigterm_to_the_host_is_a_stop_and_hangup_is_nothing(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "echo ready; exec sleep 1000"])
    say_ready(job)
    for number in (signal.SIGHUP, signal.SIGINT):
        os.kill(job.pid, number)
    say_ready(job)
    os.kill(job.pid, signal.SIGTERM)
    assert job.exit_record().stopped


def test_what_stays_in_the_session_is_ended_with_the_job(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "trap '' HUP TERM; sleep 1000 & sh -c 'trap \"\" HUP; sleep 1000' & exit 5"])
    assert job.exit_record().exit_code == 5
    assert process.with_job_id(job.spec.job) == set()


def test_a_helper_that_left_the_session_stays_and_is_named(hosts: Hosts) -> None:
    job = hosts.start(["bash", "-c", "setsid sleep 1000 < /dev/null > /dev/null 2>&1 & echo ready; read line"])
    with job.link() as link, job.attach() as terminal:
        link.expect_screen("ready")
        eventually(lambda: [left["name"] for left in link.ask_evidence()["left"]] == ["sleep"], "the helper under its own name")
        terminal.type("\r")
        terminal.expect_end()
    assert job.exit_record().exit_code == 0
    helpers = process.with_job_id(job.spec.job)
    assert len(helpers) == 1
    # Another host's violent end does not touch it either.
    other = hosts.start(["cat"])
    os.kill(other.pid, signal.SIGKILL)
    other.gone()
    assert process.with_job_id(job.spec.job) == helpers


def test_a_stop_takes_helpers_along(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "env -u ROOST_JOB_ID setsid sleep 1000 & echo ready; exec sleep 1000"])
    say_ready(job)
    with job.link() as link:
        below = process.descendants(job.pid)
        assert len(below) == 2
        link.stop()
        assert link.at_end()
    job.exit_record()
    assert not below & set(process.table())


def test_an_exit_record_waits_for_a_disk_that_takes_it(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "read line; exit 4"])
    hindrance = job.directory / "exit.json.new"
    hindrance.mkdir()
    with job.link() as link, job.attach() as terminal:
        terminal.type("\r")
        eventually(lambda: not process.descendants(job.pid))
        assert link.ask_screen()["cols"] == 80, "the host still answers"
        hindrance.rmdir()
        assert terminal.expect_end()["exit_code"] == 4
    assert job.exit_record().exit_code == 4


def test_a_job_whose_directory_was_taken_away_ends_all_the_same(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "read line"])
    with job.attach() as terminal:
        for path in job.directory.iterdir():
            path.unlink()
        job.directory.rmdir()
        terminal.type("\r")
        terminal.expect_end()
    assert job.gone().status == 0


def test_a_signal_of_real_time_ends_a_job_as_any_other(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "kill -36 $$"])
    assert job.exit_record().exit_signal == "SIGRTMIN+2"

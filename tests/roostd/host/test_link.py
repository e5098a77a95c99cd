"""The daemon's link, by a real host: what is told, kept and resent, and what is typed, once."""

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from roost_protocol.host import (
    Detection,
    FactsNow,
    ForgetAttention,
    Heard,
    HostRefusal,
    HostReport,
    Status,
    Typed,
    TypeKeys,
    TypeText,
    Typing,
)
from roost_protocol.jobs import Choice
from tests.support.hosts import Hosts, connect
from tests.support.needs import needs
from tests.support.waiting import DEADLINE, eventually

RAW = "stty raw -echo; printf ready; exec cat -v"
ASK = "printf 'name? '; read name; echo \"hello $name\"; exec cat"


def test_statuses_come_in_order_and_again_until_they_are_acked(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "echo ready; exec cat"])
    with job.link() as first:
        last = first.expect_state("quiet")
        seen = [status.n for status in first.statuses()]
        assert seen == list(range(1, last.n + 1))
        assert [status.state for status in first.statuses()] == ["starting", "working", "quiet"]
    with job.link() as second:
        assert second.expect_state("quiet") == last
        assert [status.n for status in second.statuses()] == seen
        second.ack(last.n - 1)
        second.ask_screen()
    with job.link() as third:
        third.expect_state("quiet")
        assert [status.n for status in third.statuses()] == [last.n]


def test_what_nobody_acked_is_in_the_exit_record(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "echo bye; read line"])
    with job.link() as link:
        number = link.expect_state("quiet").n
        link.ack(1)
        link.send(TypeText("r1", "x"))
        link.expect(Typed, lambda typed: typed.outcome != "pending")
        assert link.at_end()
    exited = job.exit_record()
    assert [status.n for status in exited.statuses][: number - 1] == list(range(2, number + 1))
    assert [typed.id for typed in exited.typed] == ["r1"]
    assert exited.facts.text is not None
    assert exited.token_hash == job.spec.token_hash


def test_a_newer_link_replaces_the_older(hosts: Hosts) -> None:
    job = hosts.start(["cat"])
    with job.link() as older, job.link() as newer:
        assert older.at_end()
        assert newer.ask_screen()["rows"] == 24


def test_facts_tell_title_last_row_and_who_looks(hosts: Hosts) -> None:
    titled_then_full = "read x; printf '\\033]0;\u2839 my task\\007'; read x; printf '\\033]0;\\007\\033[?1049hfull'"
    job = hosts.start(["sh", "-c", f"echo first; echo last; {titled_then_full}; exec cat"])
    with job.link() as link:
        link.expect(FactsNow, lambda now: now.facts.text == "last" and now.facts.title is None)
        with job.attach() as terminal:
            link.expect(FactsNow, lambda now: now.facts.attached == 1 and now.facts.looked is not None)
            terminal.type("\r")
            titled = link.expect(FactsNow, lambda now: now.facts.title == "my task").facts
            assert titled.text == "my task"
            assert titled.last_output is not None
            terminal.type("\r")
            link.expect(FactsNow, lambda now: now.facts.title is None and now.facts.text is None)
        link.expect(FactsNow, lambda now: now.facts.attached == 0 and now.facts.looked is not None)


def test_a_report_is_heard_behind_its_status_and_outranks_the_screen(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "echo ready; exec cat"])
    with job.link() as link:
        link.expect_state("quiet")
        report = HostReport(id=7, n=1, at=1.0, state="waiting", waiting_for="choice", question="which\x1b?", choices=[Choice("1", "one")])
        link.send(report)
        link.expect(Heard, lambda heard: heard.id == 7)
        status = link.statuses()[-1]
        assert (status.state, status.waiting_for, status.question) == ("waiting", "choice", "which?")
        assert status.choices == [Choice("1", "one")]
        assert status.evidence.signal == "report"
        assert link.heard.index(status) < link.heard.index(Heard(7))
        link.send(msgspec.structs.replace(report, id=0, connected=False))
        link.send(TypeText("r", "one"))
        link.expect_state("working")


def test_a_reply_is_typed_submitted_and_never_twice(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", ASK])
    with job.link() as link:
        link.expect_state("quiet")
        link.send(TypeText("a1", "Ada\n"))
        assert link.expect(Typed, lambda typed: typed.outcome != "pending").outcome == "submitted"
        link.expect_screen("hello Ada")
        link.send(TypeText("a1", "Ada\n"))
        link.send(TypeText("a2", "Bob"))
        link.expect(Typed, lambda typed: typed.id == "a2" and typed.outcome != "pending")
        answers = [message for message in link.heard if isinstance(message, Typed) and message.id == "a1"]
        assert [answer.outcome for answer in answers] == ["pending", "submitted", "submitted"]
        assert "\n".join(link.ask_screen()["lines"]).count("hello Ada") == 1


def test_a_reply_to_one_that_does_not_react_is_only_typed(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "stty raw -echo; echo ready; exec sleep 1000"])
    with job.link() as link:
        link.expect_screen("ready")
        link.send(TypeText("a", "anyone?"))
        typed = link.expect(Typed, lambda typed: typed.outcome != "pending")
        assert typed.outcome == "typed"
        assert typed.why


def test_several_lines_are_one_paste_where_the_program_takes_it_and_refused_elsewhere(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "stty raw -echo; printf 'ready'; head -c 1 >/dev/null; printf '\\033[?2004hon'; exec cat -v"])
    with job.link() as link:
        link.expect_screen("ready")
        link.send(TypeText("no", "one\ntwo"))
        refused = link.expect(Typed, lambda typed: typed.id == "no" and typed.outcome != "pending")
        assert refused.outcome == "refused"
        assert "one line" in str(refused.why)
        link.send(TypeKeys("k", ["x"]))
        link.expect_screen("readyon")
        link.send(TypeText("yes", "one\ntwo"))
        link.expect(Typed, lambda typed: typed.id == "yes" and typed.outcome == "submitted")
        assert "^[[200~one" in "".join(link.ask_screen()["lines"])


def test_keys_are_encoded_by_the_terminals_modes_and_typed_once(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "stty raw -echo; printf '\\033[?1hready'; exec cat -v"])
    with job.link() as link:
        link.expect_screen("ready")
        for _ in range(2):
            link.send(TypeKeys("k1", ["up", "ctrl+c", "x"]))
        link.expect_screen("ready^[OA^Cx")
        link.send(TypeKeys("k2", ["nonsense"]))
        refused = link.expect(Typed, lambda typed: typed.id == "k2")
        assert refused.outcome == "refused"
        assert "nonsense" in str(refused.why)
        assert "ready^[OA^Cx" in "\n".join(link.ask_screen()["lines"])


def test_the_task_is_typed_once_the_agent_is_ready(hosts: Hosts) -> None:
    script = "sleep 0.3; printf 'loading\\n'; sleep 0.2; printf '> '; read task; echo \"doing $task\"; exec cat"
    job = hosts.start(["sh", "-c", script], task="the work", detection=Detection(idle=["^> ?$"], settle=5.0, recognisable=True))
    with job.link() as link:
        link.expect_screen("doing the work")
        typed = link.expect(Typed, lambda typed: typed.outcome != "pending")
        assert (typed.id, typed.outcome, typed.why) == ("task", "submitted", None)


def test_a_task_that_is_not_typed_yet_is_explained(hosts: Hosts) -> None:
    script = "echo loading; read go; printf '> '; read task; echo \"doing $task\"; exec cat"
    job = hosts.start(["sh", "-c", script], task="the work", detection=Detection(idle=[r"^> ?\Z"], settle=0.5, recognisable=True))
    with job.link() as link:
        link.expect_screen("loading")
        last = link.ask_evidence()["evidence"][-1]
        assert (last["signal"], last["says"], last["won"]) == ("input", "working", False)
        assert last["detail"] == "its task is not typed yet: it waits for the agent's prompt"
        still = "still, but neither idle nor waiting is seen"
        link.expect(Status, lambda status: (status.state, status.evidence.detail) == ("working", still))
        link.send(TypeKeys("go", ["enter"]))
        link.expect_screen("doing the work")
        link.expect(Typed, lambda typed: typed.id == "task" and typed.outcome == "submitted")
        assert "its task" not in str(link.ask_evidence())


def test_a_profiles_dialog_is_waiting_and_takes_a_short_answer(hosts: Hosts) -> None:
    script = "echo 'Run it? [y/n]'; read answer; clear; echo \"answer $answer\"; exec cat"
    job = hosts.start(["sh", "-c", script], detection=Detection(waiting=[r"\[y/n\]"], settle=0.5))
    with job.link() as link:
        status = link.expect_state("waiting")
        assert status.evidence.signal == "pattern"
        link.send(TypeText("a", "several\nlines"))
        assert link.expect(Typed, lambda typed: typed.id == "a" and typed.outcome != "pending").outcome == "refused"
        link.send(TypeText("b", "y"))
        link.expect_screen("answer y")
        evidence = link.ask_evidence()["evidence"]
        assert sum(entry["won"] for entry in evidence) == 1
        assert {"signal", "says", "detail", "at", "won", "why"} == evidence[0].keys()


def test_a_bell_asks_for_attention_until_somebody_looks_or_answers(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "echo ready; while read line; do printf '\\033]9;look\\033\\\\'; done"])
    with job.link() as link:
        link.expect_state("quiet")

        def rings() -> bool:
            link.ask_screen()
            return link.statuses()[-1].attention is not None

        link.send(TypeKeys("k1", ["enter"]))
        eventually(rings)
        attention = link.statuses()[-1].attention
        assert attention is not None
        assert attention.text == "look"
        link.send(ForgetAttention())
        eventually(lambda: not rings())
        link.send(TypeKeys("k2", ["enter"]))
        eventually(rings)
        with job.attach():
            eventually(lambda: not rings())


def test_a_line_that_cannot_be_read_is_refused_and_the_link_goes_on(hosts: Hosts) -> None:
    job = hosts.start(["cat"])
    with job.link() as link:
        deep = b'{"type":"stop","x":' + b'{"a":' * 3000
        link.socket.sendall(b'{"type":"nonsense"}\n{bad\n{"type":"stop","force":1}\n' + deep + b"\n")
        link.ask_screen()
        refusals = [message for message in link.heard if isinstance(message, HostRefusal)]
        assert [refusal.code for refusal in refusals] == ["bad_request"] * 4


DEEP = b'{"type":"link","protocol":1,"version":"1","x":' + b'{"a":' * 3000 + b"\n"


@pytest.mark.parametrize(
    "line", [b"hello\n", b"{}\n", b'{"type":"attach","protocol":1,"version":"x","cols":0,"rows":5}\n', b"\xff\xfe\n", DEEP]
)
def test_who_does_not_say_who_it_is_is_refused(hosts: Hosts, line: bytes) -> None:
    job = hosts.start(["cat"])
    with connect(job.spec) as peer:
        peer.sendall(line)
        answer = peer.makefile("rb").read()
    assert json.loads(answer)["code"] == "bad_request"


def test_silent_peers_and_endless_lines_cost_nothing(hosts: Hosts) -> None:
    job = hosts.start(["cat"])
    peers = [connect(job.spec) for _ in range(70)]
    with connect(job.spec) as peer:
        peer.settimeout(DEADLINE)
        try:
            for _ in range(100):
                peer.sendall(b"x" * 10_000)
            answer = peer.recv(1000)
        except (BrokenPipeError, ConnectionResetError):
            answer = b"too_large"
        assert b"too_large" in answer
    with job.link() as link:
        assert link.ask_screen()["rows"] == 24
    for peer in peers:
        peer.close()


def test_a_swept_socket_is_made_again_on_demand(hosts: Hosts) -> None:
    job = hosts.start(["cat"])
    with job.link() as old:
        path = Path(job.spec.socket)
        path.unlink()
        path.parent.rmdir()
        os.kill(job.pid, signal.SIGUSR1)
        eventually(path.exists)
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700
        assert old.ask_screen()["rows"] == 24, "who was connected stays"
    with job.link() as new:
        assert new.ask_screen()["rows"] == 24


def test_no_secret_lies_on_the_disk(hosts: Hosts) -> None:
    job = hosts.start(["true"], environ={"SECRET": "s3cret-value"})
    job.gone()
    for path in job.directory.iterdir():
        assert b"s3cret-value" not in path.read_bytes()
        assert path.stat().st_mode & 0o777 == 0o600


def test_another_user_is_refused(hosts: Hosts) -> None:
    needs("root")
    job = hosts.start(["cat"])
    path = Path(job.spec.socket)
    path.chmod(0o666)
    for folder in [folder for folder in path.parents if folder.parent != folder and str(folder) != "/tmp"]:
        folder.chmod(0o755)
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setuid(65534)
            with connect(job.spec) as peer:
                os.write(write, peer.recv(1000))
        finally:
            os._exit(0)
    os.close(write)
    with open(read, "rb") as answer:
        assert json.loads(answer.read())["code"] == "unauthorized"
    os.waitpid(pid, 0)


def test_an_idle_host_never_wakes(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "echo ready; exec sleep 1000"])
    other = hosts.start(["sh", "-c", "sleep 1.5"])
    with job.link() as link:
        link.expect_state("quiet")

    def wakes() -> int:
        with open(f"/proc/{job.pid}/status") as status:
            return sum(int(line.split()[1]) for line in status if line.startswith("voluntary"))

    steady(wakes)
    before = wakes()
    other.gone()
    assert wakes() == before


def steady(value: Callable[[], int]) -> None:
    """Waits until two looks in a row give the same."""
    before = -1

    def same() -> bool:
        nonlocal before
        now, last = value(), before
        before = now
        return now == last

    eventually(same)


def test_typing_uses_the_profiles_submit(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", RAW], typing=Typing(submit="\x1b\r", delay=0.01))
    with job.link() as link:
        link.expect_screen("ready")
        link.send(TypeText("a", "text"))
        link.expect_screen("readytext^[^M")


def test_a_reply_with_nobody_attached_brings_the_focus_and_takes_it_away_again(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "stty raw -echo; printf '\\033[?1004h'; printf ready; exec cat -v"])
    with job.link() as link:
        link.expect_screen("ready^[[O")
        link.send(TypeText("a", "hi"))
        link.expect_screen("ready^[[O^[[Ihi^M^[[O")


def test_a_very_large_environment_arrives(hosts: Hosts) -> None:
    environ = {f"V{number}": "é" * 30_000 for number in range(16)}
    job = hosts.start(["sh", "-c", "echo ${#V15}"], environ={**environ, "LC_ALL": "C"})
    assert job.last_screen().lines[0] == "60000"


def test_a_daemon_that_does_not_read_is_cut_off_and_costs_no_memory_for_ever(hosts: Hosts) -> None:
    job = hosts.start(["cat"])
    with job.link() as deaf:
        question = b'{"type":"ask_screen","id":1,"ansi":false,"lines":0}\n' * 1000
        deaf.socket.settimeout(DEADLINE)

        def cut() -> bool:
            try:
                deaf.socket.sendall(question)
            except (BrokenPipeError, ConnectionResetError):
                return True
            return False

        eventually(cut)
    with job.link() as link:
        assert link.ask_screen()["rows"] == 24


def test_what_stands_in_an_unfinished_frame_is_not_seen(hosts: Hosts) -> None:
    frame = "printf '\\033[?2026hRun? [y/n]'; sleep 0.15; printf '\\r\\033[K\\033[?2026ldone'"
    job = hosts.start(["sh", "-c", f"echo first; sleep 0.2; {frame}; exec cat"], detection=Detection(waiting=[r"\[y/n\]"], settle=0.5))
    with job.link() as link:
        link.expect_screen("done")
        link.expect_state("quiet")
        assert "waiting" not in [status.state for status in link.statuses()]


def test_a_frame_that_never_closes_is_looked_at_all_the_same(hosts: Hosts) -> None:
    job = hosts.start(["sh", "-c", "printf '\\033[?2026hRun? [y/n]'; exec cat"], detection=Detection(waiting=[r"\[y/n\]"]))
    with job.link() as link:
        link.expect_state("waiting")

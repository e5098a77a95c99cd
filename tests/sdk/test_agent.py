"""The face for threads, at a door that the test holds."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from roost_agent import Agent, AgentError
from tests.sdk.door import TOKEN, Door, Taken, opened
from tests.support import processes
from tests.support.waiting import DEADLINE, eventually


def started(door: Door, **more: Any) -> Agent:
    return Agent.from_env(name="test", version="1.2", nested=True, environ=dict(door.environ), **more)


def test_hello_reports_and_bye(door: Door) -> None:
    agent = started(door)
    peer = door.take()
    hello = peer.greet()
    assert hello.pop("epoch")
    assert hello == {
        "type": "hello",
        "protocol": 1,
        "job": door.environ["ROOST_JOB_ID"],
        "token": TOKEN,
        "agent": {"name": "test", "version": "1.2"},
        "capabilities": ["report", "replies"],
    }
    agent.report("working", status="s", model="m", usage={"tokens": 3}, context={"used": 0.5}, links=["l"], ext={"x": [1]}, session_ref="r")
    lasting = {"model": "m", "usage": {"tokens": 3}, "context": {"used": 0.5}, "links": ["l"], "ext": {"x": [1]}, "session_ref": "r"}
    assert peer.acked() == {"type": "report", "seq": 1, "state": "working", "status": "s", **lasting}
    agent.waiting("login", "Who?", [("a", "Ann")])
    asked = {"waiting_for": "login", "question": "Who?", "choices": [{"id": "a", "label": "Ann"}]}
    assert peer.acked() == {"type": "report", "seq": 2, "state": "waiting", **asked, **lasting}
    agent.report("idle", summary="done", model="", usage={}, context={}, links=[], ext={}, session_ref="")
    assert peer.acked() == {"type": "report", "seq": 3, "state": "idle", "summary": "done"}
    with ThreadPoolExecutor(1) as pool:
        closing = pool.submit(agent.close)
        peer.expect(type="bye")
        assert peer.receive() is None
        peer.close()
        closing.result(DEADLINE)
    agent.close()
    agent.working()


def test_ask_gives_the_choice_and_works_again(door: Door) -> None:
    agent = started(door)
    peer = door.take()
    peer.greet()
    agent.working("building")
    peer.acked(status="building")
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(agent.ask, "Deploy?", ["yes", "no"])
        peer.acked(state="waiting", question="Deploy?", waiting_for="choice")
        peer.reply(1, "Y")
        assert asking.result(DEADLINE) == "yes"
    after = [peer.expect(), peer.expect()]
    assert {message["type"] for message in after} == {"report", "ack"}
    (report,) = [message for message in after if message["type"] == "report"]
    assert (report["state"], report["status"]) == ("working", "building")
    agent.close(0)


def test_what_was_sent_before_the_question_is_no_answer_to_it(door: Door) -> None:
    agent = started(door)
    peer = door.take()
    peer.greet()
    peer.reply(1, "yes")
    peer.reply(2, "stop it", kind="stop")
    eventually(lambda: len(agent._queue) == 2)
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(agent.ask, "Delete everything?", ["yes", "no"])
        peer.acked(state="waiting")
        peer.reply(3, "steer", kind="steer")
        peer.reply(4, "n")
        assert asking.result(DEADLINE) == "no"
    assert [reply.text for reply in agent.replies(timeout=0)] == ["yes", "stop it", "steer"]
    acks: list[int] = []
    while not acks or acks[-1] < 4:
        message = peer.expect()
        acks += [message["reply"]] if message["type"] == "ack" else []
    assert acks == sorted(acks)
    agent.close(0)


def test_time_is_over(door: Door) -> None:
    agent = started(door)
    peer = door.take()
    peer.greet()
    assert agent.ask("Well?", timeout=0.05) is None
    assert agent.ask("Well?", timeout=0, default="no") == "no"
    assert list(agent.replies(timeout=0.01)) == []
    eventually(lambda: peer.acked()["state"] == "working")
    agent.close(0)


def test_a_reply_is_acked_when_the_loop_goes_on_or_ends(door: Door) -> None:
    agent = started(door)
    peer = door.take()
    peer.greet()
    peer.reply(1, "one")
    peer.reply(2, "two")
    peer.reply(3, "three")
    for reply in agent.replies():
        assert door_is_silent(peer) == (reply.n != 2)
        if reply.n == 2:
            break
    peer.expect(type="ack", reply=2)

    def work() -> None:
        for reply in agent.replies():
            raise ArithmeticError(reply.n)

    with pytest.raises(ArithmeticError, match="3"):
        work()
    peer.expect(type="ack", reply=3)
    agent.close(0)


def door_is_silent(peer: Taken) -> bool:
    """Whether nothing but what the first ack was has come; takes that."""
    peer.socket.setblocking(False)
    try:
        return eventually(lambda: received(peer), within=0.2) == b""
    except AssertionError:
        return True
    finally:
        peer.socket.settimeout(DEADLINE)


def received(peer: Taken) -> bytes:
    try:
        return peer.socket.recv(100)
    except BlockingIOError:
        return b""


def test_it_comes_again_to_another_daemon_and_says_it_again(run_dir: Path, door: Door) -> None:
    agent = started(door)
    peer = door.take()
    epoch = peer.greet()["epoch"]
    peer.reply(1, "had")
    replies = agent.replies()
    assert next(replies).n == 1
    agent.working("unacked")
    peer.expect(type="report", seq=1)
    door.shut()
    agent.working("newer")
    door.path.unlink()
    with opened(door.path) as other:
        peer = other.take()
        assert peer.greet(last_seq=1)["epoch"] == epoch
        peer.acked(seq=2, status="newer")
        peer.reply(1, "had")
        peer.reply(2, "new")
        assert next(replies).n == 2
        peer.expect(type="ack", reply=1)
        agent.close(0)


def test_a_line_that_was_cut_in_its_middle_is_sent_whole_again(door: Door) -> None:
    agent = started(door)
    peer = door.take()
    peer.greet()
    agent.report("working", ext={"x": "y" * 600_000})
    assert len(peer.socket.recv(1000)) == 1000
    peer.close()
    peer = door.take()
    peer.greet()
    assert len(peer.acked(seq=1)["ext"]["x"]) == 600_000
    agent.close(0)


def test_a_daemon_that_never_reads_blocks_nothing(door: Door) -> None:
    agent = started(door)
    peer = door.take()
    peer.greet()
    begun = time.monotonic()
    for number in range(300):
        agent.report("working", status=str(number), ext={"x": "y" * 100_000})
    assert len(agent._posted) < 300
    agent.idle()
    assert agent.ask("Well?", timeout=0, default="-") == "-"
    agent.close()
    assert time.monotonic() - begun < DEADLINE
    assert not agent._thread.is_alive()


def test_superseded_is_the_end(door: Door) -> None:
    agent = started(door)
    peer = door.take()
    peer.greet()
    with ThreadPoolExecutor(2) as pool:
        asking = pool.submit(agent.ask, "Well?")
        looping = pool.submit(lambda: list(agent.replies()))
        peer.acked(state="waiting")
        peer.send({"type": "error", "code": "superseded", "message": "a newer connection speaks for this job"})
        assert asking.result(DEADLINE) is None
        assert looping.result(DEADLINE) == []
    while peer.receive() is not None:
        pass
    with pytest.raises(TimeoutError):
        door.take(within=0.3)
    assert not agent.speaks
    agent.working()
    agent.close()


def test_strict_raises_what_was_refused_and_what_cannot_be_sent(door: Door) -> None:
    agent = started(door, strict=True)
    peer = door.take()
    peer.greet()
    with pytest.raises(ValueError, match="state"):
        agent.report("dancing")
    with pytest.raises(ValueError, match="usage"):
        agent.report("idle", usage={"x": object()})
    with pytest.raises(ValueError, match="choice"):
        agent.ask("?", choices=[("a", "b", "c")])
    agent.idle()
    peer.expect(type="report", seq=1)
    peer.send({"type": "error", "code": "bad_request", "message": "no", "re": 1})
    eventually(lambda: agent._core.refusals)
    with pytest.raises(AgentError, match="bad_request: no"):
        agent.idle()
    agent.close(0)


def test_strict_forgets_what_found_no_room(door: Door) -> None:
    agent = started(door, strict=True)
    with pytest.raises(ValueError, match="longer than 1 MiB"):
        agent.report("working", ext={"much": "x" * 2**20}, model="m1")
    agent.working("goes on")
    peer = door.take()
    peer.greet()
    told = peer.expect(type="report")
    assert (told["status"], told.get("ext"), told.get("model")) == ("goes on", None, None)
    agent.close(0)


def test_otherwise_what_cannot_be_sent_is_left_out(door: Door) -> None:
    agent = started(door)
    peer = door.take()
    peer.greet()
    agent.report("dancing")
    agent.report("waiting", waiting_for="tea", question="Now?", usage={"x": object()}, links=7, ext={"y": 1})  # type: ignore[arg-type]
    assert peer.acked() == {"type": "report", "seq": 1, "state": "waiting", "question": "Now?", "ext": {"y": 1}}
    agent.close(0)


def test_a_daemon_that_grants_no_replies_is_not_waited_for(door: Door) -> None:
    agent = started(door)
    door.take().greet(granted=["report"])
    assert agent.ask("Well?", default="-") == "-"
    assert list(agent.replies()) == []
    agent.close(0)


def test_the_token_is_in_no_repr_and_no_error(door: Door) -> None:
    agent = started(door)
    door.take().greet()
    shown = repr(agent) + repr(vars(agent)) + repr(vars(agent._core)) + repr(vars(agent._wire))
    assert TOKEN not in shown
    agent.close(0)


def test_a_signal_handler_may_report_and_sigpipe_kills_nobody(door: Door) -> None:
    script = (
        "import os, signal, roost_agent\n"
        "signal.signal(signal.SIGPIPE, signal.SIG_DFL)\n"
        "agent = roost_agent.Agent.from_env(name='t', nested=True)\n"
        "signal.signal(signal.SIGUSR1, lambda *_: agent.idle('from a handler'))\n"
        "print(flush=True)\n"
        "print([reply.text for reply in agent.replies()])\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], env={**os.environ, **door.environ}, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        peer = door.take()
        peer.greet()
        process.send_signal(signal.SIGUSR1)
        peer.acked(summary="from a handler")
        peer.socket.shutdown(socket.SHUT_RDWR)
        peer = door.take()
        peer.greet(last_seq=1)
        peer.reply(1, "bye")
        peer.send({"type": "error", "code": "unauthorized", "message": "it has ended"})
        assert process.stdout.read() == b"['bye']\n"
    assert process.returncode == 0


@pytest.mark.parametrize("face", ["Agent", "AsyncAgent"])
def test_a_fork_keeps_no_connection_of_an_agent_that_died(door: Door, face: str) -> None:
    script = (
        "import asyncio, os, roost_agent, time\n"
        f"agent = roost_agent.{face}.from_env(name='t', nested=True)\n"
        "def forked():\n"
        "    if os.fork():\n"
        "        os.kill(os.getpid(), 9)\n"
        "    agent.idle('not said')\n"
        "    print(agent.speaks, flush=True)\n"
        "    time.sleep(600)\n"
        "async def main():\n"
        "    agent.working('here')\n"
        "    while agent._core.granted is None or not agent._core._settled:\n"
        "        await asyncio.sleep(0.01)\n"
        "    forked()\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], env={**os.environ, **door.environ}, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        peer = door.take()
        peer.greet()
        peer.acked(status="here")
        assert peer.receive() is None
        assert process.stdout.readline() == b"False\n"
        assert process.wait() == -signal.SIGKILL
        processes.end(processes.with_environ("ROOST_SOCKET", str(door.path)))


def test_many_threads_report_and_one_order_goes_out(door: Door) -> None:
    agent = started(door)
    peer = door.take()
    peer.greet()

    def work() -> None:
        for _ in range(200):
            agent.working("x")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    agent.idle("last")
    told = [peer.acked()]
    while told[-1]["state"] != "idle":
        told.append(peer.acked())
    assert [report["seq"] for report in told] == list(range(1, len(told) + 1))
    agent.close(0)


def test_another_object_of_the_process_is_not_given_what_the_first_had(door: Door) -> None:
    first = started(door)
    peer = door.take()
    peer.greet()
    peer.reply(1, "one")
    held = first.replies()
    assert next(held).n == 1
    first.close(0)
    second = started(door)
    peer = door.take()
    peer.greet()
    peer.reply(1, "one")
    peer.reply(2, "two")
    assert next(second.replies()).n == 2
    second.close(0)

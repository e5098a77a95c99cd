"""The face for asyncio, at a door that the test holds. The door's side runs in a thread."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from roost_agent import AsyncAgent
from tests.sdk.door import Door, Taken, opened
from tests.support.waiting import DEADLINE, eventually_async

T = TypeVar("T")


def started(door: Door, **more: Any) -> AsyncAgent:
    return AsyncAgent.from_env(name="test", nested=True, environ=dict(door.environ), **more)


async def there(call: Callable[[], T]) -> T:
    """Does this at the door while the loop goes on."""
    return await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(None, call), DEADLINE)


def greeted(door: Door) -> Taken:
    peer = door.take()
    peer.greet()
    return peer


async def test_reports_ask_and_bye(door: Door) -> None:
    async with started(door) as agent:
        peer = await there(lambda: greeted(door))
        agent.working("building")
        await there(lambda: peer.acked(state="working", status="building"))
        asking = asyncio.create_task(agent.ask("Deploy?", [("y", "Yes"), ("n", "No")]))
        await there(lambda: peer.acked(state="waiting", choices=[{"id": "y", "label": "Yes"}, {"id": "n", "label": "No"}]))
        peer.reply(1, "2")
        assert await asyncio.wait_for(asking, DEADLINE) == "n"
        agent.idle("over")
        closing = asyncio.create_task(agent.close(DEADLINE))

        def ended() -> list[str]:
            kinds = []
            while (message := peer.receive()) is not None:
                kinds.append(message["type"])
                if message["type"] == "report":
                    peer.send({"type": "ack", "seq": message["seq"]})
            peer.close()
            return kinds

        kinds = await there(ended)
        assert kinds[-1] == "bye"
        assert set(kinds) == {"ack", "report", "bye"}
        await closing
    assert not agent.speaks


async def test_a_loop_that_is_left_has_finished_its_reply(door: Door) -> None:
    agent = started(door)
    peer = await there(lambda: greeted(door))
    peer.reply(1, "one")
    peer.reply(2, "two")
    async for reply in agent.replies():
        assert reply.n == 1
        break
    await there(lambda: peer.expect(type="ack", reply=1))
    async for reply in agent.replies(timeout=0.05):
        assert reply.n == 2
    await there(lambda: peer.expect(type="ack", reply=2))
    await agent.close(0)


async def test_a_cancelled_question_is_taken_back(door: Door) -> None:
    agent = started(door)
    peer = await there(lambda: greeted(door))
    asking = asyncio.create_task(agent.ask("Well?"))
    await there(lambda: peer.acked(state="waiting"))
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await there(lambda: peer.acked(state="working"))
    assert await agent.ask("Well?", timeout=0.05) is None
    await agent.close(0)


async def test_it_comes_again_though_the_next_connection_has_the_same_descriptor(door: Door) -> None:
    agent = started(door)
    for seq in range(1, 6):
        peer = await there(door.take)
        await there(lambda peer=peer, seq=seq: peer.greet(last_seq=seq - 1))  # type: ignore[misc]
        agent.working(str(seq))
        await there(lambda peer=peer, seq=seq: peer.acked(seq=seq, status=str(seq)))  # type: ignore[misc]
        peer.close()
    await there(door.take)
    door.shut()
    agent.idle()
    door.path.unlink()
    with opened(door.path) as other:
        peer = await there(lambda: greeted(other))
        await there(lambda: peer.acked(seq=6, state="idle"))
        await agent.close(0)


async def test_a_daemon_that_never_reads_blocks_nothing(door: Door) -> None:
    agent = started(door)
    await there(lambda: greeted(door))
    for number in range(100):
        agent.report("working", status=str(number), ext={"x": "y" * 100_000})
        await asyncio.sleep(0)
    assert not agent._posted
    await agent.close()
    assert not agent.speaks


async def test_superseded_is_the_end(door: Door) -> None:
    agent = started(door)
    peer = await there(lambda: greeted(door))
    asking = asyncio.create_task(agent.ask("Well?", default="-"))
    await there(lambda: peer.acked(state="waiting"))
    peer.send({"type": "error", "code": "superseded", "message": "no"})
    assert await asyncio.wait_for(asking, DEADLINE) == "-"
    await eventually_async(lambda: not agent.speaks)
    assert [reply async for reply in agent.replies()] == []
    await agent.close()


async def test_outside_roost_nothing_happens() -> None:
    async with AsyncAgent.from_env(name="test", environ={}) as agent:
        agent.working("x")
        assert await agent.ask("Well?", default="-") == "-"
        assert [reply async for reply in agent.replies()] == []
        assert not agent.speaks


def test_what_was_said_last_goes_out_at_the_interpreters_exit(door: Door) -> None:
    script = (
        "import asyncio, roost_agent\n"
        "async def main():\n"
        "    agent = roost_agent.AsyncAgent.from_env(name='t', nested=True)\n"
        "    agent.idle('over')\n"
        "    globals()['kept'] = agent\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], env=door.environ) as process:
        peer = greeted(door)
        peer.acked(summary="over")
        peer.expect(type="bye")
        peer.close()
    assert process.returncode == 0


def test_one_object_goes_on_in_another_loop(door: Door) -> None:
    agent = started(door)
    agent.working("before any loop")

    async def first() -> None:
        agent.working("first")
        peer = await there(lambda: greeted(door))
        await there(lambda: peer.acked(status="first"))

    async def second() -> None:
        agent.working("second")
        await there(lambda: door._taken[0].acked(status="second"))
        await agent.close(0)

    asyncio.run(first())
    asyncio.run(second())


def test_sigpipe_kills_nobody(door: Door) -> None:
    script = (
        "import asyncio, signal, sys, roost_agent\n"
        "signal.signal(signal.SIGPIPE, signal.SIG_DFL)\n"
        "async def main():\n"
        "    agent = roost_agent.AsyncAgent.from_env(name='t', nested=True)\n"
        "    await agent.ask('Gone?')\n"
        "    print(flush=True)\n"
        "    sys.stdin.read()\n"
        "    agent.idle('into the void')\n"
        "    await agent.close(9)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], env=door.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        peer = door.take()
        peer.greet()
        peer.acked(state="waiting")
        peer.reply(1, "soon")
        # Its loop stands still now: it finds out that the door has closed when it writes.
        process.stdout.readline()
        peer.close()
        process.stdin.close()
        peer = door.take()
        peer.greet()
        peer.expect(type="ack", reply=1)
        peer.acked(summary="into the void")
        peer.expect(type="bye")
        peer.close()
    assert process.returncode == 0

from __future__ import annotations

import anyio
import pytest

from roost_protocol.errors import RoostError
from roostd.jobs.operations import Operations


class Work:
    """Something that is done when it is let go on, and counts how often it was begun."""

    def __init__(self, error: Exception | None = None) -> None:
        self.begun = 0
        self.done = 0
        self.go_on = anyio.Event()
        self._error = error

    async def __call__(self) -> int:
        self.begun += 1
        await self.go_on.wait()
        if self._error is not None:
            raise self._error
        self.done += 1
        return self.begun


async def test_the_same_request_is_carried_out_once() -> None:
    work, answers = Work(), []

    async with anyio.create_task_group() as tasks:
        operations = Operations(tasks)

        async def ask() -> None:
            answers.append(await operations.run("job.run", "r1", work))

        tasks.start_soon(ask)
        tasks.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        work.go_on.set()
    assert (work.begun, answers) == (1, [1, 1])


async def test_without_an_id_each_is_its_own() -> None:
    work = Work()
    work.go_on.set()
    async with anyio.create_task_group() as tasks:
        operations = Operations(tasks)
        assert [await operations.run("job.run", None, work) for _ in range(2)] == [1, 2]
        assert [await operations.run("job.run", "r", work) for _ in range(2)] == [3, 4]


async def test_an_id_of_another_verb_is_refused() -> None:
    work = Work()
    async with anyio.create_task_group() as tasks:
        operations = Operations(tasks)
        tasks.start_soon(operations.run, "job.run", "r1", work)
        await anyio.wait_all_tasks_blocked()
        with pytest.raises(RoostError, match=r"was used for job\.run"):
            await operations.run("job.stop", "r1", work)
        work.go_on.set()
    assert work.begun == 1


async def test_who_leaves_does_not_end_it() -> None:
    work = Work()
    async with anyio.create_task_group() as tasks:
        operations = Operations(tasks)
        with anyio.move_on_after(0) as left:
            await operations.run("job.run", "r1", work)
        assert left.cancelled_caught
        await anyio.wait_all_tasks_blocked()
        work.go_on.set()
    assert work.done == 1


async def test_a_refusal_and_a_fault_reach_who_asked_and_nobody_else() -> None:
    refused, faulty = Work(RoostError("full", "no room")), Work(ZeroDivisionError("oops"))
    refused.go_on.set()
    faulty.go_on.set()
    async with anyio.create_task_group() as tasks:
        operations = Operations(tasks)
        with pytest.raises(RoostError, match="no room"):
            await operations.run("job.run", "r1", refused)
        with pytest.raises(RoostError, match=r"job\.stop failed: ZeroDivisionError") as caught:
            await operations.run("job.stop", "r2", faulty)
    assert caught.value.code == "internal"

import os
from pathlib import Path

from roostd.notify.children import run
from tests.support import processes
from tests.support.waiting import eventually_async

ENVIRON = dict(os.environ)


async def test_a_program_is_given_what_is_said(tmp_path: Path) -> None:
    assert await run(["sh", "-c", 'exec cat > "$0"', str(tmp_path / "said")], b"hello", ENVIRON) is None
    assert (tmp_path / "said").read_bytes() == b"hello"


async def test_who_does_not_read_is_no_failure() -> None:
    assert await run(["true"], b"x" * 1_000_000, ENVIRON) is None


async def test_why_it_failed_is_said() -> None:
    assert await run(["/nonexistent/program"], b"", ENVIRON) == "it cannot be run: No such file or directory"
    assert await run(["sh", "-c", "exit 3"], b"", ENVIRON) == "it exited with 3"
    assert await run(["sh", "-c", "kill -9 $$"], b"", ENVIRON) == "it was ended by SIGKILL"


async def test_what_hangs_is_killed_with_its_children(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    assert (
        await run(["sh", "-c", f"sleep 600 & echo $! > {file}; wait"], b"", ENVIRON, within=0.5)
        == "it took longer than 0.5 s and was killed"
    )
    await eventually_async(lambda: not processes.alive(int(file.read_text())), "the end of its child")

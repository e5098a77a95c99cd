"""The scripted model in a network namespace that has nothing but it: no agent reaches anything else, whatever it tries."""

import json
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.support.waiting import eventually


@dataclass(frozen=True, slots=True)
class Truth:
    """One line of the model's log: what it did, and when (Unix seconds)."""

    event: str
    at: float
    told: dict[str, Any]


class ScriptedModel:
    """`with ScriptedModel(...) as model:` serves on 127.0.0.1:`port` of its own namespace, which ends with it.

    `inside` is the argv prefix that runs a command in that namespace.
    """

    def __init__(self, python: Path, script: Path, folder: Path, *, cwd: Path, options: Sequence[str] = ()) -> None:
        self._log = folder / "truth.jsonl"
        portfile = folder / "port"
        serve = [str(python), str(script), "--truth", str(self._log), "--portfile", str(portfile), *options]
        self._process = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *serve],
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SCRIPTED_CWD": str(cwd), "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        try:
            eventually(portfile.exists, "the scripted model's port")
        except AssertionError:
            self.__exit__(None, None, None)
            raise
        self.port = int(portfile.read_text())

    def __enter__(self) -> "ScriptedModel":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()

    @property
    def inside(self) -> Sequence[str]:
        return ["nsenter", f"--net=/proc/{self._process.pid}/ns/net", "--"]

    def truth(self) -> list[Truth]:
        """The log so far, in order; side requests (titles, summaries) left out."""
        # The log has the monotonic clock, which the whole machine shares; jobs have the wall clock.
        offset = time.time() - time.monotonic()
        lines = self._log.read_text().splitlines(keepends=True) if self._log.exists() else []
        records = [json.loads(line) for line in lines if line.endswith("\n")]
        aside = {record.get("rid") for record in records if record.get("side")}
        return [Truth(record["ev"], record["mono"] + offset, record) for record in records if record.get("rid") not in aside]

    def wait_for(self, event: str, count: int = 1, within: float = 60) -> Truth:
        """Waits until the model has done `event` for the `count`th time."""

        def happened() -> Truth | None:
            found = [truth for truth in self.truth() if truth.event == event]
            return found[count - 1] if len(found) >= count else None

        found = eventually(happened, f"{event} of the scripted model", within)
        assert found
        return found

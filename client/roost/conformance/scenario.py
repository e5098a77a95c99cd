"""Scenarios as data: their steps, and where they are read from.

Values in a step may name others: `"$name"` is what an earlier step kept under that name (`$job` is always there), `$i` the number of the
repetition. `{"$pad": n}` is a text of n characters, `{"$deep": n}` objects nested n deep, `{"$repeat": n, "of": x}` a list.
`patterns` has what may stand in a pattern.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Literal

import msgspec

Json = dict[str, Any]
Environment = Literal["roost", "pi", "outside", "nested"]
Automatic = Literal["hello", "acks"]


class Step(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, tag_field="step", tag=str.lower):
    """One thing that the kit does, or waits for."""


class Drive(Step):
    """A command to the driver, and what its answer must look like. Without a wait, `Answered` waits for it. With `finish`, what was
    taken is finished at once. It may be repeated, `$i` counting from `first`."""

    say: Json
    answer: Json = msgspec.field(default_factory=lambda: {"ok": True})
    times: int = 1
    first: int = 1
    wait: bool = True
    finish: bool = False


class Answered(Step):
    """Waits for the answer of a command that was given without waiting."""

    answer: Json


class Expect(Step):
    """Passes over the client's lines until one fits; keeps fields of it under names."""

    line: Json
    keep: dict[str, str] = {}
    within: float | None = None


class Never(Step):
    """No line that fits is there behind the last one expected, nor comes within the time (seconds)."""

    line: Json
    during: float = 0.3


class Alone(Step):
    """No connection has been made since the last line was awaited or sent, or a connection cut, nor is within the time (seconds)."""

    during: float = 0.6


class Send(Step):
    """Bytes to the client: lines, then text as it is (`times` times), then bytes in hex, then a byte many times. In pieces of `chunk` bytes
    if said."""

    lines: list[Json] = []
    text: str = ""
    hex: str = ""
    fill: int = 0
    chunk: int | None = None
    times: int = 1


class Reply(Step):
    """A reply with the next number: sent to who takes replies, and again on each connection until it is acked. `re` is the report that it
    is about; else the last one there was."""

    text: Any
    kind: str = "reply"
    times: int = 1
    re: int | None = None


class Numbering(Step):
    """The next reply has this number."""

    next: int


class Hold(Step):
    """The daemon does not answer hello, or does not ack reports (and does not keep them), by itself from now on."""

    what: list[Automatic]


class Release(Step):
    """It does so again. A hello that waits is answered now; a report that waits is not acked."""

    what: list[Automatic]


class Remember(Step):
    """The daemon's last number of the client's epoch is this."""

    last_seq: int


class Cut(Step):
    """Ends the connection, with `text` of an unended line before it; or, `if_open`, the one that was last sent to, if it is still there."""

    text: str = ""
    if_open: bool = False


class Pause(Step):
    """The daemon does not read any more."""


class Resume(Step):
    """The daemon reads again."""


class Away(Step):
    """The daemon is gone, its socket too, and all connections."""


class Back(Step):
    """There is a daemon again, which knows what the one before had kept."""


class Refuse(Step):
    """For so many seconds every connection is cut at once, behind the answer to hello, or at the first report; no more than `most` come
    within any second."""

    at: Literal["connection", "hello", "report"]
    during: float = 2.0
    most: int = 10
    lines: list[Json] = []


class Restart(Step):
    """The driver's process is killed, and another one started."""


AnyStep = (
    Drive
    | Answered
    | Expect
    | Never
    | Alone
    | Send
    | Reply
    | Numbering
    | Hold
    | Release
    | Remember
    | Cut
    | Pause
    | Resume
    | Away
    | Back
    | Refuse
    | Restart
)


class Scenario(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`rule` is one sentence: what a client must do. `steps` are taken in order, each with a time limit."""

    name: str
    title: str
    rule: str
    steps: list[AnyStep]
    environment: Environment = "roost"


def load() -> list[Scenario]:
    """All scenarios, by file and in the file's order."""
    folder = files("roost.conformance") / "scenarios"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda file: file.name)
    return [scenario for file in found for scenario in msgspec.json.decode(file.read_bytes(), type=list[Scenario])]

"""Lines and records as this release writes them: they must load for ever, with fields that a later release adds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from roost_protocol import agent, host, jobs, operator

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden" / "lines.json").read_text())

TYPES: dict[str, Any] = {
    "agent": agent.AgentMessage,
    "daemon": agent.DaemonMessage,
    "operator.hello": operator.Hello,
    "operator.request": operator.Request,
    "operator.failure": operator.Failure,
    "operator.event": operator.Event,
    "job": jobs.Job,
    "host": host.LinkToHost | host.HostToLink | host.Link | host.AttachHello | host.Attached | host.HostRefusal,
    "terminal.lend": host.Lend,
    "spawner": host.SpawnerMessage,
    "disk.host": host.HostRecord,
    "disk.exit": host.ExitRecord,
    "disk.daemon": operator.DaemonRecord,
}

AGENT_CODES = ("unauthorized", "bad_request", "not_found", "full", "unsupported", "superseded", "too_large")
"""What the agents' door may answer: `not_found` and `full` from the store, the others from the door itself."""

DOOR = Path(__file__).parents[2] / "roostd" / "server" / "agents.py"

UNIONS = (agent.AgentMessage, agent.DaemonMessage, host.LinkToHost, host.HostToLink, host.SpawnerMessage)


def kind_of(name: str) -> Any:
    """The longest prefix of the name that has a type. Host messages share tags in both directions, so they are taken one by one."""
    return TYPES.get(name) or TYPES[name.split(".")[0]]


def members(union: Any) -> list[type[msgspec.Struct]]:
    return list(getattr(union, "__args__", (union,)))


def decode(name: str, line: bytes) -> msgspec.Struct:
    tag = json.loads(line).get("type")
    kinds = [
        kind for kind in members(kind_of(name)) if tag is None or kind.__struct_config__.tag == tag or kind.__struct_config__.tag is None
    ]
    assert len(kinds) == 1, f"{name}: {kinds}"
    value = msgspec.json.decode(line, type=kinds[0])
    assert isinstance(value, msgspec.Struct)
    return value


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_line_loads_and_is_written_the_same(name: str) -> None:
    value = decode(name, json.dumps(GOLDEN[name]).encode())
    assert json.loads(msgspec.json.encode(value)) == GOLDEN[name]


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_line_loads_with_unknown_fields(name: str) -> None:
    grown = {**GOLDEN[name], "a_field_of_tomorrow": {"x": [1]}}
    assert decode(name, json.dumps(grown).encode()) == decode(name, json.dumps(GOLDEN[name]).encode())


@pytest.mark.parametrize("union", UNIONS, ids=str)
def test_every_message_has_a_golden_line(union: Any) -> None:
    tags = {(value.get("type"), frozenset(value)) for value in GOLDEN.values()}
    for kind in members(union):
        fields = frozenset(kind.__struct_encode_fields__) | {"type"}
        assert (kind.__struct_config__.tag, fields) in tags, f"{kind.__name__} has no golden line with all its fields"


@pytest.mark.parametrize("code", AGENT_CODES)
def test_every_code_of_the_agents_door_has_a_golden_line(code: str) -> None:
    assert code in {value.get("code") for name, value in GOLDEN.items() if name.startswith("daemon.error")}


def test_no_code_is_given_at_the_agents_door_but_these() -> None:
    given = set(re.findall(r'(?:AgentError|RoostError|_error)\("(\w+)"', DOOR.read_text(encoding="utf-8")))
    assert given
    assert given <= set(AGENT_CODES)


def test_what_carries_secrets_does_not_show_them() -> None:
    caller = operator.Caller(environ={"API_KEY": "hunter2"})
    run = operator.JobRun(caller=caller, cwd="/")
    spec = host.HostSpec(job="j", dir="/d", socket="/s", argv=["x"], environ={"API_KEY": "hunter2"}, cwd="/")
    hello = agent.AgentHello(job="j", token="hunter2", epoch="e")
    assert "hunter2" not in repr((caller, run, spec, host.Spawn(spec), hello))

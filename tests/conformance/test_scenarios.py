"""The scenarios as data: all of version 1 stands in them, and they can be read by a person."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from roost.conformance import scenario as steps
from roost.conformance.driver import NAMES
from roost.conformance.scenario import Scenario
from roost_protocol import agent as wire
from roost_protocol.codes import Code
from tests.conformance.playing import SCENARIOS

Json = dict[str, Any]


def said_by_clients() -> Iterator[Json]:
    for scenario in SCENARIOS.values():
        for step in scenario.steps:
            if isinstance(step, steps.Expect):
                yield step.line


def said_by_daemons() -> Iterator[Json]:
    for scenario in SCENARIOS.values():
        for step in scenario.steps:
            if isinstance(step, steps.Send | steps.Refuse):
                yield from step.lines


def fields_of(lines: Iterator[Json]) -> dict[Any, set[str]]:
    found: dict[Any, set[str]] = defaultdict(set)
    for line in lines:
        found[line.get("type")] |= set(line)
    return found


@pytest.mark.parametrize(("union", "lines"), [(wire.AgentMessage, said_by_clients), (wire.DaemonMessage, said_by_daemons)])
def test_every_message_and_field_is_in_a_scenario(union: Any, lines: Any) -> None:
    found = fields_of(lines())
    for kind in get_args(union):
        missing = set(kind.__struct_encode_fields__) - found[kind.__struct_config__.tag]
        assert missing == set(), kind.__name__


def test_every_code_is_in_a_scenario() -> None:
    codes = {line.get("code") for line in said_by_daemons()}
    assert set(get_args(Code)) - codes == set()


def test_every_kind_of_reply_is_in_a_scenario() -> None:
    kinds = {step.kind for scenario in SCENARIOS.values() for step in scenario.steps if isinstance(step, steps.Reply)}
    assert kinds == set(get_args(msgspec.structs.fields(wire.Reply)[1].type))


def test_every_step_is_used() -> None:
    used = {type(step) for scenario in SCENARIOS.values() for step in scenario.steps}
    assert used == set(get_args(steps.AnyStep))


def test_a_name_is_one_scenarios() -> None:
    assert [name for name, count in Counter(scenario.name for scenario in steps.load()).items() if count > 1] == []


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=lambda scenario: scenario.name)
def test_a_scenario_says_what_it_is_about(scenario: Scenario) -> None:
    assert scenario.rule.endswith(".")
    assert scenario.title
    assert not scenario.title.endswith(".")


def test_what_a_scenario_does_not_know_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.json.decode(b'{"name":"n","title":"t","rule":"r","steps":[{"step":"cut","txt":"x"}]}', type=Scenario)


def test_a_driver_inherits_nothing_of_the_job_it_runs_in() -> None:
    assert {"ROOST_SOCKET", "ROOST_JOB_TOKEN", "PI_JOB_TOKEN", "ROOST_AGENT_PID"} <= NAMES

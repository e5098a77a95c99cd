"""Makes the JSON Schema from the structs: the same text whenever and wherever it is made."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec

from roost_protocol.agent import PROTOCOL, AgentMessage, DaemonMessage

_REF: Final = "#/$defs/{name}"


def schema() -> dict[str, Any]:
    """One schema that any message of either side fits, with every struct and both unions under `$defs`."""
    unions, structs = msgspec.json.schema_components((AgentMessage, DaemonMessage), ref_template=_REF)
    names = ("AgentMessage", "DaemonMessage")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"roost agent protocol, version {PROTOCOL}",
        "version": PROTOCOL,
        "anyOf": [{"$ref": _REF.format(name=name)} for name in names],
        "$defs": {**structs, **dict(zip(names, unions, strict=True))},
    }


def text() -> str:
    """The schema as it is committed: keys sorted, two spaces of indentation, a newline at the end."""
    return json.dumps(schema(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"

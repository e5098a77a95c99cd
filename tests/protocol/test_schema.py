"""The committed JSON Schema is what the structs say."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from roost_protocol.agent import AgentMessage, DaemonMessage
from roost_protocol.schema.__main__ import COMMITTED, main
from roost_protocol.schema.generate import schema, text


def test_committed_schema_is_what_the_structs_say() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == text(), "run `python -m roost_protocol.schema`"


@pytest.mark.parametrize("kind", [*get_args(AgentMessage), *get_args(DaemonMessage)])
def test_schema_has_every_message_with_its_type_and_fields(kind: Any) -> None:
    described = schema()["$defs"][kind.__name__]
    fields = {field.encode_name for field in msgspec.structs.fields(kind)}
    assert set(described["properties"]) == {"type", *fields}
    assert described["properties"]["type"] == {"enum": [kind.__struct_config__.tag]}
    assert "type" in described["required"]


def test_check_tells_a_schema_that_differs_and_leaves_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "v1.json"
    assert main(["--check"], other) == 1
    other.write_text("{}\n", encoding="utf-8")
    assert main(["--check"], other) == 1
    assert other.read_text(encoding="utf-8") == "{}\n"
    assert "python -m roost_protocol.schema" in capsys.readouterr().err


def test_written_schema_passes_the_check(tmp_path: Path) -> None:
    other = tmp_path / "v1.json"
    assert main([], other) == 0
    assert main(["--check"], other) == 0
